"""Points of one kind against uniform points around them: two classes without labels."""

from __future__ import annotations

import numpy as np

from nestviz.data.dataset import Dataset

MARGIN = 0.1
"""How far the box of the uniform points extends on each side, as a share of the data's range."""


def against_uniform(dataset: Dataset, random_state: int = 0) -> Dataset:
    """Add as many uniform points of the box around the data, as class −1; the data are class +1.

    A classifier that separates data from uniform points estimates level sets of their density
    (Steinwart, Hush & Scovel 2005).

    Parameters
    ----------
    dataset : Dataset
        Points without labels, or of a single class: labels are replaced. Added points have the
        mean of their weights.
    random_state : int
        Seed of the uniform points.

    Returns
    -------
    Dataset
        Twice as many points; the added ones come last.

    Examples
    --------
    >>> from nestviz import make_sample
    >>> both = against_uniform(make_sample("ring", n=50))
    >>> both.n, both.positives
    (100, 50)
    """
    X, weights = dataset.X, dataset.weights
    low, high = X.min(axis=0), X.max(axis=0)
    margin = MARGIN * (high - low)
    added = np.random.default_rng(random_state).uniform(low - margin, high + margin, X.shape)
    return Dataset(
        np.concatenate([X, added]),
        np.repeat(np.array([1, -1], np.int8), dataset.n),
        dataset.feature_names,
        f"{dataset.name} and uniform points",
        (
            *dataset.provenance,
            f"{dataset.n:,} uniform points of the box around the data, widened by {MARGIN:.0%} on "
            f"each side, were added as class −1 (seed {random_state}).",
        ),
        weights=None if weights is None else np.append(weights, np.full(dataset.n, weights.mean())),
    )
