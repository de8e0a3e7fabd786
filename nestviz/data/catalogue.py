"""The registry of samples: what each one shows, and its options."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nestviz.data import generators, real
from nestviz.data.errors import DataError
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
        """Return the value in the right type, or raise a DataError with the range.

        Parameters
        ----------
        value : float
            The value.
        sample : str
            Name of the sample, for the message.

        Returns
        -------
        float
        """
        ok = isinstance(value, (int, float, np.integer, np.floating)) and np.isfinite(value)
        if ok and self.minimum <= value <= self.maximum and not (self.whole and value % 1):
            return int(value) if self.whole else float(value)
        kind = "a whole number" if self.whole else "a number"
        raise DataError(
            f"Option '{self.name}' of sample '{sample}' cannot be {value!r}.",
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


def _separation(default: float, help_text: str) -> Option:
    return Option("separation", "Separation", 0.0, 8.0, default, 0.1, help_text)


def _part(rows: int) -> Option:
    return Option("n", "Points", 0, rows, 0, 1, "How many rows to draw at random; 0 keeps all.")


def _positive(classes: str, last: int) -> Option:
    return Option("positive", "Class +1", 0, last, 0, 1, f"Which class counts as +1: {classes}.")


def _synthetic(
    title: str,
    sentence: str,
    generator: Callable[..., Points],
    *options: Option,
    labelled: bool = True,
) -> Sample:
    name = generator.__name__
    return Sample(name, title, sentence, options, generator, "synthetic", labelled)


_SYNTHETIC = (
    _synthetic(
        "Mixture of Gaussians",
        "Two classes of ten narrow Gaussians each: ragged level sets with many small parts.",
        generators.mixture,
        _size(),
    ),
    _synthetic(
        "Three Gaussians",
        "Three clusters of unequal weight: level sets of the density split one after the other "
        "as the level rises.",
        generators.multi,
        _size(),
        Option("spread", "Spread", 0.1, 2.0, 0.5, 0.1, "Standard deviation of each cluster."),
        labelled=False,
    ),
    _synthetic(
        "Ring",
        "Points around a hole: a level set should be a ring, not a disc.",
        generators.ring,
        _size(),
        Option("offset", "Offset", 0.0, 10.0, 3.0, 0.1, "Radius of the hole."),
        Option("scale", "Scale", 0.1, 3.0, 0.6, 0.1, "Scale of the Rayleigh radius."),
        labelled=False,
    ),
    _synthetic(
        "Banana",
        "Two bent, overlapping classes that no straight line separates.",
        generators.banana,
        _size(400),
        _noise(0.35),
    ),
    _synthetic(
        "Two blobs",
        "Two round clusters: the simplest data on which one-class sets can cross.",
        generators.blobs,
        _size(),
        _separation(4.0, "Distance between the centres."),
    ),
    _synthetic(
        "Moons",
        "Two interleaved half circles: touching, but not mixed.",
        generators.moons,
        _size(),
        _noise(0.12),
    ),
    _synthetic(
        "Circles",
        "One circle inside another: one class surrounds the other.",
        generators.circles,
        _size(),
        _noise(0.08),
        Option("ratio", "Radius ratio", 0.1, 0.9, 0.5, 0.05, "Inner radius over outer radius."),
    ),
    _synthetic(
        "Skewed cross",
        "Two thin classes that cross at an angle: dense where they meet, long in the tails.",
        generators.cross,
        _size(),
        Option("angle", "Angle", 10, 90, 60, 5, "Angle between the arms, in degrees."),
        Option("width", "Width", 0.05, 1.0, 0.25, 0.05, "Standard deviation across an arm."),
    ),
    _synthetic(
        "Planted outliers",
        "Two clusters (+1) over a uniform background of known outliers (-1).",
        generators.outliers,
        _size(300),
        Option("fraction", "Outliers", 0.01, 0.5, 0.1, 0.01, "Share of planted outliers."),
    ),
    _synthetic(
        "Bridge",
        "A dense and a sparse cluster joined by a thin bridge: when do they become one?",
        generators.bridge,
        _size(300),
        Option("fraction", "Bridge", 0.0, 0.3, 0.06, 0.01, "Share of points on the bridge."),
        labelled=False,
    ),
    _synthetic(
        "Imbalanced overlap",
        "A rare class (+1) inside a common one: what the cost asymmetry is for.",
        generators.imbalanced,
        _size(300),
        Option("ratio", "Imbalance", 1, 50, 9, 1, "Points of class -1 for each of class +1."),
        _separation(1.5, "Distance between the centres."),
    ),
)

_REAL = (
    Sample(
        "iris",
        "Iris",
        "Four lengths of 150 flowers: one species stands apart, two overlap.",
        (_part(150), _positive("0 setosa, 1 versicolor, 2 virginica", 2)),
        real.iris,
        "real",
        True,
    ),
    Sample(
        "wine",
        "Wine",
        "Thirteen measurements of 178 wines, on very unequal scales.",
        (_part(178), _positive("0, 1 or 2, one number for each cultivar", 2)),
        real.wine,
        "real",
        True,
    ),
    Sample(
        "breast-cancer-wisconsin",
        "Breast cancer (Wisconsin)",
        "Thirty measurements of 569 tumours; +1 is malignant.",
        (_part(569),),
        real.breast_cancer_wisconsin,
        "real",
        True,
    ),
    Sample(
        "digits",
        "Digits",
        "1,797 handwritten digits of eight by eight pixels: one digit against the rest.",
        (_part(1797), _positive("the digit itself", 9)),
        real.digits,
        "real",
        True,
    ),
)

_BENCHMARK = tuple(
    Sample(
        f"bench-{name}",
        f"Benchmark {name}",
        f"{sentence}.",
        (_part(rows),),
        functools.partial(real.benchmark, name),
        "benchmark",
        True,
    )
    for name, (rows, sentence) in real.BENCHMARKS.items()
)

SAMPLES: dict[str, Sample] = {s.name: s for s in (*_SYNTHETIC, *_REAL, *_BENCHMARK)}
