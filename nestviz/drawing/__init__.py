"""Still pictures of sets and points with matplotlib, for files and notebooks."""

from nestviz.drawing.sets import draw_sets

__all__ = ["draw_sets"]
