"""Keys of exported figures with frames."""

import json
import re
from html import unescape

import plotly.graph_objects as go

from nestviz.figures.animation import with_frames
from nestviz.figures.export import figure_page, figure_parts

FRAMES = [[{"y": [k, 1]}] for k in range(150)]


def test_a_page_with_frames_has_keys_for_all_of_them():
    moving = with_frames(go.Figure(go.Scatter(x=[0, 1], y=[0, 1])), FRAMES, [0])
    page = figure_page(moving, "Moving")
    (names,) = re.findall(r'data-frames="([^"]*)"', page)
    assert json.loads(unescape(names)) == [str(k) for k in range(150)]
    assert "ArrowRight" in page
    assert "Space plays and stops" in page


def test_a_page_without_frames_has_none():
    page = figure_page(go.Figure(go.Scatter(x=[0, 1], y=[0, 1])), "Still")
    assert "data-frames" not in page
    assert "ArrowRight: ()" not in page


def test_printed_figures_are_at_rest_and_share_one_library():
    moving = with_frames(go.Figure(go.Scatter(x=[0, 1], y=[0, 1])), FRAMES, [0])
    first, second = figure_parts([(moving, 300), (moving, 200)])
    assert len(first) > 1_000_000 > 20_000 > len(second)
    assert "Play" not in second
    assert "addFrames" not in second
    assert len(moving.frames) == len(FRAMES)
