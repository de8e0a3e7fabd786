"""Averages over repetitions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def averaged(scores: ArrayLike) -> dict[str, Any]:
    """Return mean, standard deviation and number of repetitions, as `Value` names them."""
    values = np.asarray(scores, dtype=np.float64)
    spread = float(values.std(ddof=1)) if values.size > 1 else math.nan
    return {"ours": float(values.mean()), "sd": spread, "n": int(values.size)}
