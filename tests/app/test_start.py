"""The five starting points."""

import pytest
from app_visits import healthy, knobs, scene

from nestviz.data import SAMPLES, make_sample
from nestviz.kernels import median_distance
from nestviz.ui.compute.methods import ONE_CLASS
from nestviz.ui.page_frame import page_text
from nestviz.ui.pages.home.start_pictures import DRAWN
from nestviz.ui.pages.home.starting_points import STARTING_POINTS
from nestviz.ui.scene.drawn import draw_scene, draw_still


def test_there_are_five_with_a_picture_and_a_sentence_each(open_app):
    app = open_app()
    labels = [button.label for button in app.button if button.key.startswith("start.")]
    assert labels == [point.title for point in STARTING_POINTS]
    assert len(labels) == 5
    captions = [caption.value for caption in app.caption]
    for point in STARTING_POINTS:
        assert page_text("home", point.name).strip() in captions
        assert point.name in DRAWN


@pytest.mark.parametrize("point", STARTING_POINTS, ids=lambda point: point.name)
def test_a_card_opens_its_page_with_its_example(open_app, point):
    app = open_app()
    app.button(key=f"start.{point.name}").click().run()
    healthy(app)
    assert app.title[0].value != "Sets that nest"
    assert app.selectbox(key="data").value == point.sample
    # Error control searches over widths; on the Bandwidth page the width in use is a mark.
    if point.name == "bandwidth":
        (used,) = [at for at, name in scene(app).knobs[0].marks if name.startswith("in use")]
        assert used == pytest.approx(point.width * median_distance(make_sample(point.sample, 0).X))
    else:
        assert knobs(app).get("width") == (None if point.name == "errors" else point.width)
    for name, value in point.options.items():
        key = f"{point.sample}.{name}"
        found = [w.value for w in (*app.slider, *app.number_input) if w.key == key]
        assert found == [value]


def test_what_was_touched_before_does_not_spoil_the_example(open_app):
    app = open_app(data="ring", width="1.5", seed="7", **{"ring.n": "30"})
    app.button(key="start.violation").click().run()
    healthy(app)
    assert knobs(app)["width"] == 0.4
    assert app.number_input(key="seed").value == 0
    assert app.number_input(key="ring.n").value == SAMPLES["ring"].options[0].default


def test_the_violation_is_in_view(open_app):
    app = open_app()
    app.button(key="start.violation").click().run()
    shown, frame = draw_still(scene(app))
    assert [part.panel.title for part in shown.panels] == [
        ONE_CLASS["one-class SVM"].title,
        ONE_CLASS["nested one-class SVM"].title,
    ]
    assert shown.panels[0].broken[frame]
    assert not any(draw_scene(scene(app)).panels[1].broken)
    assert "8." in shown.caption(frame).split("violated")[0].split("inside, ")[1]


def test_settings_of_the_page_are_set(open_app):
    app = open_app()
    app.button(key="start.errors").click().run()
    assert app.segmented_control(key="aim").value == "Neyman–Pearson"
    assert app.slider(key="alpha").value == 0.1
    assert app.selectbox(key="search").value == "whole grid"
