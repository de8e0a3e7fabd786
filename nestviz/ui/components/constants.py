"""The constants that the scripts of the components share with Python, as a JavaScript module.

``python -m nestviz.ui.components.constants`` prints the module. The app makes it afresh whenever
it assembles a script; the copy in ``js/palette.js`` serves type checks, and a test compares both.
"""

from __future__ import annotations

import json
from typing import Any

from nestviz import palette

_COLOURS = (
    "{ background: string, text: string, classes: string[], single: string, "
    "scoreRange: [string, string], fillOpacity: number }"
)
_SPOKES = "Record<string, { size: number, lengths: number[], first: number }>"


def _theme(theme: palette.Theme) -> dict[str, Any]:
    return {
        "background": theme.background,
        "text": theme.text,
        "classes": theme.classes,
        "single": theme.single,
        "scoreRange": theme.score_range,
        "fillOpacity": theme.fill_opacity,
    }


def _constants() -> list[tuple[str, str, Any]]:
    """Return name, type and value of each constant."""
    spokes = {
        shape: {"size": size, "lengths": lengths, "first": first}
        for shape, (size, lengths, first) in palette.SPOKES.items()
        if shape != "circle"  # the browser draws a true one
    }
    themes = {name: _theme(theme) for name, theme in palette.THEMES.items()}
    numbers = [
        (name, "number", getattr(palette, name))
        for name in (
            "HATCH_SPACING", "HATCH_WIDTH", "HATCH_OPACITY", "OUTLINE_WIDTH", "HALO_WIDTH",
            "HALO_OPACITY", "RIM_WIDTH", "MARKER_OPACITY", "QUANTUM", "PLANE_STEPS",
        )
    ]  # fmt: skip
    return [
        ("THEMES", f"Record<'light' | 'dark', {_COLOURS}>", themes),
        ("SHAPES", "string[]", palette.SHAPES),
        ("SPOKES", _SPOKES, spokes),
        ("MARKER_RADII", "[most: number, radius: number][]", palette.MARKER_RADII),
        ("DASHES", "Record<'extrapolated' | 'area' | 'cut' | 'repelling', number[]>",
         palette.DASHES),
        *numbers,
    ]  # fmt: skip


def script() -> str:
    """Return the text of the JavaScript module.

    Returns
    -------
    str
    """
    lines = ["// Made from nestviz/palette.py by nestviz/ui/components/constants.py; do not edit."]
    for name, kind, value in _constants():
        # JSON writes infinity as JavaScript does.
        lines += ["", f"/** @type {{{kind}}} */", f"export const {name} = {json.dumps(value)};"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(script(), end="")
