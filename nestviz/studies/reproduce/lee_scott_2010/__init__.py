"""Lee & Scott (2010): the experiments of section VI, and the effect of the number of levels."""

from nestviz.studies.reproduce.lee_scott_2010.targets import TARGETS

__all__ = ["TARGETS"]
