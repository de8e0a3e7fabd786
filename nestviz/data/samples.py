"""`make_sample`: draw an entry of the registry, with a seed and checked options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nestviz.data.catalogue import SAMPLES, Sample
from nestviz.data.dataset import Dataset, subsample
from nestviz.data.errors import DataError
from nestviz.data.generators import Points


def make_sample(name: str, seed: int = 0, **options: float) -> Dataset:
    """Draw a sample.

    Parameters
    ----------
    name : str
        A key of `SAMPLES`.
    seed : int
        The same seed and options give the same points, bit for bit.
    **options : float
        Values for the options the sample declares; the rest keep their defaults.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> make_sample("ring", seed=1, n=50).n
    50
    """
    sample = _find(name)
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise DataError(f"The seed cannot be {seed!r}.", hint="Choose a whole number from 0 up.")
    values = _checked_options(sample, options)
    story = ", ".join(f"{key} = {value:g}" for key, value in values.items())
    if sample.kind == "synthetic":
        rng = np.random.default_rng(seed)
        points = sample.generator(rng, **values)
        source = f"Sample '{name}' drawn with seed {seed} ({story})."
        return _dataset(sample, points, source)
    n = int(values.pop("n"))
    owner = "nestviz" if sample.kind == "benchmark" else "scikit-learn"
    source = f"{sample.title}, the raw numbers as they come with {owner}."
    dataset = _dataset(sample, sample.generator(**values), source)
    return subsample(dataset, n, int(seed)) if n else dataset


def _find(name: str) -> Sample:
    if name not in SAMPLES:
        raise DataError(
            f"There is no sample called '{name}'.", hint=f"Choose one of {', '.join(SAMPLES)}."
        )
    return SAMPLES[name]


def _checked_options(sample: Sample, given: Mapping[str, float]) -> dict[str, Any]:
    known = {option.name: option for option in sample.options}
    for name in given:
        if name not in known:
            raise DataError(
                f"Sample '{sample.name}' has no option '{name}'.",
                hint=f"Its options are {', '.join(known)}.",
            )
    return {
        name: option.checked(given.get(name, option.default), sample.name)
        for name, option in known.items()
    }


def _dataset(sample: Sample, points: Points, source: str) -> Dataset:
    return Dataset(points.X, points.y, points.feature_names, sample.title, (source, *points.notes))
