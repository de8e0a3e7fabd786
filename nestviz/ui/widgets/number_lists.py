"""A list of numbers that is typed, pasted, or moved as handles on an axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from nestviz.escaping import markdown
from nestviz.ui.components.handles import handles
from nestviz.ui.decoding import numbers_of
from nestviz.ui.session.view import arrival, name_in_address, take, view
from nestviz.ui.session.view_rules import Numbers
from nestviz.ui.session.view_state import RULES
from nestviz.ui.widgets.inputs import CONTROLS


@dataclass(frozen=True)
class NumberList:
    """How a list of numbers is shown.

    Attributes
    ----------
    key : str
        Key of the view, whose rule is `Numbers`; its texts are in ``controls.toml``.
    low, high : float
        Ends of the axis, in the unit of the view.
    unit : float
        Factor from the unit of the view to the numbers that are typed and shown. Where it is not 1,
        numbers with a percent sign are in the unit of the view.
    log : bool
        Whether the axis is logarithmic.
    marks : tuple of (float, str)
        Named values on the axis, in the unit of the view.
    """

    key: str
    low: float
    high: float
    unit: float = 1.0
    log: bool = False
    marks: tuple[tuple[float, str], ...] = ()

    @property
    def rule(self) -> Numbers:
        """Return the rule of the key."""
        rule = RULES[self.key]
        assert isinstance(rule, Numbers)
        return rule

    def written(self, values: Sequence[float]) -> str:
        """Return values of the view as they are typed."""
        return ", ".join(format(value * self.unit, ".4g") for value in values)

    def read(self, text: str) -> tuple[float, ...] | str:
        """Return the values of the view that a text means, or what is wrong with it."""
        rule = self.rule
        found = numbers_of(text, rule.most)
        if isinstance(found, str) or not found:
            return found
        if self.unit != 1.0 and "%" not in text:
            found = tuple(number / self.unit for number in found)
        found = tuple(float(format(number, ".4g")) for number in found)
        outside = next((x for x in found if not rule.low <= x <= rule.high), None)
        if outside is not None:
            low, high = (format(end * self.unit, ".3g") for end in (rule.low, rule.high))
            return f"{outside * self.unit:.4g} is outside the range from {low} to {high}."
        if (values := rule.checked(found)) is None:
            return f"At least {rule.least} different numbers are needed."
        return values


def number_list(shown: NumberList, usual: Sequence[float]) -> tuple[float, ...]:
    """Show a list of numbers; return those chosen, or an empty tuple where the usual ones apply.

    Parameters
    ----------
    shown : NumberList
        How it is shown.
    usual : sequence of float
        The numbers without a choice, in the unit of the view.
    """
    name_in_address(shown.key)
    own: tuple[float, ...] = view()[shown.key] or ()
    values = own or tuple(sorted(float(format(value, ".4g")) for value in usual))
    _field(shown, values)
    handles(
        f"handles:{shown.key}",
        values,
        label="On the axis",
        low=shown.low,
        high=shown.high,
        least=shown.rule.least,
        most=shown.rule.most,
        log=shown.log,
        unit=shown.unit,
        marks=shown.marks,
        on_change=partial(_moved, shown),
    )
    if own:
        st.button(
            "Back to the usual ones",
            key=f"usual:{shown.key}",
            icon=":material/undo:",
            on_click=partial(_choose, shown, ()),
        )
    return own


def _field(shown: NumberList, values: tuple[float, ...]) -> None:
    """Show the text field, and what is wrong with what was typed."""
    name, state = f"typed:{shown.key}", st.session_state
    problem = state.get(f"problem:{shown.key}")
    # A text that cannot be read stays as it was typed, until the numbers change by other means.
    if problem is None or problem[1] != (arrival().number, values):
        state.pop(f"problem:{shown.key}", None)
        problem = None
        if shown.read(state.get(name, "")) != values:
            state[name] = shown.written(values)
    st.text_input(key=name, on_change=partial(_typed, shown, values), **CONTROLS[shown.key])
    if problem is not None:
        st.caption(f":material/report: {markdown(problem[0])}")


def _typed(shown: NumberList, values: tuple[float, ...]) -> None:
    found = shown.read(st.session_state[f"typed:{shown.key}"])
    if isinstance(found, str):
        st.session_state[f"problem:{shown.key}"] = found, (arrival().number, values)
    else:
        _choose(shown, found)


def _moved(shown: NumberList, values: tuple[float, ...]) -> None:
    found = shown.rule.checked(values)
    if found is not None:
        _choose(shown, found)


def _choose(shown: NumberList, values: tuple[float, ...]) -> None:
    st.session_state.pop(f"problem:{shown.key}", None)
    take(shown.key, values or None)
