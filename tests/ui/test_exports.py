"""Pictures and films of a sweep, without a browser."""

import io
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from nestviz.palette import SHAPES
from nestviz.ui.export import movie, player_page, raster, svg
from nestviz.ui.export.pens import marker, nice_ticks
from nestviz.ui.player.data import Panel, SweepData

FRAMES = 6


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


def test_the_png_shows_set_hole_and_hatch_where_they_are():
    image = pixels(raster.png(sweep(panels=1, classes=1)))
    plot = raster.picture.layout(sweep(panels=1, classes=1)).plots[0]

    def colour(x, y):
        return image[round(float(plot.down(y)) * 2), round(float(plot.across(x)) * 2)]

    inside = np.array([255, 255, 255]) * 0.82 + np.array([0, 0x72, 0xB2]) * 0.18
    assert np.abs(colour(0.52, 0.37) - inside).max() <= 3
    # The middle of the hole and a place far out are paper.
    assert colour(0.02, 0.03).min() >= 250
    assert colour(-1.9, -1.9).min() >= 250
    box = image[
        round(float(plot.down(1.3)) * 2) : round(float(plot.down(1.1)) * 2),
        round(float(plot.across(1.1)) * 2) : round(float(plot.across(1.3)) * 2),
    ]
    pink = (np.abs(box - [0xB4, 0x52, 0x8A]).max(axis=2) < 60).mean()
    assert 0.1 < pink < 0.7


def test_pictures_follow_the_frame_and_the_switches():
    base = sweep()
    assert raster.png(base) == raster.png(sweep())
    assert raster.png(base) != raster.png(replace(base, start=0))
    assert raster.png(base) != raster.png(replace(base, shown=("outline",)))
    assert "hatch1" in svg.picture(base)
    assert "hatch1" not in svg.picture(replace(base, shown=("outline", "fill")))
    ghosts = svg.picture(replace(base, ghost_every=2, shown=("levels",)))
    assert ghosts.count('stroke-width="1.0"') == 2 * 3


def test_the_svg_is_sound_and_says_everything():
    root = ElementTree.fromstring(svg.picture(sweep(classes=3)))
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    for wanted in ("Panel 0", "Panel 1", "inside", "left behind", "class 2 <&>"):
        assert wanted in words
    assert "level λ = 4/6" in words
    assert "frame 4 & more" in words
    assert root[0].text == 'Sets "growing" <here>'


@pytest.mark.parametrize(
    ("panels", "columns", "rows"), [(1, 1, 1), (3, 3, 1), (4, 2, 2), (5, 3, 2)]
)
def test_panels_stand_in_rows(panels, columns, rows):
    place = raster.picture.layout(sweep(panels=panels), 100, 200)
    assert place.width == columns * 100
    assert len({plot.y for plot in place.plots}) == rows


def test_sizes_change_the_marks():
    base = sweep(panels=1)
    sizes = np.tile(np.linspace(0, 1, FRAMES)[:, None], (1, 40))
    panel = replace(base.panels[0], marker_sizes=sizes, flags=np.arange(40) < 5)
    sized = replace(base, panels=[panel], flag_name="ambiguous")
    assert "ambiguous" in svg.picture(sized)
    shots = list(raster.frames(sized, 300, 260))
    still = list(raster.frames(replace(sized, shown=("outline",)), 300, 260))
    assert (np.asarray(shots[-1]) < 120).sum() > (np.asarray(still[-1]) < 120).sum()


@pytest.mark.parametrize(("write", "form"), [(movie.gif, "GIF"), (movie.webp, "WEBP")])
def test_films_have_every_frame(write, form):
    film = Image.open(io.BytesIO(write(sweep())))
    assert film.format == form
    assert film.n_frames == FRAMES
    assert film.info["loop"] == 0
    first = np.asarray(film.convert("RGB")).astype(int)
    film.seek(FRAMES - 1)
    last = np.asarray(film.convert("RGB")).astype(int)
    assert np.abs(first - last).max() > 60


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


def test_markers_have_about_the_same_area():
    areas = []
    for shape in SHAPES:
        x, y = marker(shape, (5.0, 7.0), 3.0).T
        areas.append(abs(np.sum(x * np.roll(y, 1) - y * np.roll(x, 1))) / 2)
        assert np.mean([x.mean(), y.mean()]) == pytest.approx(6.0)
    assert max(areas) / min(areas) < 1.6


def test_ticks_are_round_and_inside():
    ticks = nice_ticks(-2.31, 2.97, 6)
    assert [value for value, _ in ticks] == [-2, -1, 0, 1, 2]
    assert [words for _, words in ticks] == ["−2", "−1", "0", "1", "2"]
    assert [words for _, words in nice_ticks(0.0, 2e-5, 4)][1] == "5.0e−06"
