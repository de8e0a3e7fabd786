"""The part of the certificate of a nested fit that shows that its sets are nested."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from nestviz.nesting_check import ROUNDING, nesting_defect


def keep_nesting_defect(estimator: Any, what: str) -> None:
    """Compute ``nesting_defect_`` from the family alone; more than rounding is no convergence."""
    family = estimator.family_
    estimator.nesting_defect_ = nesting_defect(
        family.levels, np.asarray(family.coefficients), family.offsets, family.orientation,
        tail=family.tail, domain=family.domain,
    )  # fmt: skip
    if estimator.nesting_defect_ > ROUNDING:
        estimator.converged_ = False
        warnings.warn(
            f"{what} did not reach nested sets: from one level to the next its coefficients break "
            f"the order that nesting needs by {estimator.nesting_defect_:.1e} of the largest.",
            ConvergenceWarning,
            stacklevel=4,
        )
