"""Sphinx settings."""

import sys
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from nestviz import __version__

HERE = Path(__file__).parent
EXPLORER_FOLDER = HERE / "_explorers"
EXPLORER_FOLDER.mkdir(exist_ok=True)  # Sphinx looks for it before it is filled.
sys.path.insert(0, str(HERE))

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
exclude_patterns = ["_build", "_screenshots", "_explorers", "figures"]
html_extra_path = ["_explorers"]


def save_figures(block: tuple, block_vars: dict, gallery_conf: dict) -> str:
    """Save the figures that a block of an example has made; they do not belong to pyplot."""
    from matplotlib.figure import Figure
    from sphinx_gallery.scrapers import figure_rst

    found = block_vars["example_globals"]
    seen = found.setdefault("__saved__", set())
    paths = []
    for value in list(found.values()):
        if isinstance(value, Figure) and id(value) not in seen:
            seen.add(id(value))
            paths.append(next(block_vars["image_path_iterator"]))
            value.savefig(paths[-1], dpi=100)
    return figure_rst(paths, gallery_conf["src_dir"])


def write_explorers(app: Sphinx) -> None:
    """Write the players that pages of the manual embed; each is one file without a server."""
    from explorers import EXPLORERS

    for name, make in EXPLORERS.items():
        make().save(EXPLORER_FOLDER / f"{name}.html")


def draw_formula(translator: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Write a formula as MathML, which browsers draw without a library or a network."""
    from make_printed import to_mathml

    block = isinstance(node, nodes.math_block)
    translator.body.append(to_mathml(node.astext(), block=block))
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Have the explorers written before pages are read, and formulas drawn as MathML."""
    app.connect("builder-inited", write_explorers)
    app.add_html_math_renderer("mathml", (draw_formula, None), (draw_formula, None))


# The examples run when the manual is built; their pictures are not kept in the repository.
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "within_subsection_order": "ExampleTitleSortKey",
    "show_memory": False,
    "write_computation_times": False,
    "image_scrapers": (save_figures,),
    "abort_on_example_error": True,
}
html_theme = "furo"
html_math_renderer = "mathml"
html_title = f"nestviz {release}"
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
myst_update_mathjax = False
autodoc_member_order = "bysource"
autodoc_typehints = "description"
napoleon_google_docstring = False
nitpicky = False
# The function that saves figures of the gallery cannot be pickled.
suppress_warnings = ["config.cache"]
