"""Sphinx settings."""

from nestviz import __version__

project = "nestviz"
author = "The nestviz developers"
release = __version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
source_suffix = [".md"]
exclude_patterns = ["_build", "figures"]
html_theme = "furo"
html_title = f"nestviz {release}"
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
napoleon_google_docstring = False
nitpicky = False
