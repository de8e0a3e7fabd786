"""Sphinx settings."""

from nestviz import __version__

project = "nestviz"
author = "The nestviz developers"
release = __version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_gallery.gen_gallery",
]
source_suffix = [".md", ".rst"]
exclude_patterns = ["_build"]
# The examples run when the manual is built; their pictures are not kept in the repository.
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "within_subsection_order": "ExampleTitleSortKey",
    "show_memory": False,
    "abort_on_example_error": True,
}
html_theme = "furo"
html_title = f"nestviz {release}"
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
napoleon_google_docstring = False
nitpicky = False
