"""Controls for the settings of a fit, each a key of the address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import streamlit as st

from nestviz.kernels import AUTO_SHARE
from nestviz.ui.compute.frames import Over
from nestviz.ui.compute.methods import NU, WITH_NU, Kind
from nestviz.ui.data_choice import Current
from nestviz.ui.results import fits
from nestviz.ui.session.view import arrival, put, stop_page
from nestviz.ui.widgets import inputs

AT_FIRST = 4
"""Number of methods that are compared at first."""


class Described(Protocol):
    """A method with a title and a description."""

    @property
    def title(self) -> str:
        """Its title."""

    @property
    def sentence(self) -> str:
        """What it does to the sets."""


def width(current: Current) -> float:
    """Show the width σ, as a share of the median distance; return it in units of the data."""
    data = current.fitted
    sigma = inputs.slider("width", AUTO_SHARE) * fits.median_distance(data)
    st.caption(" ".join([f"σ = {sigma:.3g}; {data.n:,} points of “{data.name}”.", *current.notes]))
    return sigma


def levels(kind: Kind = "one class") -> int:
    """Show the number of levels of the nested methods."""
    if kind == "two classes":
        return inputs.slider("levels", 5, label="Asymmetries of the nested SVM")
    return inputs.slider("levels", 11)


def sweep_over() -> Over:
    """Show the unit in which the frames of a one-class sweep are evenly spaced."""
    units: dict[str, Over] = {"λ": "level", "ν": "nu", "mass": "mass"}
    return units[inputs.segments("over", list(units))]


def regularisation() -> float:
    """Show λ of the two-class methods, on a logarithmic scale."""
    exponent = inputs.slider("loglam", -1.0)
    st.caption(f"λ = {10**exponent:.3g}")
    return float(np.power(10.0, exponent))


def nu(*names: str) -> float:
    """Show ν of the ν one-class SVM, if that method is among the names."""
    return inputs.slider("nu", NU) if WITH_NU in names else NU


def method(
    key: str, registry: Mapping[str, Described], default: str, *, page: str = "", **texts: Any
) -> str:
    """Show a list of methods.

    Pages that share a key each keep their own choice, under the name of the ``page``.
    """
    seen, state = f"{key}:page", st.session_state
    if page and state.get(seen, page) != page and arrival().asked[key] is None:
        put({key: state.get(f"{key}:{page}")})
    names = [default, *(name for name in registry if name != default)]
    words = "\n".join(f"- **{row.title}**: {row.sentence}" for row in registry.values())
    name = inputs.select(key, names, help=words, **texts)
    st.caption(registry[name].sentence)
    if page:
        state[seen], state[f"{key}:{page}"] = page, name
    return name


def methods(key: str, registry: Mapping[str, Described], most: int | None = None) -> list[str]:
    """Show a list of methods to compare; return them in the order chosen.

    Stops the page where none is chosen.
    """
    names = list(registry)
    limit = f", up to {most}" if most else ""
    words = " ".join(f"**{row.title}**: {row.sentence}" for row in registry.values())
    chosen = inputs.several(
        key,
        names,
        names[:AT_FIRST],
        max_selections=most,
        help=f"One picture for each{limit}. {words}",
    )
    if not chosen:
        stop_page("Choose at least one method above.")
    return chosen
