"""A guided story that the player tells beside its picture, one step at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

Chart = Literal["", "profile", "course", "ranks", "excess"]
"""What is drawn beside the picture: the sum of kernels along a line through the pin and the centre,
that sum at the pin over the level, the ranks of all points by their first and their last set, or
numbers of the page over the level."""


@dataclass(frozen=True)
class Choice:
    """An answer that a button gives."""

    name: str
    label: str
    chosen: bool = False


@dataclass(frozen=True)
class StoryStep:
    """One step: its words, and what is drawn beside the picture.

    Parameters
    ----------
    name : str
        Its name in links.
    title : str
        Its heading.
    text : sequence of str
        Its paragraphs, as plain text.
    notes : str
        What the speaker may want to know; hidden at first.
    steps : sequence of (str, str)
        Names and titles of all steps, in order.
    choices : sequence of Choice
        Answers to the question of the step, if it has one.
    detour : str
        Said where the visitor has left the settings of the story; empty where not.
    chart : Chart
        What is drawn beside the picture.
    centre : tuple of float, optional
        The middle of the data in the plane, for the line of the profile.
    excess : sequence of float
        The numbers of the chart ``"excess"`` at the stops of the level, as shares.
    """

    name: str
    title: str
    text: Sequence[str]
    notes: str
    steps: Sequence[tuple[str, str]]
    choices: Sequence[Choice] = ()
    detour: str = ""
    chart: Chart = ""
    centre: tuple[float, float] | None = None
    excess: Sequence[float] = ()

    def message(self) -> dict[str, Any]:
        """Return the step as the browser gets it."""
        return asdict(self)
