"""The numbers that the story names, computed from the data in use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.grids import Grid
from nestviz.ui.compute import crossing, scenes
from nestviz.ui.compute.crossing import Cost, Crossing
from nestviz.ui.compute.frames import Frames
from nestviz.ui.compute.methods import Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.home.steps import NESTED, PLAIN, UNION
from nestviz.ui.results import cache, fits
from nestviz.ui.scene.view_box import shown_box

NO_CROSSING = (
    "With these data and this σ the sets do not cross anywhere in the picture.",
    "Take another σ below the picture, or return to the settings of the story.",
)
"""The words of a step about crossing where there is none."""
VERDICTS = {
    "stays": "You predicted that it stays, as most people do. ",
    "leaves": "You predicted that it leaves, and it does. ",
}
"""What is said of a prediction: a location of `Crossing` always leaves."""


@dataclass(frozen=True)
class Facts:
    """The data, the width and the levels of the story."""

    current: Current
    sigma: float

    def spec(self, method: str) -> Spec:
        """Return the settings of a method."""
        return Spec(method, self.sigma)

    @property
    def frames(self) -> Frames:
        """The stops of the level axis, the same for all methods."""
        data, specs = self.current.fitted, (self.spec(PLAIN),)
        return cache.keep(
            ("frames", data, specs, "level"),
            lambda: scenes.frames_of(data, specs, partial(fits.fit, data)),
        )

    @property
    def levels(self) -> FloatArray:
        """The levels at the stops."""
        return np.array(self.frames.levels)

    @property
    def centre(self) -> tuple[float, float]:
        """The mean of the points, in the plane of the picture."""
        u, v = self.current.plane.coordinates(self.current.fitted.X).mean(axis=0)
        return float(u), float(v)

    @property
    def view(self) -> tuple[float, float, float, float]:
        """The box of the picture."""
        grid = Grid.around(self.current.fitted.X, plane=self.current.plane)
        return shown_box(grid.inner_box)

    def crossing(self) -> Crossing | None:
        """Return where the sets of the one-class SVM cross."""
        data, plane = self.current.fitted, self.current.plane
        plain, levels, view = fits.fit(data, self.spec(PLAIN)), self.levels, self.view
        return cache.keep(
            ("crossing", data, plane, plain.spec),
            lambda: crossing.find_crossing(plain.family, plane, view, levels),
        )

    def cost(self) -> Cost:
        """Return what nesting costs."""
        data, levels = self.current.fitted, self.levels
        plain, union, nested = (fits.fit(data, self.spec(name)) for name in (PLAIN, UNION, NESTED))
        return cache.keep(
            ("nesting cost", data, plain.spec),
            lambda: crossing.price(plain, union, nested, data.X, levels),
        )

    def words(self, step: str, answer: str | None) -> dict[str, str]:
        """Return what stands in the braces of the text and the notes of a step."""
        data, levels = self.current.fitted, self.levels
        words = {"n": f"{data.n:,}", "smallest": _number(levels[-1])}
        found = self.crossing()
        if found is not None:
            words |= _crossing_words(found, answer)
        if step == "rankings":
            plain = fits.fit(data, self.spec(PLAIN))
            ranked = cache.keep(
                ("two rankings", data, plain.spec),
                lambda: crossing.compare_rankings(plain.family, data.X),
            )
            words |= {
                "leaving": str(ranked.leaving),
                "ambiguous": str(ranked.ambiguous),
                "ambiguous_share": f"{ranked.ambiguous / ranked.points:.0%}",
            }
        if step == "cost":
            cost = self.cost()
            words |= {
                "excess": f"{cost.excess[cost.worst]:.1%}",
                "excess_level": _number(levels[cost.worst]),
                "auc_plain": f"{cost.plain:.2f}",
                "auc_union": f"{cost.union:.2f}",
                "auc_nested": f"{cost.nested:.2f}",
            }
        return words


def _crossing_words(found: Crossing, answer: str | None) -> dict[str, str]:
    back = "" if found.returned is None else f"; it is back at λ = {_number(found.returned)}"
    return {
        "verdict": VERDICTS.get(answer or "", ""),
        "clearest": _number(found.clearest),
        "worst": _number(found.level),
        "share": f"{found.share:.0%}",
        "entered": _number(found.entered),
        "left": _number(found.left),
        "back": back,
        "deep": f"{found.deepest:.1%}",
    }


def _number(value: float) -> str:
    return f"{value:.3g}"
