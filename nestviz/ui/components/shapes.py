"""Marks that tell clusters apart beside their colours."""

SHAPES = ("circle", "triangle", "square", "diamond", "cross", "wedge", "star")
"""As in canvas.js."""


def cluster_shape(label: int) -> str:
    """The mark of a cluster; with its colour, the pair comes again after 49 clusters."""
    return SHAPES[(label + label // len(SHAPES)) % len(SHAPES)]
