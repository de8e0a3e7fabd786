"""The line of numbers under a picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nestviz.ui import cache
from nestviz.ui.current import Current
from nestviz.ui.methods import ONE_CLASS, TWO_CLASS, Fit, Spec
from nestviz.ui.sweep_view import Shown


def one_class(current: Current, specs: Sequence[Spec], shown: Shown) -> None:
    """Numbers of each one-class family at the level at rest."""
    data = current.fitted
    fits = [cache.one_class_fit(data.fingerprint, data, spec) for spec in specs]
    _table([ONE_CLASS[spec.method].title for spec in specs], fits, shown)


def two_class(current: Current, specs: Sequence[Spec], shown: Shown) -> None:
    """Numbers of each two-class family at the asymmetry at rest."""
    data = current.fitted
    fits = [cache.two_class_fit(data.fingerprint, data, spec) for spec in specs]
    _table([TWO_CLASS[spec.method].title for spec in specs], fits, shown)


def _table(titles: Sequence[str], fits: Sequence[Fit], shown: Shown) -> None:
    columns = st.columns(len(titles), gap="medium")
    parts = zip(columns, titles, fits, shown.sweeps, strict=True)
    for column, title, fit, walk in parts:
        with column:
            st.markdown(f"**{title}**")
            _row(fit, walk.broken_share, shown)


def _row(fit: Fit, broken: NDArray[np.float64], shown: Shown) -> None:
    cells = st.columns(3)
    nested = fit.family.is_nested
    cells[0].metric(
        "Left behind",
        "none" if nested else f"{broken.max():.1%}",
        help="The largest share of the picture that was inside a smaller set of this sweep and is "
        "outside the present one. Nested sets leave nothing behind, by construction.",
    )
    cells[1].metric(
        "Support vectors",
        _support(fit, shown.state.level),
        help="Points with a coefficient other than zero at the level where the player rests.",
    )
    cells[2].metric(
        "Breakpoints",
        f"{fit.breakpoints:,}",
        help="Levels between which everything is linear.",
    )
    st.caption(f"Certificate: {fit.certificate}.")


def _support(fit: Fit, level: float) -> str:
    family = getattr(fit.family, "base", fit.family)
    coefficients = family.at(level).coefficients
    return f"{np.count_nonzero(coefficients):,}"
