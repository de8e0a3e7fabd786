"""A curve above the slider of a knob."""

from dataclasses import dataclass


@dataclass(frozen=True)
class KnobCurve:
    """A curve above the slider of a knob, over the same axis.

    Parameters
    ----------
    name : str
        Name of the heights.
    alt : str
        Description of the curve for screen readers.
    values, heights, errors : tuple of float
        Its points, ascending in the unit of the knob, and half the width of a band around each.
    best : int
        Index of the point with a star.
    close : tuple of float, optional
        Ends of the values that are as good, marked on the axis.
    band : tuple of (float, float)
        Ends of another band, one pair for each point; empty for none.
    still : bool
        Whether there is no slider yet.
    """

    name: str
    alt: str
    values: tuple[float, ...]
    heights: tuple[float, ...]
    errors: tuple[float, ...]
    best: int
    close: tuple[float, float] | None = None
    band: tuple[tuple[float, float], ...] = ()
    still: bool = False

    def __post_init__(self) -> None:
        """Refuse a curve whose parts do not fit together."""
        sizes = {len(self.values), len(self.heights), len(self.errors)}
        if len(sizes) > 1 or not self.values or not 0 <= self.best < len(self.values):
            raise ValueError("A curve needs one or more points, each with a height and an error.")
        if len(self.band) not in (0, len(self.values)):
            raise ValueError(f"A band of {len(self.band)} pairs for {len(self.values)} points.")
