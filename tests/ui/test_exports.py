"""Pictures and movies of a sweep, without a browser."""

import io
import re
import threading
from dataclasses import replace
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from nestviz.palette import DARK, LIGHT, THEMES
from nestviz.ui.export import movie, picture, player_page
from nestviz.ui.player.data import Panel, SweepData

FRAMES = 6
SVG = "{http://www.w3.org/2000/svg}"


def ring(radius, centre=(0.0, 0.0)):
    angle = np.linspace(0, 2 * np.pi, 80)
    return np.array(centre) + radius * np.column_stack([np.cos(angle), np.sin(angle)])


def sweep(panels=2, classes=2, **changes):
    rng = np.random.default_rng(0)
    points = rng.uniform(-1.8, 1.8, (40, 2))
    sets = tuple((ring(0.3 + 0.2 * k), ring(0.1)) for k in range(FRAMES))
    broken = tuple((ring(0.2, (1.2, 1.2)),) if k > 2 else () for k in range(FRAMES))
    names = [f"class {k} <&>" for k in range(classes)]
    given = {
        "panels": [
            Panel(f"Panel {k}", points, np.arange(40) % classes, sets, overlay=broken)
            for k in range(panels)
        ],
        "levels": np.linspace(1, 0.1, FRAMES).tolist(),
        "labels": [f"{k}/6" for k in range(FRAMES)],
        "captions": [f"frame {k} & more" for k in range(FRAMES)],
        "level_name": "level λ",
        "view": (-2.0, 2.0, -2.0, 2.0),
        "alt": 'Sets "growing" <here>',
        "class_names": names,
        "set_name": "inside",
        "overlay_name": "left behind",
        "start": 4,
    }
    return SweepData(**(given | changes))


def pixels(content):
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB")).astype(int)


def rgb(colour):
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)])


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_png_shows_set_hole_and_hatch_where_they_are(theme):
    content = sweep(panels=1, classes=1)
    image = pixels(picture.png(content, theme))
    drawn = picture.SweepPicture(content, theme, picture.PANEL)
    height = image.shape[0]

    def place(x, y):
        across, up = 2 * drawn.panels[0].axes.transData.transform((x, y))
        return round(height - up), round(across)

    def colour(x, y):
        return image[place(x, y)]

    paper = rgb(theme.background)
    inside = paper * (1 - theme.fill_opacity) + rgb(theme.accent) * theme.fill_opacity
    assert np.abs(colour(0.52, 0.37) - inside).max() <= 3
    # The middle of the hole and a location far out are background.
    assert np.abs(colour(0.02, 0.03) - paper).max() <= 3
    assert np.abs(colour(-1.9, -1.9) - paper).max() <= 3
    (top, left), (bottom, right) = place(1.1, 1.3), place(1.3, 1.1)
    box = image[top:bottom, left:right]
    share = (np.abs(box - rgb(theme.alarm)).max(axis=2) < 60).mean()
    assert 0.1 < share < 0.7


def test_a_hole_stays_a_hole_however_its_ring_runs():
    for turn in (1, -1):
        sets = tuple((ring(1.0), ring(0.5)[::turn]) for _ in range(FRAMES))
        base = sweep(panels=1)
        panel = Panel("", np.full((1, 2), 1.9), np.zeros(1, dtype=int), sets)
        frame = picture.frames(replace(base, panels=[panel], start=0), (300, 260))[0]
        drawn = picture.SweepPicture(base, LIGHT, (300, 260))
        x, up = drawn.panels[0].axes.transData.transform((0.05, 0.05))
        assert min(frame.getpixel((round(x), round(frame.height - up)))) >= 250


def test_pictures_follow_the_frame_the_switches_and_the_theme():
    base = sweep()
    assert picture.png(base) != picture.png(replace(base, start=0))
    text = picture.svg(base)
    assert text != picture.svg(replace(base, start=0))
    assert text != picture.svg(replace(base, shown=("outline",)))
    assert text != picture.svg(base, DARK)
    assert "<pattern" in text
    assert "<pattern" not in picture.svg(replace(base, shown=("outline", "fill")))
    ghosts = ElementTree.fromstring(
        picture.svg(replace(base, ghost_every=2, shown=("levels",), class_names=["a", "b"]))
    )
    thin = [path for path in ghosts.iter(f"{SVG}path") if "stroke-opacity: 0.3" in style(path)]
    assert len(thin) == 2


def style(element):
    return element.get("style") or ""


def test_the_same_picture_is_the_same_file_in_any_thread_and_under_any_settings():
    """Neither the time, nor the user's settings, nor another thread's picture show."""
    expected = picture.png(sweep()), picture.svg(sweep())
    found = []
    with mpl.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.grid": True}):
        threads = [
            threading.Thread(
                target=lambda: found.append((picture.png(sweep()), picture.svg(sweep())))
            )
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [expected] * 2


def test_the_svg_is_sound_and_says_everything():
    root = ElementTree.fromstring(
        picture.svg(replace(sweep(classes=3), labels=["0.067051"] * FRAMES))
    )
    words = [element.text for element in root.iter(f"{SVG}text")]
    for wanted in ("Panel 0", "Panel 1", "inside", "left behind", "class 2 <&>"):
        assert wanted in words
    # Lengths are rounded, words are not.
    assert "level λ = 0.067051" in words
    assert "frame 4 & more" in words
    assert root[0].text == 'Sets "growing" <here>'
    assert (root.get("role"), root.get("width"), root.get("height")) == ("img", "1120", "524")


def test_names_are_shown_as_they_are_and_fit():
    odd = replace(sweep(panels=1), class_names=["$x^2$", "_b"], axis_names=("y" * 300, "_$"))
    words = [e.text for e in ElementTree.fromstring(picture.svg(odd)).iter(f"{SVG}text")]
    assert {"$x^2$", "_b", "_$"} <= set(words)
    assert any(word.endswith("…") and word.startswith("yyy") for word in words)


@pytest.mark.parametrize(
    ("panels", "columns", "rows"), [(1, 1, 1), (3, 3, 1), (4, 2, 2), (5, 3, 2)]
)
def test_panels_stand_in_rows(panels, columns, rows):
    content = replace(sweep(panels=panels), keep_aspect=True)
    drawn = picture.SweepPicture(content, LIGHT, (200, 220))
    assert drawn.width == columns * 200
    assert len({round(panel.axes.get_position().y0, 6) for panel in drawn.panels}) == rows
    drawn.figure.canvas.draw()
    for panel in drawn.panels:
        box = panel.axes.get_window_extent()
        assert box.width == pytest.approx(box.height)


def test_sizes_change_the_marks():
    base = sweep(panels=1)
    sizes = np.tile(np.linspace(0, 1, FRAMES)[:, None], (1, 40))
    panel = replace(base.panels[0], marker_sizes=sizes, flags=np.arange(40) < 5)
    sized = replace(base, panels=[panel], flag_name="ambiguous")
    assert "ambiguous" in picture.svg(sized)
    shots = picture.frames(sized, (300, 260))
    still = picture.frames(replace(sized, shown=("outline",)), (300, 260))
    assert (np.asarray(shots[-1]) < 120).sum() > (np.asarray(still[-1]) < 120).sum()


def test_a_frame_of_a_movie_is_the_still_picture():
    """Frames redraw only what moves; nothing of an earlier frame may stay."""
    content = sweep()
    shots = picture.frames(content, picture.PANEL)
    for frame in (0, 5, 2):
        still = Image.open(io.BytesIO(picture.png(replace(content, start=frame))))
        half = np.asarray(still.convert("RGB").reduce(2)).astype(int)
        assert np.abs(half - np.asarray(shots[frame])).mean() < 1.5


@pytest.mark.parametrize(("write", "form"), [(movie.gif, "GIF"), (movie.webp, "WEBP")])
def test_movies_have_every_frame(write, form):
    shown = Image.open(io.BytesIO(write(sweep())))
    assert shown.format == form
    assert shown.n_frames == FRAMES
    assert shown.info["loop"] == 0
    first = np.asarray(shown.convert("RGB")).astype(int)
    shown.seek(FRAMES - 1)
    last = np.asarray(shown.convert("RGB")).astype(int)
    assert np.abs(first - last).max() > 60


def test_colours_survive_in_a_gif_of_few_colours(monkeypatch):
    monkeypatch.setattr(movie, "SMALL", 0)
    content = sweep(panels=1, classes=7)
    gif = Image.open(io.BytesIO(movie.gif(content)))
    gif.seek(FRAMES - 1)
    found = {colour for _, colour in gif.convert("RGB").getcolors(256)}
    assert {tuple(rgb(colour)) for colour in (*LIGHT.classes, LIGHT.alarm)} <= found


def test_a_long_gif_stays_small():
    content = movie.gif(sweep(classes=1))
    assert len(content) < 1_500_000 * FRAMES / 60


def test_without_ffmpeg_the_page_says_how(monkeypatch):
    monkeypatch.setattr(movie.importlib.util, "find_spec", lambda name: None)
    assert not movie.can_write_mp4()


def test_the_player_page_holds_everything():
    page = player_page.page(sweep(), "A <title>")
    assert "<title>A &lt;title&gt;</title>" in page
    assert "export default" not in page
    assert not re.search(r"""(src|href)=["']https?:""", page)
    assert "mountPlayer(player)" in page
