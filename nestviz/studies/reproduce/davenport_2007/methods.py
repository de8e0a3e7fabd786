"""The methods that the thesis compares, by how they choose and what they shift."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from nestviz.estimators.error_control.control import ErrorControl

AIM, ERROR = "aim", "misclassification"


class Method(NamedTuple):
    """One way to choose (σ, ν₊, ν₋) and the offset, with the names of `MinimaxClassifier`."""

    strategy: str
    smoothing: str
    select_by: str = AIM
    shift: bool = False

    @property
    def name(self) -> str:
        """Return a name: the four settings, joined by slashes."""
        return "/".join((self.strategy, self.smoothing, self.select_by, str(self.shift).lower()))

    def shifted(self) -> Method:
        """Return the same choice, with its offset moved to the best value on training points."""
        return self._replace(shift=True)

    def classifier(self, alpha: float | None) -> ErrorControl:
        """Return the estimator, minimax without α; its offset is not moved."""
        from nestviz.estimators import MinimaxClassifier, NeymanPearsonClassifier

        options: dict[str, Any] = {
            "strategy": self.strategy, "smoothing": self.smoothing, "select_by": self.select_by
        }  # fmt: skip
        if alpha is None:
            return MinimaxClassifier(**options)
        return NeymanPearsonClassifier(alpha, **options)


TWO_NU = {
    "no smoothing, whole grid": Method("grid", "none"),
    "2-D smoothing, whole grid": Method("grid", "2d"),
    "3-D smoothing, whole grid": Method("grid", "3d"),
    "no smoothing, 2-D descent": Method("coordinate-2d", "none"),
    "no smoothing, 3-D descent": Method("coordinate-3d", "none"),
    "2-D smoothing, 2-D descent": Method("coordinate-2d", "2d"),
    "3-D smoothing, 2-D descent": Method("coordinate-2d", "3d"),
    "3-D smoothing, 3-D descent": Method("coordinate-3d", "3d"),
}
"""The 2ν-SVM methods of tables 3.2 and 4.1."""
NU, BALANCED = "nu-svm", "balanced-nu-svm"
LINES = {"ν-SVM": NU, "balanced ν-SVM": BALANCED}


def line_methods(strategy: str) -> dict[str, Method]:
    """Return the methods of tables 3.5, 3.6, 4.4 and 4.5, for one of the two ν-SVMs."""
    smoothings = {"no smoothing": "none", "smoothing": "3d"}
    strategies = {
        "by the aim, not shifted": (AIM, False),
        "by the aim, shifted": (AIM, True),
        "by errors, shifted": (ERROR, True),
    }
    return {
        f"{words}, {smooth}": Method(strategy, smoothing, select_by, shift)
        for words, (select_by, shift) in strategies.items()
        for smooth, smoothing in smoothings.items()
    }


def finalists(shift_nu_by: str) -> dict[str, Method]:
    """Return the five methods of tables 3.7 to 3.9 and 4.6.

    The ν-SVM is chosen by ``shift_nu_by`` before its offset is moved: by errors in chapter 3, by
    the aim in chapter 4.
    """
    return {
        "3D-GS": Method("grid", "3d"),
        "2D-CD": Method("coordinate-2d", "3d"),
        "3D-CD": Method("coordinate-3d", "3d"),
        "balanced-nu": Method(BALANCED, "3d"),
        "nu": Method(NU, "3d", shift_nu_by, True),
    }


def all_methods() -> list[Method]:
    """Return every method once: all of them choose from the same tables of rates."""
    two_nu = [way for method in TWO_NU.values() for way in (method, method.shifted())]
    lines = [way for strategy in LINES.values() for way in line_methods(strategy).values()]
    return list(dict.fromkeys((*two_nu, *lines)))


def of_name(name: str) -> Method:
    """Return the method of a name."""
    strategy, smoothing, select_by, shift = name.split("/")
    return Method(strategy, smoothing, select_by, shift == "true")
