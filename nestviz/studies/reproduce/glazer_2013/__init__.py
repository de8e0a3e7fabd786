"""Coverage of quantile one-class SVMs (Glazer, Lindenbaum & Markovitch 2013)."""

from nestviz.studies.reproduce.glazer_2013 import study
from nestviz.studies.reproduce.target import Target

TARGETS: list[Target] = [study.TARGET]
