"""Checks of parameters: numbers, weights, seeds, rules for the width."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from nestviz.arrays import FloatArray
from nestviz.kernels import auto_sigma, dimension_sigma, median_distance

WIDTH_RULES = {"auto": auto_sigma, "median": median_distance, "dimension": dimension_sigma}


def checked_number(
    name: str, value: Any, *, above: float = -np.inf, at_most: float = np.inf
) -> float:
    """Return a finite number in (above, at_most], or raise an error that says what is wrong."""
    if isinstance(value, Real) and not isinstance(value, bool):
        number = float(value)
        if np.isfinite(number) and above < number <= at_most:
            return number
    limits = f" above {above:g}" if np.isfinite(above) else ""
    limits += f" and at most {at_most:g}" if np.isfinite(at_most) else ""
    raise ValueError(f"{name} must be a finite number{limits}, not {value!r}.")


def whole_number(name: str, value: Any) -> int:
    """Return a whole number from 1 up, or raise an error that says what is wrong."""
    if isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1:
        return int(value)
    raise ValueError(f"{name} must be a whole number from 1 up, not {value!r}.")


def as_seed(random_state: Any) -> int:
    """Return a seed: a number as it is, else one drawn from the generator (None: NumPy's own)."""
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def checked_weights(sample_weight: ArrayLike | None, n: int) -> FloatArray:
    """Return one weight per point: finite, not negative, not all zero."""
    if sample_weight is None:
        return np.ones(n)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if weights.shape != (n,):
        raise ValueError(f"sample_weight must hold one number for each of the {n} points.")
    if not np.all(np.isfinite(weights)) or weights.min() < 0:
        raise ValueError("sample_weight must hold finite numbers that are not negative.")
    if not weights.max() > 0:
        raise ValueError("sample_weight must not be zero for all points.")
    return weights


def miv_margin(sigma: str) -> float | None:
    """Return the margin of the box in ``"miv"`` (none given) or ``"miv:0.5"``."""
    rule, colon, number = sigma.partition(":")
    if rule == "miv" and not colon:
        return None
    try:
        margin = float(number)
    except ValueError:
        margin = np.nan
    if rule != "miv" or not (np.isfinite(margin) and margin >= 0):
        raise _unknown_rule(sigma, " After 'miv' there may be a colon and the margin of the box, "
                                   "as in 'miv:0.5'.")  # fmt: skip
    return margin


def resolve_sigma(sigma: Any, X: FloatArray) -> float:
    """Return the Gaussian width as a number: given, or by a rule from the distances."""
    if not isinstance(sigma, str):
        return checked_number("sigma", sigma, above=0.0)
    if sigma in WIDTH_RULES:
        return WIDTH_RULES[sigma](X)
    raise _unknown_rule(sigma)


def _unknown_rule(sigma: str, more: str = "") -> ValueError:
    return ValueError(
        f"sigma must be a positive number, 'auto', 'median', 'dimension' or 'miv', not {sigma!r}."
        f"{more}"
    )
