"""Controls for what a fit depends on; each lives in the URL under its key."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from nestviz.kernels import AUTO_SHARE
from nestviz.ui.compute.frames import Over
from nestviz.ui.compute.methods import NU, WITH_NU, Method
from nestviz.ui.data_choice import Current
from nestviz.ui.results import fits
from nestviz.ui.session.view import arrival, put
from nestviz.ui.widgets import inputs


def width(current: Current) -> float:
    """The Gaussian width σ, chosen as a share of the median distance between points."""
    data = current.fitted
    share = inputs.slider(
        "width",
        "Width σ, in median distances",
        AUTO_SHARE,
        step=0.05,
        help="How far each point makes itself felt, in units of the median distance between "
        "points. Small: many islands. Large: one blob.",
    )
    sigma = share * fits.median_distance(data)
    st.caption(" ".join([f"σ = {sigma:.3g}; {data.n:,} points of “{data.name}”.", *current.notes]))
    return sigma


def levels(default: int, label: str) -> int:
    """How many breakpoints the nested methods have."""
    return inputs.slider(
        "levels",
        label,
        default,
        help="The nested methods solve this many levels together and interpolate in between.",
    )


def spacing() -> str:
    """How the levels of the nested one-class SVM are spread."""
    return inputs.segments(
        "grid",
        "Level grid",
        ["even", "geometric"],
        "even",
        help="Where the nested SVM puts its levels: evenly from the top to zero, or each one the "
        "same part of the one before, which follows low levels more closely. The last one is a "
        "millionth of the highest either way.",
    )


def sweep_over() -> Over:
    """The unit in which the frames of a one-class sweep are evenly spaced."""
    units: dict[str, Over] = {"λ": "level", "ν": "nu", "mass": "mass"}
    unit = inputs.segments(
        "over",
        "Sweep over",
        list(units),
        "λ",
        help="What the player's slider moves evenly through. λ: the level of the kernel sum. ν: "
        "the sum of the plain one-class SVM's coefficients, an upper bound on the share of points "
        "outside its set. Mass: the share of the training points inside, by the first nested "
        "method.",
    )
    return units[unit]


def regularisation() -> float:
    """λ of the two-class methods, on a logarithmic scale."""
    exponent = inputs.slider(
        "loglam",
        "Regularisation, log₁₀ λ",
        -1.0,
        step=0.25,
        help="Small: follows every point. Large: every point counts the same.",
    )
    st.caption(f"λ = {10**exponent:.3g}")
    return float(np.power(10.0, exponent))


def nu(*names: str) -> float:
    """ν of the ν one-class SVM; the slider is there only where that method is among the names."""
    if WITH_NU not in names:
        return NU
    return inputs.slider(
        "nu",
        "ν of the ν one-class SVM",
        NU,
        step=0.01,
        help="Where that method is solved before its offset moves. No more than a share ν of the "
        "points is outside at its own offset, and no less has a coefficient: small ν makes few "
        "points carry the sets, ν = 1 makes all of them do, which is Parzen windows.",
    )


def method(
    label: str, registry: Mapping[str, Method], default: str, key: str, *, page: str = ""
) -> str:
    """One of the registered methods.

    Pages that share a key keep a choice of their own each, by the name of the ``page``: where one
    was left has no say in what another one opens with.
    """
    seen, state = f"{key}:page", st.session_state
    if page and state.get(seen, page) != page and arrival().asked[key] is None:
        put({key: state.get(f"{key}:{page}")})
    names = [default, *(name for name in registry if name != default)]
    told = "\n".join(f"- **{row.title}**: {row.sentence}" for row in registry.values())
    name = inputs.select(key, label, names, help=told)
    st.caption(registry[name].sentence)
    if page:
        state[seen], state[f"{key}:{page}"] = page, name
    return name
