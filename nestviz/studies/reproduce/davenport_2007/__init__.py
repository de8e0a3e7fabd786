"""Tables of Davenport's thesis (2007): minimax, Neyman–Pearson, minimum volume sets."""

from nestviz.studies.reproduce.davenport_2007 import (
    minimax,
    neyman_pearson,
    probability_machine,
    volume_sets,
)
from nestviz.studies.reproduce.target import Target

TARGETS: list[Target] = [
    minimax.target(True),
    minimax.target(False),
    probability_machine.target(),
    neyman_pearson.target(),
    volume_sets.target(),
]
