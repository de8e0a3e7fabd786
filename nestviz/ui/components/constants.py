"""The part of `nestviz.palette` that scripts use, as a JavaScript module.

``python -m nestviz.ui.components.constants`` prints it. The app makes it afresh whenever it joins a
script; the copy in ``js/palette.js`` serves the type checker, and a test compares the two.
"""

import json
from dataclasses import asdict

from nestviz import palette

_THEME = (
    "{ background: string, surface: string, text: string, primary: string, classes: string[], "
    "single: string, score_range: [string, string], hill: string[], fill_opacity: number }"
)
_TYPES = {
    "THEMES": f"Record<'light' | 'dark', {_THEME}>",
    "SHAPES": "string[]",
    "SPOKES": "Record<string, [size: number, lengths: number[], first: number]>",
    "MARKER_RADII": "[most: number, radius: number][]",
    "STABILITY_OPACITY": "[pale: number, strong: number]",
    "DASHES": "Record<'extrapolated' | 'area' | 'cut' | 'repelling' | 'truth' | 'band', number[]>",
} | dict.fromkeys(
    ("HATCH_SPACING", "HATCH_WIDTH", "HATCH_OPACITY", "OUTLINE_WIDTH", "HALO_WIDTH",
     "HALO_OPACITY", "BAND_OPACITY", "BAND_EDGE_OPACITY", "RIM_WIDTH", "MARKER_OPACITY",
     "QUANTUM", "PLANE_STEPS"),
    "number",
)  # fmt: skip


def script() -> str:
    """Return the text of the JavaScript module."""
    text = "// Made from nestviz/palette.py by nestviz/ui/components/constants.py; do not edit.\n"
    for name, kind in _TYPES.items():
        # JSON writes infinity as JavaScript does.
        value = json.dumps(getattr(palette, name), default=asdict)
        text += f"\n/** @type {{{kind}}} */\nexport const {name} = {value};\n"
    return text


if __name__ == "__main__":
    print(script(), end="")
