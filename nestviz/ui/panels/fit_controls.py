"""Controls for the settings of a fit, each a key of the address."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import streamlit as st

from nestviz.escaping import markdown
from nestviz.kernels import AUTO_SHARE
from nestviz.ui.compute.frames import Over
from nestviz.ui.compute.methods import ADAPTIVE, ETA, NU, WITH_ETA, WITH_NU, Kind, Spec, level_grid
from nestviz.ui.data_choice import Current
from nestviz.ui.panels import least_volume
from nestviz.ui.results import fits
from nestviz.ui.scene.scene import Knob
from nestviz.ui.session.view import arrival, put, stop_page, view
from nestviz.ui.session.view_rules import Number, Numbers
from nestviz.ui.session.view_state import RULES
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.number_lists import NumberList, number_list

AT_FIRST = 4
"""Number of methods that are compared at first."""
OF_METHODS: dict[str, tuple[str, str, float, dict[str, Any]]] = {
    "nu": (WITH_NU, "ν", NU, {"form": "2f"}),
    "eta": (WITH_ETA, "η", ETA, {"form": "2f", "log": True}),
}
"""Settings that one method has: the method, the label of the knob, the default, its look."""
WIDTH_RANGE = 0.05, 2.0
"""Ends of the slider of the width, in median distances; a width beyond moves them."""


class Described(Protocol):
    """A method with a title and a description."""

    @property
    def title(self) -> str:
        """Its title."""

    @property
    def sentence(self) -> str:
        """What it does to the sets."""


def width_knob(current: Current, default: float = AUTO_SHARE) -> Knob:
    """Return the knob of the width σ, a share of the median distance."""
    unit = fits.median_distance(current.fitted)
    marks = [(1.0, "median distance")]
    least = least_volume.known(current.fitted)
    if least is not None:
        marks.append((least / unit, "least volume"))
    found = _knob("width", "Width σ", default, log=True, unit=unit, marks=tuple(marks))
    low, high = width_range(found.value)
    return replace(found, low=low, high=high)


def width_range(value: float) -> tuple[float, float]:
    """Return the ends of the slider of the width, in median distances."""
    low, high = WIDTH_RANGE
    return min(low, value), max(high, value)


def regularisation_knob(current: Current, sigma: float) -> Knob:
    """Return the knob of λ of the two-class methods, on a logarithmic scale."""
    largest = fits.largest_regularisation(current.fitted, sigma)
    marks = ((math.log10(largest), "λ_max"),)
    return _knob("loglam", "Regularisation λ", -1.0, power=True, marks=marks)


def of_method(*names: str) -> dict[str, Any]:
    """Show the settings that only some methods have, on a page without a player; return them."""
    return {
        key: inputs.slider(key, default)
        for key, (method, _, default, _) in OF_METHODS.items()
        if method in names
    }


def knobs_of_methods(*names: str) -> list[Knob]:
    """Return the knobs of settings that only some methods have, if these are among the names."""
    return [
        _knob(key, label, default, **look)
        for key, (method, label, default, look) in OF_METHODS.items()
        if method in names
    ]


def _knob(key: str, label: str, default: float, **more: Any) -> Knob:
    rule = RULES[key]
    assert isinstance(rule, Number)
    return Knob(key, label, inputs.setting(key, default), rule.low, rule.high, **more)


def shown_value(setting: Knob) -> float:
    """Return what a knob stands for: the width in units of the data, or λ itself."""
    value = 10.0**setting.value if setting.power else setting.value
    return float(value * setting.unit)


def data_note(current: Current) -> None:
    """Say how many points of which data are shown, and how."""
    data = current.fitted
    what = "points" if current.rows is None else "weighted centres of the rows"
    st.caption(
        " ".join([f"{data.n:,} {what} of “{markdown(data.name)}”.", *map(markdown, current.notes)])
    )


def width(current: Current, default: float = AUTO_SHARE) -> float:
    """Show the width σ on a page without a player; return it in units of the data."""
    shown = width_knob(current, default)
    value = inputs.knob(
        "width",
        default,
        label=shown.label,
        low=shown.low,
        high=shown.high,
        log=True,
        unit=shown.unit,
        marks=shown.marks,
    )
    data_note(current)
    return value * shown.unit


def levels(kind: Kind = "one class", *, unless: str = "") -> int:
    """Show the number of levels of the nested methods.

    ``unless`` is the key of own levels: while there are any, or while the fit inserts levels, their
    number cannot be changed.
    """
    disabled = bool(unless and (view()[unless] or view()["grid"] == ADAPTIVE))
    if kind == "two classes":
        label = "Asymmetries of the nested SVM"
        return inputs.slider("levels", 11, label=label, disabled=disabled)
    return inputs.slider("levels", 11, disabled=disabled)


def own_levels(current: Current, usual: Spec) -> tuple[float, ...]:
    """Show the levels of the nested one-class SVM as a list; return own ones as shares of λ_OC.

    ``usual`` is the fit without own levels.
    """
    top = fits.top_level(current.fitted, usual.sigma)
    levels = _inserted(current, usual) or level_grid(
        usual, current.fitted.X, current.fitted.weights
    )
    if isinstance(levels, int):
        levels = np.linspace(top, 0.0, levels)
    shown = NumberList(
        "shares",
        0.0,
        1.0,
        unit=top,
        marks=((1.0, f"λ_OC = {top:.3g}"),),
    )
    return number_list(shown, np.minimum(np.array(levels[:-1]) / top, 1.0).tolist())


def own_asymmetries(current: Current, usual: Spec) -> tuple[float, ...]:
    """Show the asymmetries of the nested cost-sensitive SVM as a list; return own ones.

    ``usual`` is the fit without own asymmetries.
    """
    shown, inserted = NumberList("gammas", 0.0, 1.0), _inserted(current, usual)
    return number_list(shown, inserted or np.linspace(0.0, 1.0, usual.levels).tolist())


def _inserted(current: Current, usual: Spec) -> list[float]:
    """Say how many levels a fit has inserted, and return them in its order; [] if it does not."""
    if usual.spacing != ADAPTIVE:
        return []
    model = fits.fit(current.fitted, usual).estimator
    count, rounds = len(model.level_rounds_), len(model.round_gaps_) - 1
    st.caption(
        f"{count} levels, inserted in {rounds} rounds: the duality gap is at most "
        f"{100 * model.certificate_.gap:.2g}% at every level."
    )
    found: list[float] = model.certificate_.levels.tolist()
    return found


def spacing(kind: Kind = "one class", *, unless: str) -> str:
    """Show how the levels of the nested methods are spread; own ones, under a key, are as given."""
    chosen = bool(view()[unless])
    if kind == "one class":
        return inputs.segments("grid", ["even", "geometric", ADAPTIVE], disabled=chosen)
    words = (
        "The asymmetries of the nested SVM: evenly spaced from 0 to 1, or inserted by the fit "
        "where they are needed, until the duality gap is at most 0.1% at every asymmetry."
    )
    return inputs.segments("grid", ["even", ADAPTIVE], help=words, disabled=chosen)


def own_widths(current: Current, usual: Sequence[float]) -> tuple[float, ...]:
    """Show widths to search as a list; return own ones in median distances.

    ``usual`` are the widths without a choice, in units of the data.
    """
    unit = fits.median_distance(current.fitted)
    rule = RULES["sigmas"]
    assert isinstance(rule, Numbers)
    shown = NumberList(
        "sigmas",
        rule.low,
        rule.high,
        unit=unit,
        log=True,
        marks=((1.0, "median distance"),),
    )
    return number_list(shown, [sigma / unit for sigma in usual])


def sweep_over() -> Over:
    """Show the unit in which the frames of a one-class sweep are evenly spaced."""
    units: dict[str, Over] = {"λ": "level", "ν": "nu", "mass": "mass"}
    return units[inputs.segments("over", list(units))]


def regularisation() -> float:
    """Show λ of the two-class methods on a page without a player, on a logarithmic scale."""
    exponent = inputs.slider("loglam", -1.0)
    st.caption(f"λ = {10**exponent:.3g}")
    return float(10.0**exponent)


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
