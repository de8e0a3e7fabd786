"""Every page and control, without a browser."""

import json
from itertools import pairwise

import numpy as np
import pytest
from app_visits import DATA, drawn, healthy, in_use, knobs, look, scene

from nestviz.data import SAMPLES
from nestviz.ui import data_choice
from nestviz.ui.compute.methods import ONE_CLASS, TWO_CLASS, WITH_ETA


def test_home_compares_crossing_and_nested_sets(open_app):
    app = open_app(step="free")
    assert app.title[0].value == "Sets that nest"
    shown = drawn(app)
    levels = shown.scene.scale.levels
    assert len(levels) == 60
    plain, nested = shown.panels
    assert len(plain.panel.points) == len(nested.panel.points) == 200
    assert all(a > b for a, b in pairwise(levels))
    assert any(plain.broken)
    assert not any(nested.broken)
    assert nested.panel.family.is_nested
    assert "violated" in shown.caption(50)


def test_width_changes_the_sets(open_app):
    app = open_app()
    before = drawn(app)
    look(app, width=1.5).run()
    after = drawn(healthy(app))
    assert len(before.panels[0].sets[40]) > len(after.panels[0].sets[40])


ONE_CLASS_PAGE, TWO_CLASS_PAGE = "pages/explore/one_class.py", "pages/explore/two_classes.py"


@pytest.mark.parametrize("name", list(ONE_CLASS))
def test_every_one_class_method_can_be_shown(open_app, name):
    app = open_app(ONE_CLASS_PAGE)
    app.selectbox(key="left").set_value(name).run()
    left = drawn(healthy(app)).panels[0]
    assert left.panel.title == ONE_CLASS[name].title
    nested = name not in ("one-class SVM", WITH_ETA)
    assert nested != any(left.broken)
    assert (app.metric[0].value == "none") == nested


@pytest.mark.parametrize("name", list(TWO_CLASS))
def test_every_two_class_method_can_be_shown(open_app, name):
    app = open_app(TWO_CLASS_PAGE)
    app.selectbox(key="left2").set_value(name).run()
    left, right = drawn(healthy(app)).panels
    assert left.panel.title == TWO_CLASS[name].title
    assert not left.sets[0]
    roc = json.loads(app.get("plotly_chart")[0].proto.spec)
    both = {TWO_CLASS[name].title, right.panel.title}
    assert sum("AUC" in (trace.get("name") or "") for trace in roc["data"]) == len(both)
    assert any("Ranked ambiguously" in caption.value for caption in app.caption)
    look(app, loglam=1.0).run()
    assert len(scene(healthy(app)).panels) == 2


@pytest.mark.parametrize("kind", ["One class", "Two classes"])
def test_the_solution_path_page(open_app, kind):
    app = open_app("pages/explore/solution_path.py")
    app.segmented_control(key="kind_path").set_value(kind).run()
    assert len(scene(healthy(app)).panels) == 2
    before = next(c.value for c in app.caption if "on the margin" in c.value)
    share = "two_class_share" if kind == "Two classes" else "one_class_share"
    look(app, **{share: 0.6}).run()
    assert before != next(c.value for c in healthy(app).caption if "on the margin" in c.value)


def test_two_classes_need_labels_and_say_so(open_app):
    app = open_app(TWO_CLASS_PAGE)
    app.selectbox(key="data").set_value("ring").run()
    assert "have no labels" in healthy(app).info[0].value
    app.button(key="take_banana").click().run()
    assert len(scene(healthy(app)).panels) == 2


def test_every_sample_can_be_chosen_and_drawn(open_app, monkeypatch):
    monkeypatch.setattr(data_choice, "DEFAULT_SUBSAMPLE", 100)
    app = open_app()
    for name in SAMPLES:
        app.selectbox(key="data").set_value(name).run()
        panel = scene(healthy(app)).panels[0]
        assert len(panel.points) >= 10, name
        assert any(drawn(app).panels[0].sets), name


@pytest.mark.parametrize("way", ["pca", "tsne", "slice"])
def test_every_way_to_draw_more_than_two_features(open_app, way):
    app = open_app()
    app.selectbox(key="data").set_value("iris").run()
    app.selectbox(key="show").set_value(way).run()
    assert len(scene(healthy(app)).panels[0].points) == 150
    assert np.isfinite(scene(app).view).all()


def test_sample_options_come_from_the_registry(open_app):
    app = open_app()
    app.selectbox(key="data").set_value("ring").run()
    healthy(app).number_input(key="ring.n").set_value(80).run()
    assert len(scene(healthy(app)).panels[0].points) == 80
    first = scene(app).panels[0].points
    app.number_input(key="seed").set_value(1).run()
    assert not np.array_equal(first, scene(healthy(app)).panels[0].points)


def test_very_many_points_are_subsampled_where_a_page_needs_it_and_said_so(open_app):
    app = open_app()
    app.selectbox(key="data").set_value("bench-ringnorm").run()
    assert any("uses a sample of the rows" in caption.value for caption in app.caption)
    assert len(scene(healthy(app)).panels[0].points) == 1500
    assert any("1,500 of 7,400 points" in caption.value for caption in app.caption)
    app.number_input(key="most").set_value(300).run()
    assert len(scene(healthy(app)).panels[0].points) == 300


def test_the_link_restores_data_and_settings(open_app):
    app = open_app(data="ring", width="0.5", seed="3", **{"ring.n": "60"}, frame="7")
    assert len(scene(app).panels[0].points) == 60
    assert knobs(app)["width"] == 0.5
    assert scene(app).start == 7


def test_a_nonsense_link_opens_the_default(open_app):
    app = open_app(data="no-such", width="wide", frame="−3", step="no-such")
    assert len(scene(app).panels[0].points) == 200
    assert app.info[0].value.startswith("4 values of the link could not be used")


def test_gallery_button_uses_a_sample_everywhere(open_app):
    app = open_app(DATA)
    app.button(key="use.moons").click().run()
    healthy(app)
    assert app.selectbox(key="data").value == "moons"
    assert in_use(app) == "In use: Moons"


@pytest.mark.parametrize("kind", ["Real", "Benchmarks"])
def test_galleries_of_real_data(open_app, kind):
    app = open_app(DATA)
    app.segmented_control(key="kind").set_value(kind).run()
    healthy(app)
    assert len([b for b in app.button if b.label.startswith("Use ")]) >= 4


def upload(app, name, content):
    app.segmented_control(key="from").set_value("File").run()
    app.file_uploader(key="upload").set_value((name, content, "text/csv")).run()
    return healthy(app)


def test_an_uploaded_table_becomes_the_current_data(open_app):
    rows = "\n".join(f"{i / 10};{(i % 7) / 3};{'ab'[i % 2]}".replace(".", ",") for i in range(40))
    app = upload(open_app(DATA), "points.csv", f"breite;höhe;klasse\n{rows}".encode("latin-1"))
    assert app.selectbox(key="data").value == "mine"
    assert app.metric[0].value == "40"
    told = " ".join(block.value for block in app.markdown)
    assert "semicolon" in told
    assert "comma" in told
    assert "In column 'klasse' 'a' counts as +1" in told
    app.switch_page("pages/start/home.py").run()
    assert len(scene(healthy(app)).panels[0].points) == 40


def test_a_guess_can_be_overruled(open_app):
    app = upload(open_app(DATA), "numbers.csv", b"1,5;2,5\n3,25;4,5\n5,0;1,75\n")
    assert app.metric[0].value == "3"
    header = next(box for box in app.selectbox if box.label == "First row holds names")
    header.set_value("yes").run()
    assert healthy(app).metric[0].value == "2"


def test_a_broken_table_gives_its_sentence_and_loses_nothing(open_app):
    app = upload(open_app(DATA), "good.csv", b"a,b\n1,2\n3,4\n5,7\n")
    app.file_uploader(key="upload").set_value(("bad.csv", b"a,b\n1,2\n3,4,5\n6,7\n", "text/csv"))
    app.run()
    assert "row 3" in app.error[0].value
    assert in_use(app) == "In use: good"


def test_roles_change_the_data(open_app):
    app = upload(open_app(DATA), "t.csv", b"a,b,c\n1,2,x\n3,,y\n5,7,x\n2,1,y\n")
    assert app.metric[0].value == "3"
    missing = next(radio for radio in app.radio if radio.label == "Rows with missing values")
    missing.set_value("fill in the column's mean").run()
    assert healthy(app).metric[0].value == "4"
    label = next(box for box in app.selectbox if box.label == "Label")
    label.set_value("(no label)").run()
    assert len(healthy(app).metric) == 2


def test_pasted_text_is_read(open_app):
    app = open_app(DATA)
    app.segmented_control(key="from").set_value("Paste").run()
    app.text_area(key="pasted").set_value("1 2\n3 4\n5 6.5\n").run()
    assert healthy(app).metric[0].value == "3"
    assert app.selectbox(key="data").value == "mine"


def test_turning_back_to_a_sample_is_not_undone(open_app):
    app = upload(open_app(DATA), "t.csv", b"a,b\n1,2\n3,4\n5,7\n")
    app.selectbox(key="data").set_value("moons").run()
    assert in_use(healthy(app)) == "In use: Moons"


def test_drawing_starts_empty(open_app):
    app = open_app(DATA)
    app.segmented_control(key="from").set_value("Draw").run()
    assert any("From 3 points on" in caption.value for caption in healthy(app).caption)


def test_the_scatter_of_the_data_page(open_app):
    app = open_app(DATA)
    app.selectbox(key="data").set_value("moons").run()
    spec = json.loads(healthy(app).get("plotly_chart")[0].proto.spec)
    assert [trace["name"] for trace in spec["data"]] == ["class +1", "class −1"]


def test_an_unexpected_fault_is_told_with_an_id(open_app, monkeypatch):
    app = open_app()

    def fail(*_):
        raise RuntimeError("secret detail")

    monkeypatch.setattr("nestviz.ui.results.fits.make_sample", fail)
    app.number_input(key="seed").set_value(987_654).run()  # not drawn before, so not cached
    assert not app.exception
    assert any("fault" in error.value for error in app.error)
    assert not any("secret detail" in error.value for error in app.error)
