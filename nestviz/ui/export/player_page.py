"""A sweep as a page of its own: the app's player in one HTML file that needs no network."""

from __future__ import annotations

import base64
import html

from nestviz.ui.components.assets import read_assets
from nestviz.ui.player.data import SweepData
from nestviz.ui.player.player import PARTS, SCRIPTS
from nestviz.ui.player.protocol import encode

HEIGHT = 460
# The theme that Streamlit would hand to the player, light or dark as the reader's system has it.
THEME = """
:root {
  color-scheme: light dark;
  --st-text-color: #1f2933;
  --st-background-color: #ffffff;
  --st-secondary-background-color: #f4f6f8;
  --st-primary-color: #0072b2;
  --st-font: system-ui, -apple-system, "Segoe UI", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --st-text-color: #e6ebf0;
    --st-background-color: #11161c;
    --st-secondary-background-color: #1b232c;
    --st-primary-color: #56b4e9;
  }
}
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
# What Streamlit does for the player: hand over its data, here from the page itself, and listen.
START = """
const text = document.getElementById("sweep").textContent;
const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const player = {
  data,
  parentElement: document.getElementById("player"),
  setStateValue() {},
  setTriggerValue() {},
};
const draw = () => mountPlayer(player);
draw();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
"""


def page(sweep: SweepData, title: str) -> str:
    """The text of an HTML file that plays the sweep.

    Parameters
    ----------
    sweep : SweepData
        What to play; it opens at ``sweep.start``.
    title : str
        Shown above the picture and in the browser's tab.

    Returns
    -------
    str
    """
    settings = {"id": "file", "height": HEIGHT, "show": list(PARTS), "report": False}
    data = base64.b64encode(encode(sweep, settings)).decode()
    script = read_assets(*SCRIPTS).replace("export default function", "function")
    style = read_assets("components/common.css", "player/player.css")
    heading = html.escape(title)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{heading}</title>
<style>{style}{THEME}</style>
</head>
<body>
<main>
<h1>{heading}</h1>
<div id="player">{read_assets("player/player.html")}</div>
</main>
<footer>Space plays and pauses, the arrow keys step, Home and End go to the ends.</footer>
<script id="sweep" type="text/plain">{data}</script>
<script type="module">
{script}{START}</script>
</body>
</html>
"""
