"""`make_sample`: draw a sample of the registry, with a seed and checked options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nestviz.data.catalogue import SAMPLES, Sample
from nestviz.data.dataset import Dataset, subsample
from nestviz.data.errors import DataError, quoted
from nestviz.data.generators import Points
from nestviz.renamed import renamed


@renamed(seed="random_state")
def make_sample(name: str, random_state: int = 0, **options: float) -> Dataset:
    """Draw a sample.

    Parameters
    ----------
    name : str
        A key of `SAMPLES`.
    random_state : int
        Seed; the same seed and options give the same points, bit for bit.
    **options : float
        Values for the options the sample declares; the rest have their defaults.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> make_sample("ring", random_state=1, n=50).n
    50
    """
    sample = _find(name)
    whole = isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool)
    if not whole or random_state < 0:
        raise DataError(
            f"random_state cannot be {random_state!r}.", hint="Choose a whole number from 0 up."
        )
    values = _checked_options(sample, options)
    story = ", ".join(f"{key} = {value:g}" for key, value in values.items())
    if sample.kind == "synthetic":
        rng = np.random.default_rng(random_state)
        points = sample.generator(rng, **values)
        source = f"Sample '{name}' drawn with seed {random_state} ({story})."
        return _dataset(sample, points, source)
    n = int(values.pop("n"))
    owner = "nestviz" if sample.kind == "benchmark" else "scikit-learn"
    source = f"{sample.title}, the raw numbers as they come with {owner}."
    dataset = _dataset(sample, sample.generator(**values), source)
    return subsample(dataset, n, int(random_state)) if n else dataset


def _find(name: str) -> Sample:
    if name not in SAMPLES:
        raise DataError(
            f"There is no sample called '{quoted(name)}'.",
            hint=f"Choose one of {', '.join(SAMPLES)}.",
        )
    return SAMPLES[name]


def _checked_options(sample: Sample, given: Mapping[str, float]) -> dict[str, Any]:
    known = {option.name: option for option in sample.options}
    for name in given:
        if name not in known:
            raise DataError(
                f"Sample '{sample.name}' has no option '{quoted(name)}'.",
                hint=f"Its options are {', '.join(known)}.",
            )
    return {
        name: option.checked(given.get(name, option.default), sample.name)
        for name, option in known.items()
    }


def _dataset(sample: Sample, points: Points, source: str) -> Dataset:
    return Dataset(points.X, points.y, points.feature_names, sample.title, (source, *points.notes))
