"""The steps of the story: what each of them shows."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nestviz.ui.player.story import Chart
from nestviz.ui.scene.scene import Layer

PLAIN, UNION, NESTED = "one-class SVM", "union", "nested one-class SVM"
SETS: tuple[Layer, ...] = ("outline", "fill")
CROSSING: tuple[Layer, ...] = ("outline", "fill", "overlay")
SAMPLE, WIDTH = "ring", 0.4
"""The data of the story, and its width as a share of the median distance: the sets cross widely."""
FREE = "free"
"""The step outside the story."""
Level = Literal["clearest", "worst"]
"""At which level a step begins: where the marked location is inside most clearly, or where most of
the picture is violated."""


@dataclass(frozen=True)
class Step:
    """What a step shows."""

    name: str
    methods: tuple[str, ...] = (PLAIN,)
    level: Level = "worst"
    layers: tuple[Layer, ...] = CROSSING
    pin: bool = True  # Whether the location is marked
    chart: Chart = ""
    autoplay: bool = False
    asks: bool = False  # Whether the visitor predicts
    crosses: bool = True  # Whether its text is about sets that cross


STEPS = (
    Step("ask", level="clearest", layers=SETS, asks=True),
    Step("play", level="clearest", layers=SETS, autoplay=True),
    Step("worst"),
    Step("profile", chart="profile"),
    Step("course", chart="course"),
    Step("rankings", chart="ranks", pin=False),
    Step("unions", (PLAIN, UNION), pin=False),
    Step("constraint", (PLAIN, NESTED), pin=False, crosses=False),
    Step("cost", (NESTED,), layers=(*SETS, "truth"), chart="excess", pin=False, crosses=False),
    Step("next", (PLAIN, NESTED), pin=False, crosses=False),
)
"""All steps, in order."""
TEXTS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("story.toml").read_text("utf-8")
)
"""Title, text and notes of each step."""
ANSWERS = {"stays": "Yes, it stays", "leaves": "No, it leaves"}
