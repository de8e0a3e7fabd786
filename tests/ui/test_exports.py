"""Pictures and movies of a sweep, without a browser."""

import base64
import io
import re
import threading
from dataclasses import replace
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image
from scene_samples import FAR, IN_HOLE, ON_RING, STOPS, make_panel, make_points, make_scene

from nestviz.estimators import OneClassPath
from nestviz.palette import DARK, LIGHT, THEMES
from nestviz.ui.export import movie, picture, player_page
from nestviz.ui.pages.theory.examples import kernel_sets
from nestviz.ui.scene.drawn import draw_still
from nestviz.ui.scene.message import encode_scene, read_header
from nestviz.ui.scene.scene import Knob

SVG = "{http://www.w3.org/2000/svg}"


def drawn_by(scene, theme=LIGHT, panel=picture.PANEL):
    """The figure of a scene at its first level."""
    content, frame = draw_still(scene)
    drawn = picture.ScenePicture(content, theme, panel)
    drawn.show(frame)
    return drawn


def pixels(content):
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB")).astype(int)


def rgb(colour):
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)])


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_png_shows_set_hole_and_hatch_where_they_are(theme):
    content = make_scene(panels=1, classes=1)
    image = pixels(picture.png(content, theme))
    drawn = drawn_by(content, theme)
    height = image.shape[0]

    def place(x, y):
        across, up = 2 * drawn.panels[0].axes.transData.transform((x, y))
        return round(height - up), round(across)

    def colour(x, y):
        return image[place(x, y)]

    paper = rgb(theme.background)
    inside = paper * (1 - theme.fill_opacity) + rgb(theme.accent) * theme.fill_opacity
    assert np.abs(colour(*ON_RING) - inside).max() <= 3
    # The middle of the hole and a location far out are background.
    assert np.abs(colour(*IN_HOLE) - paper).max() <= 3
    assert np.abs(colour(*FAR) - paper).max() <= 3
    (top, left), (bottom, right) = place(1.4, 1.6), place(1.6, 1.4)
    box = image[top:bottom, left:right]
    share = (np.abs(box - rgb(theme.alarm)).max(axis=2) < 60).mean()
    assert 0.1 < share < 0.7


def test_a_hole_stays_a_hole_in_every_frame():
    content = make_scene(panels=[make_panel(n=1, kinds=1)], class_names=["points"])
    drawn = drawn_by(content, panel=(300, 260))
    for frame in picture.frames(content, (300, 260)):
        x, up = drawn.panels[0].axes.transData.transform(IN_HOLE)
        assert min(frame.getpixel((round(x), round(frame.height - up)))) >= 250
        x, up = drawn.panels[0].axes.transData.transform(ON_RING)
        assert min(frame.getpixel((round(x), round(frame.height - up)))) < 245


def test_pictures_follow_the_frame_the_switches_and_the_theme():
    base = make_scene()
    assert picture.png(base) != picture.png(replace(base, start=0))
    text = picture.svg(base)
    assert text != picture.svg(replace(base, start=0))
    assert text != picture.svg(replace(base, shown=("outline",)))
    assert text != picture.svg(base, DARK)
    assert "<pattern" in text
    assert "<pattern" not in picture.svg(replace(base, shown=("outline", "fill")))
    ghosts = ElementTree.fromstring(
        picture.svg(replace(base, ghosts=3, shown=("levels",), class_names=["a", "b"]))
    )
    thin = [path for path in ghosts.iter(f"{SVG}path") if "stroke-opacity: 0.3" in style(path)]
    # The strength grows towards the largest set: that of the smallest, in both panels.
    assert len(thin) == 2


def style(element):
    return element.get("style") or ""


def test_neutral_classes_look_like_one_class():
    two = make_scene(panels=1)
    panel = replace(two.panels[0], classes=np.zeros_like(two.panels[0].classes))
    one = replace(two, panels=[panel], class_names=["points"])
    assert len(set(two.panels[0].classes.tolist())) == 2
    assert picture.svg(replace(two, neutral=True)) == picture.svg(one) != picture.svg(two)


def test_the_same_picture_is_the_same_file_in_any_thread_and_under_any_settings():
    """Neither the time, nor the user's settings, nor another thread's picture show."""
    expected = picture.png(make_scene()), picture.svg(make_scene())
    found = []
    with mpl.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.grid": True}):
        threads = [
            threading.Thread(
                target=lambda: found.append((picture.png(make_scene()), picture.svg(make_scene())))
            )
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [expected] * 2


def test_the_svg_is_sound_and_says_everything():
    base = make_scene(classes=3)
    scale = replace(base.scale, numbers=np.full(STOPS, 0.067051), form="3g")
    captions = [f"frame {k} & more" for k in range(STOPS)]
    root = ElementTree.fromstring(picture.svg(replace(base, scale=scale, captions=captions)))
    words = [element.text for element in root.iter(f"{SVG}text")]
    for wanted in ("Panel 0", "Panel 1", "inside", "left behind", "class 2 <&>"):
        assert wanted in words
    assert "level λ = 0.0671" in words
    assert "frame 4 & more" in words
    assert root[0].text == 'Sets "growing" <here>'
    assert (root.get("role"), root.get("width"), root.get("height")) == ("img", "1120", "524")


def test_names_are_shown_as_they_are_and_fit():
    odd = replace(make_scene(panels=1), class_names=["$x^2$", "_b"], axis_names=("y" * 300, "_$"))
    words = [e.text for e in ElementTree.fromstring(picture.svg(odd)).iter(f"{SVG}text")]
    assert {"$x^2$", "_b", "_$"} <= set(words)
    assert any(word.endswith("…") and word.startswith("yyy") for word in words)


@pytest.mark.parametrize(
    ("panels", "columns", "rows"), [(1, 1, 1), (3, 3, 1), (4, 2, 2), (5, 3, 2)]
)
def test_panels_stand_in_rows(panels, columns, rows):
    drawn = drawn_by(make_scene(panels=panels), panel=(200, 220))
    assert drawn.width == columns * 200
    assert len({round(panel.axes.get_position().y0, 6) for panel in drawn.panels}) == rows
    drawn.figure.canvas.draw()
    for panel in drawn.panels:
        box = panel.axes.get_window_extent()
        assert box.width == pytest.approx(box.height)


def test_sizes_change_the_marks():
    X = make_points(40)
    family = OneClassPath(0.3).fit(X).family_
    panel = make_panel(family=family, size_scale=40.0, hollow=np.arange(40) < 5, intervals=None)
    sized = make_scene(panels=[panel], flag_name="ambiguous", shown=("outline", "sizes"))
    assert "ambiguous" in picture.svg(sized)
    shots = picture.frames(sized, (300, 260))
    still = picture.frames(replace(sized, shown=("outline",)), (300, 260))
    # All coefficients are at their bound in the smallest set, and most are zero in the largest.
    dark = [[(np.asarray(shot) < 120).sum() for shot in row] for row in (shots, still)]
    assert dark[0][0] > dark[1][0]
    assert dark[0][0] > dark[0][-1]


def test_a_frame_of_a_movie_is_the_still_picture():
    """Frames redraw only what moves; nothing of an earlier frame may stay."""
    # Letters are drawn differently at twice their size; a few of them do not matter.
    content = make_scene(captions=[f"frame {k}" for k in range(STOPS)])
    shots = picture.frames(content, picture.PANEL)
    for frame in (0, 5, 2):
        still = Image.open(io.BytesIO(picture.png(replace(content, start=float(frame)))))
        half = np.asarray(still.convert("RGB").reduce(2)).astype(int)
        assert np.abs(half - np.asarray(shots[frame])).mean() < 1.5


@pytest.mark.parametrize(("write", "form"), [(movie.gif, "GIF"), (movie.webp, "WEBP")])
def test_movies_have_every_frame(write, form):
    shown = Image.open(io.BytesIO(write(make_scene())))
    assert shown.format == form
    assert shown.n_frames == STOPS
    assert shown.info["loop"] == 0
    first = np.asarray(shown.convert("RGB")).astype(int)
    shown.seek(STOPS - 1)
    last = np.asarray(shown.convert("RGB")).astype(int)
    assert np.abs(first - last).max() > 60


def test_colours_survive_in_a_gif_of_few_colours(monkeypatch):
    monkeypatch.setattr(movie, "SMALL", 0)
    content = make_scene(panels=1, classes=7)
    gif = Image.open(io.BytesIO(movie.gif(content)))
    gif.seek(STOPS - 1)
    found = {colour for _, colour in gif.convert("RGB").getcolors(256)}
    assert {tuple(rgb(colour)) for colour in (*LIGHT.classes, LIGHT.alarm)} <= found


def test_a_long_gif_stays_small():
    content = movie.gif(make_scene(classes=1))
    assert len(content) < 1_500_000 * STOPS / 60


def test_without_ffmpeg_the_page_says_how(monkeypatch):
    monkeypatch.setattr(movie.importlib.util, "find_spec", lambda name: None)
    assert not movie.can_write_mp4()


def test_the_player_page_holds_everything():
    knob = Knob("width", "Width σ", 0.4, 0.05, 2.0)
    scene = make_scene(knobs=[knob], live={"url": "/nestviz/live", "token": "secret"}, start=2.5)
    page = player_page.page(scene, "A <title>")
    assert "<title>A &lt;title&gt;</title>" in page
    assert "export default" not in page
    assert not re.search(r"""(src|href)=["']https?:""", page)
    assert "mountPlayer(player)" in page
    message = base64.b64decode(re.search(r'type="text/plain">([^<]+)<', page)[1])
    # Knobs need a server; the families themselves are in the file, with all their breakpoints.
    header = read_header(message)
    assert (header["knobs"], header["live"], header["start"]) == ([], {}, 2.5)
    settings = header["player"]
    assert message == encode_scene(replace(scene, knobs=(), live={}), settings)
    assert all(panel["family"]["exact"] for panel in header["panels"])


def test_every_name_of_the_legend_is_within_the_picture():
    """A still of one narrow panel has room for few names in a line."""
    figure = drawn_by(kernel_sets("linear ⟨x, x′⟩"), panel=(430, 350)).figure
    (legend,) = figure.legends
    box = legend.get_window_extent()
    assert {text.get_text() for text in legend.get_texts()} >= {"inside", "class +1", "class −1"}
    assert 0 <= box.x0 < box.x1 <= figure.bbox.x1
    assert box.y1 <= min(axes.get_window_extent().y0 for axes in figure.axes) - 20
