"""Figures 1 to 3 of Lee & Scott (2007): the one-class path and its bandwidth."""

from nestviz.studies.reproduce.lee_scott_2007 import figure1, figure2, figure3
from nestviz.studies.reproduce.target import Target

TARGETS: list[Target] = [figure1.TARGET, figure2.TARGET, figure3.TARGET]
