"""The story of the start page: one step at a time, shown by the player."""

from __future__ import annotations

import streamlit as st

from nestviz.data import SAMPLES
from nestviz.ui.pages.home.facts import NO_CROSSING, Facts
from nestviz.ui.pages.home.steps import ANSWERS, FREE, SAMPLE, STEPS, TEXTS, WIDTH, Step
from nestviz.ui.panels import sweep
from nestviz.ui.player.story import Choice, StoryStep
from nestviz.ui.scene.scene import Knob, Part
from nestviz.ui.session.view import put, view

ANSWER = "story:answer"
"""Where the session keeps the prediction."""
LAST = "story:last"
"""Where the session keeps the step at which the story was left."""
PARTS: tuple[Part, ...] = (
    "legend", "readout", "tools", "outline", "fill", "overlay", "levels", "hill", "truth",
)  # fmt: skip
HEIGHT = 380
DETOUR = "These are not the settings of the story: its numbers follow yours."
BY_NAME = {step.name: step for step in STEPS}


def current_step() -> Step | None:
    """Return the step of the view; None outside the story."""
    name = view().step or STEPS[0].name
    return BY_NAME.get(name)


def is_guided() -> bool:
    """Return whether data and width are those of the story."""
    return all(view()[key] in (None, value) for key, value in _guided().items())


def show(step: Step, facts: Facts, width: Knob) -> None:
    """Show the player at a step of the story."""
    at, place = opening(step, facts)
    cue = sweep.Cue(
        story=story_step(step, facts),
        share=at / facts.frames.top,
        layers=step.layers,
        probe=place,
        autoplay=step.autoplay,
        turn=turn,
    )
    specs = [facts.spec(method) for method in step.methods]
    sweep.show(
        facts.current, specs, key="story", knobs=[width], height=HEIGHT, parts=PARTS, cue=cue
    )


def opening(step: Step, facts: Facts) -> tuple[float, tuple[float, float] | None]:
    """Return the level at which a step begins, and the location that it marks."""
    found = facts.crossing()
    if found is None:
        return 0.5 * facts.frames.top, None
    level = found.clearest if step.level == "clearest" else found.level
    return level, found.place if step.pin else None


def story_step(step: Step, facts: Facts) -> StoryStep:
    """Return what a step tells about the data in use."""
    texts = TEXTS[step.name]
    answer: str | None = st.session_state.get(ANSWER)
    words = facts.words(step.name, answer)
    guided, crosses = is_guided(), facts.crossing() is not None
    text = (
        [part.strip().format(**words) for part in _paragraphs(texts, guided)]
        if (crosses or not step.crosses)
        else list(NO_CROSSING)
    )
    return StoryStep(
        name=step.name,
        title=texts["title"],
        text=text,
        notes=texts["notes"].strip().format(**words),
        steps=[(each.name, TEXTS[each.name]["title"]) for each in STEPS],
        choices=_choices(answer) if step.asks and crosses else (),
        detour="" if guided else DETOUR,
        chart=step.chart,
        centre=facts.centre,
        excess=facts.cost().excess.tolist() if step.chart == "excess" else (),
    )


def turn(act: str, name: str) -> None:
    """Follow what the visitor chooses; for callbacks."""
    if act == "step" and name in BY_NAME:
        put({"step": None if name == STEPS[0].name else name})
    elif act == "answer" and name in ANSWERS:
        st.session_state[ANSWER] = name
    elif act == "leave":
        st.session_state[LAST] = view().step
        put({"step": FREE})
    elif act == "return":
        put(dict.fromkeys(_guided()))


def resume() -> None:
    """Return to the step at which the story was left; for callbacks."""
    put({"step": st.session_state.get(LAST)})


def _guided() -> dict[str, float | str]:
    """Return the settings of the story."""
    options = {f"{SAMPLE}.{option.name}": option.default for option in SAMPLES[SAMPLE].options}
    return {"data": SAMPLE, "seed": 0, "width": WIDTH, **options}


def _choices(answer: str | None) -> list[Choice]:
    return [Choice(name, label, name == answer) for name, label in ANSWERS.items()]


def _paragraphs(texts: dict[str, str], guided: bool) -> list[str]:
    extra = [texts["guided"]] if guided and "guided" in texts else []
    return [*texts["text"].strip().split("\n\n"), *extra]
