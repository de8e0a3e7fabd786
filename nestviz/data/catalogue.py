"""The registry of samples: what each one shows, and its options."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nestviz.data import generators, real
from nestviz.data.errors import DataError, quoted
from nestviz.data.generators import Points

Kind = Literal["synthetic", "real", "benchmark"]


@dataclass(frozen=True)
class Option:
    """A number that can be chosen when drawing a sample.

    Attributes
    ----------
    name, label, help : str
        Keyword, label and explanation.
    minimum, maximum, default, step : float
        Range, default and step; only whole numbers are allowed where the step is an int.
    """

    name: str
    label: str
    minimum: float
    maximum: float
    default: float
    step: float
    help: str

    @property
    def whole(self) -> bool:
        """Return whether only whole numbers are allowed."""
        return isinstance(self.step, int)

    def checked(self, value: float, sample: str) -> float:
        """Return the value in the right type, or raise a DataError with the range."""
        ok = isinstance(value, (int, float, np.integer, np.floating))
        if ok and self.minimum <= value <= self.maximum and not (self.whole and value % 1):
            return int(value) if self.whole else float(value)
        kind = "a whole number" if self.whole else "a number"
        raise DataError(
            f"Option '{self.name}' of sample '{sample}' cannot be {quoted(repr(value))}.",
            hint=f"Choose {kind} from {self.minimum:g} to {self.maximum:g}.",
        )


@dataclass(frozen=True)
class Sample:
    """One entry of the registry.

    Attributes
    ----------
    name, title, sentence : str
        Key, heading, and one sentence on what the sample shows.
    options : tuple of Option
        Its options.
    generator : callable
        For a synthetic sample ``generator(rng, **options)``, otherwise ``generator(**options)``.
    kind : {"synthetic", "real", "benchmark"}
        Kind of the sample.
    labelled : bool
        Whether its points have labels.
    """

    name: str
    title: str
    sentence: str
    options: tuple[Option, ...]
    generator: Callable[..., Points]
    kind: Kind
    labelled: bool


def _size(default: int = 200) -> Option:
    return Option("n", "Points", 10, 20_000, default, 10, "How many points to draw.")


def _noise(default: float) -> Option:
    return Option("noise", "Noise", 0.0, 1.0, default, 0.01, "Spread around the curve.")


def _separation(default: float) -> Option:
    text = "Distance between the centres."
    return Option("separation", "Separation", 0.0, 8.0, default, 0.1, text)


def _part(rows: int) -> Option:
    return Option("n", "Points", 0, rows, 0, 1, "How many rows to draw at random; 0 keeps all.")


def _positive(classes: str, last: int) -> Option:
    return Option("positive", "Class +1", 0, last, 0, 1, f"Which class counts as +1: {classes}.")


def _synthetic(
    make: Callable[..., Points], title: str, sentence: str, *options: Option, labelled: bool = True
) -> Sample:
    return Sample(make.__name__, title, sentence, options, make, "synthetic", labelled)


def _real(
    make: Callable[..., Points], name: str, title: str, sentence: str, *options: Option
) -> Sample:
    return Sample(name, title, sentence, options, make, "real", True)


# One entry per sample: generator, title, sentence, options.
_SYNTHETIC = (
    _synthetic(generators.mixture, "Mixture of Gaussians",
        "Two classes of ten narrow Gaussians each: ragged level sets with many small parts.",
        _size()),
    _synthetic(generators.multi, "Three Gaussians",
        "Three clusters of unequal weight: level sets of the density split one after the other "
        "as the level rises.",
        _size(),
        Option("spread", "Spread", 0.1, 2.0, 0.5, 0.1, "Standard deviation of each cluster."),
        labelled=False),
    _synthetic(generators.ring, "Ring",
        "Points around a hole: a level set should be a ring, not a disc.",
        _size(),
        Option("offset", "Offset", 0.0, 10.0, 3.0, 0.1, "Radius of the hole."),
        Option("scale", "Scale", 0.1, 3.0, 0.6, 0.1, "Scale of the Rayleigh radius."),
        labelled=False),
    _synthetic(generators.banana, "Banana",
        "Two bent, overlapping classes that no straight line separates.",
        _size(400), _noise(0.35)),
    _synthetic(generators.blobs, "Two blobs",
        "Two round clusters: the simplest data on which one-class sets can cross.",
        _size(), _separation(4.0)),
    _synthetic(generators.moons, "Moons",
        "Two interleaved half circles: touching, but not mixed.",
        _size(), _noise(0.12)),
    _synthetic(generators.circles, "Circles",
        "One circle inside another: one class surrounds the other.",
        _size(), _noise(0.08),
        Option("ratio", "Radius ratio", 0.1, 0.9, 0.5, 0.05, "Inner radius over outer radius.")),
    _synthetic(generators.cross, "Skewed cross",
        "Two thin classes that cross at an angle: dense where they meet, long in the tails.",
        _size(),
        Option("angle", "Angle", 10, 90, 60, 5, "Angle between the arms, in degrees."),
        Option("width", "Width", 0.05, 1.0, 0.25, 0.05, "Standard deviation across an arm.")),
    _synthetic(generators.outliers, "Planted outliers",
        "Two clusters (+1) over a uniform background of known outliers (-1).",
        _size(300),
        Option("fraction", "Outliers", 0.01, 0.5, 0.1, 0.01, "Share of planted outliers.")),
    _synthetic(generators.bridge, "Bridge",
        "A dense and a sparse cluster joined by a thin bridge: when do they become one?",
        _size(300),
        Option("fraction", "Bridge", 0.0, 0.3, 0.06, 0.01, "Share of points on the bridge."),
        labelled=False),
    _synthetic(generators.imbalanced, "Imbalanced overlap",
        "A rare class (+1) inside a common one: what the cost asymmetry is for.",
        _size(300),
        Option("ratio", "Imbalance", 1, 50, 9, 1, "Points of class -1 for each of class +1."),
        _separation(1.5)),
)  # fmt: skip

_REAL = (
    _real(real.iris, "iris", "Iris",
        "Four lengths of 150 flowers: one species stands apart, two overlap.",
        _part(150), _positive("0 setosa, 1 versicolor, 2 virginica", 2)),
    _real(real.wine, "wine", "Wine",
        "Thirteen measurements of 178 wines, on very unequal scales.",
        _part(178), _positive("0, 1 or 2, one number for each cultivar", 2)),
    _real(real.breast_cancer_wisconsin, "breast-cancer-wisconsin", "Breast cancer (Wisconsin)",
        "Thirty measurements of 569 tumours; +1 is malignant.",
        _part(569)),
    _real(real.digits, "digits", "Digits",
        "1,797 handwritten digits of eight by eight pixels: one digit against the rest.",
        _part(1797), _positive("the digit itself", 9)),
)  # fmt: skip

_BENCHMARK = tuple(
    Sample(
        f"bench-{name}", f"Benchmark {name}", f"{sentence}.", (_part(rows),),
        functools.partial(real.benchmark, name), "benchmark", True,
    )
    for name, (rows, sentence) in real.BENCHMARKS.items()
)  # fmt: skip

SAMPLES: dict[str, Sample] = {s.name: s for s in (*_SYNTHETIC, *_REAL, *_BENCHMARK)}
