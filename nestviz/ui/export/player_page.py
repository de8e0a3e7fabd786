"""A scene as a page: the app's player in one HTML file that needs no network."""

from __future__ import annotations

import base64
from dataclasses import replace

from nestviz import escaping
from nestviz.palette import DARK, LIGHT, Theme
from nestviz.ui.components.assets import bundle, read_assets
from nestviz.ui.player.styles import STYLES
from nestviz.ui.scene.message import encode_scene
from nestviz.ui.scene.scene import USUAL, Scene

HEIGHT = 460
STYLE = """
body {
  margin: 0 auto;
  max-width: 1280px;
  padding: 16px;
  background: var(--st-background-color);
  color: var(--st-text-color);
  font-family: var(--st-font);
}
h1 { margin: 0 0 8px; font-size: 1.3rem; }
footer { margin-top: 12px; font-size: 0.8125rem; opacity: 0.75; }
"""


def page(scene: Scene, title: str) -> str:
    """Return the text of an HTML file that plays a scene.

    Parameters
    ----------
    scene : Scene
        What to play; it opens at ``scene.start``.
    title : str
        Shown above the picture and in the browser's tab.

    Returns
    -------
    str
    """
    # Knobs need a server that solves; all else is in the file.
    alone = replace(scene, knobs=(), live={}, autoplay=False)
    settings = {
        "id": "file",
        "height": HEIGHT,
        "show": [*USUAL, "band"],
        "report": False,
        "probe": scene.probe,
    }
    data = base64.b64encode(encode_scene(alone, settings)).decode()
    style = read_assets(*STYLES)
    heading = escaping.html(title)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{heading}</title>
<style>{style}{_theme(LIGHT, DARK)}{STYLE}</style>
</head>
<body>
<main>
<h1>{heading}</h1>
<div id="player">{read_assets("player/player.html")}</div>
</main>
<footer>Space plays and pauses, the arrow keys step, + and − zoom, F fills the screen.
Point at any location to see when it is inside; click to keep it.</footer>
<script id="sweep" type="text/plain">{data}</script>
<script type="module">
{bundle("player/js/page.js")}</script>
</body>
</html>
"""


def _theme(light: Theme, dark: Theme) -> str:
    """Return the variables that Streamlit would set, light or dark as the system has it."""
    first, second = (
        f"--st-text-color: {theme.text}; --st-background-color: {theme.background}; "
        f"--st-secondary-background-color: {theme.surface}; --st-primary-color: {theme.primary};"
        for theme in (light, dark)
    )
    font = 'system-ui, -apple-system, "Segoe UI", sans-serif'
    return (
        f":root {{ color-scheme: light dark; --st-font: {font}; {first} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {second} }} }}"
    )
