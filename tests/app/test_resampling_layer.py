"""The layer with the band of resamples: asked for by a link or a switch, computed in a worker."""

import json
from dataclasses import replace

import pytest
from app_visits import address, components, healthy, scene

from nestviz.ui.compute import resamples
from nestviz.ui.export import picture
from nestviz.ui.results import jobs

ONE, TWO = "pages/explore/one_class.py", "pages/explore/two_classes.py"
SMALL = {"data": "banana", "banana.n": "40"}
LAYER = {"view": "outline.band"}


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch):
    monkeypatch.setattr(resamples, "RESAMPLES", 12)
    monkeypatch.setattr(resamples, "LATTICE", 21)


@pytest.fixture(autouse=True)
def here(monkeypatch):
    """Compute in this process: a worker would not know of fewer resamples."""
    run = jobs.run
    monkeypatch.setattr(jobs, "run", lambda *a, **k: run(*a, **(k | {"long": False})))


def test_without_the_layer_nothing_is_drawn_from_the_data(open_app):
    shown = scene(open_app(ONE, **SMALL))
    assert all(panel.band is None for panel in shown.panels)
    # Also where the bands of the same data are known, from another session.
    open_app(ONE, **SMALL, **LAYER)
    shown = scene(open_app(ONE, **SMALL))
    assert all(panel.band is None for panel in shown.panels)


@pytest.mark.parametrize(("page", "left"), [(ONE, {"left": "union"}), (TWO, {})])
def test_a_link_with_the_layer_brings_bands_of_both_methods(open_app, page, left):
    app = open_app(page, **SMALL, **LAYER, **left)
    shown = scene(app)
    assert [len(panel.band.levels) for panel in shown.panels] == [21, 2]
    for panel in shown.panels:
        assert panel.band.resamples == 12
        level = shown.scale.level(30.0)
        inner, outer = panel.band.at(level)
        assert (inner <= outer + 1e-12).all()
        assert 0 < panel.band.area(level) < 1
    assert address(app)["view"] == ["outline.band"]


def test_the_switch_brings_the_band_and_stills_have_it(open_app):
    app = open_app(ONE, **SMALL)
    report = (found := app._tree.get_widget_states()).widgets.add()
    report.id = components(app, "nestviz_player")[0].proto.id
    report.json_value = json.dumps({"view": ["band", "outline"]})
    shown = scene(healthy(app._run(found)))
    assert all(panel.band is not None for panel in shown.panels)
    shown = replace(shown, shown=("outline", "band"), start=30.0)
    text = picture.svg(shown)
    assert "boundary in 90% of 12 resamples" in text
    bare = picture.svg(replace(shown, shown=("outline",)))
    assert "resamples" not in bare
    assert len(text) > len(bare)


def test_the_code_of_the_page_computes_the_bands(open_app):
    app = open_app(ONE, **SMALL, **LAYER, left="union")
    code = next(one.value for one in app.code if "boundary_bands" in one.value)
    printed = []
    exec(
        compile(code.replace("figure.write_html", "print"), "page.py", "exec"),
        {"print": lambda *said: printed.append(said)},
    )
    shares = [said[2] for said in printed if "band:" in said]
    assert len(shares) == 2
    shown = scene(app)
    level = shown.level
    for share, panel in zip(shares, shown.panels, strict=True):
        assert share == pytest.approx(panel.band.area(level), abs=0.1)


def test_films_have_the_layer(open_app):
    shown = scene(open_app(ONE, **SMALL, **LAYER))
    first = shown.scale.levels[:3]
    short = replace(
        shown, scale=replace(shown.scale, levels=first, numbers=first), start=0.0, notes=(),
        panels=[replace(panel, inside=None) for panel in shown.panels],
    )  # fmt: skip
    with_band, without = (
        picture.frames(replace(short, shown=layers), (300, 240))
        for layers in (("outline", "band"), ("outline",))
    )
    assert len(with_band) == 3
    assert all(a.tobytes() != b.tobytes() for a, b in zip(with_band, without, strict=True))


def test_another_way_of_drawing_is_another_band(open_app):
    first = scene(open_app(ONE, **SMALL, **LAYER))
    second = scene(open_app(ONE, **SMALL, **LAYER, resampling="subsample"))
    areas = [[panel.band.area(0.05) for panel in one.panels] for one in (first, second)]
    assert areas[0] != areas[1]
