"""The Variants page: what chapter 8 has beside the one-class SVM itself."""

from __future__ import annotations

from nestviz.ui.data_choice import Current
from nestviz.ui.page_frame import page
from nestviz.ui.pages.variants import code_book, left_out, side_by_side, smoothness
from nestviz.ui.pages.variants.text import Entry, introduce, variant_text
from nestviz.ui.widgets import inputs

ENTRIES = {
    "Ball": Entry("ball", side_by_side.ball),
    "Known outliers": Entry("outliers", side_by_side.outliers),
    "Mean of others": Entry("mean", side_by_side.mean),
    "Code book": Entry("code_book", code_book.show),
    "Smoothness": Entry("smoothness", smoothness.show),
    "Left out": Entry("left_out", left_out.show),
}
"""Variants by their names in links."""


@page("Variants")
def render(current: Current) -> None:
    """Render the page."""
    name = inputs.segments("variant", list(ENTRIES))
    entry = ENTRIES[name]
    introduce(variant_text(entry.file))
    entry.show(current)
