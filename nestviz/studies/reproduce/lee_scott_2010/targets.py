"""The figures of the 2010 paper that can be computed anew."""

from __future__ import annotations

from nestviz.studies.reproduce.lee_scott_2010 import fig5, fig7, fig8, fig9, fig10_12, fig13
from nestviz.studies.reproduce.lee_scott_2010.protocol import FULL, QUICK
from nestviz.studies.reproduce.lee_scott_2010.summaries import SOURCE
from nestviz.studies.reproduce.target import Target

TARGETS = [
    Target(
        "fig5", "How many sets a nested SVM has to solve for", f"{SOURCE}, fig. 5", fig5.plan,
        fig5.Protocol(permutations=2), fig5.Protocol(), (0.1, 0.5), "two-classes",
    ),
    Target(
        "fig7", "Test AUC of plain and nested SVMs", f"{SOURCE}, fig. 7", fig7.plan,
        QUICK, FULL, (2.8, 46.0), "two-classes",
    ),
    Target(
        "fig8", "AUC of one-class SVMs over the kernel width", f"{SOURCE}, fig. 8", fig8.plan,
        fig8.Protocol(permutations=1, sigmas=QUICK.sigmas), fig8.Protocol(), (0.1, 1.0),
        "bandwidth",
    ),
    Target(
        "fig9", "Ranking disagreement of plain SVMs", f"{SOURCE}, fig. 9", fig9.plan,
        QUICK, FULL, (3.1, 47.0), "two-classes",
    ),
    Target(
        "fig10-12", "Wilcoxon tests over the data sets", f"{SOURCE}, figs. 10–12", fig10_12.plan,
        QUICK, FULL, (3.1, 47.0), "two-classes",
    ),
    Target(
        "fig13", "Training times", f"{SOURCE}, fig. 13", fig13.plan,
        fig13.TimedProtocol(**vars(QUICK)), fig13.TimedProtocol(**vars(FULL)),
        (2.3, 43.0), "two-classes",
    ),
]  # fmt: skip
