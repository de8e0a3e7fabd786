"""A small player that needs no server."""

from __future__ import annotations

from nestviz.ui.player.player import scene_player
from nestviz.ui.scene.scene import Part, Scene
from nestviz.ui.widgets.shown_pictures import note

PARTS: tuple[Part, ...] = ("legend", "readout")


def play(content: Scene, name: str) -> None:
    """Show a scene; the browser plays it alone."""
    note(content)
    scene_player(content, key=f"theory-{name}", height=340, show=PARTS, report=False)
