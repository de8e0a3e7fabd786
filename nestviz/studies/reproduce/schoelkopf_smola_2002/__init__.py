"""Experiments of Schölkopf & Smola (2002), chapter 8, on handwritten digits."""

from nestviz.studies.reproduce.schoelkopf_smola_2002 import fractions, recogniser
from nestviz.studies.reproduce.target import Target

TARGETS: list[Target] = [fractions.TARGET, recogniser.TARGET]
