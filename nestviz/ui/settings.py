"""Controls for what a fit depends on; each lives in the URL under its key."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from nestviz.ui import cache
from nestviz.ui.current import Current
from nestviz.ui.methods import Method


def width(current: Current) -> float:
    """The Gaussian width σ, chosen as a share of the median distance between points."""
    data = current.fitted
    share = st.slider(
        "Width σ, as a share of the median distance",
        min_value=0.05,
        max_value=2.0,
        value=0.2,
        step=0.05,
        key="width",
        bind="query-params",
        help="How far each point makes itself felt. Small: many islands. Large: one blob.",
    )
    sigma = share * cache.median_distance(data.fingerprint, data)
    st.caption(" ".join([f"σ = {sigma:.3g}; {data.n:,} points of “{data.name}”.", *current.notes]))
    return sigma


def levels(default: int, label: str) -> int:
    """How many breakpoints the nested methods have."""
    value: int = st.slider(
        label,
        min_value=2,
        max_value=41,
        value=default,
        key="levels",
        bind="query-params",
        help="The nested methods solve this many levels together and interpolate in between.",
    )
    return value


def regularisation() -> float:
    """λ of the two-class methods, on a logarithmic scale."""
    exponent = st.slider(
        "Regularisation, log₁₀ λ",
        min_value=-2.0,
        max_value=2.0,
        value=-1.0,
        step=0.25,
        key="loglam",
        bind="query-params",
        help="Small: follows every point. Large: every point counts the same.",
    )
    st.caption(f"λ = {10**exponent:.3g}")
    return float(np.power(10.0, exponent))


def method(label: str, registry: Mapping[str, Method], default: str, key: str) -> str:
    """One of the registered methods."""
    names = [default, *(name for name in registry if name != default)]
    name: str = st.selectbox(label, names, key=key, bind="query-params")
    st.caption(registry[name].sentence)
    return name
