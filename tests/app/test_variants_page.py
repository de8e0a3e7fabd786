"""The Variants page: every choice, its numbers, marks, links and exports."""

import json

import numpy as np
import pytest
from app_visits import address, components, healthy, look, scene

from nestviz.ui.pages.variants.page import ENTRIES
from nestviz.ui.session.own_data import OwnData
from nestviz.ui.session.view_state import Selection

PAGE = "pages/explore/variants.py"
SMALL = {"data": "banana", "banana.n": "80"}


def metric(app, label):
    return [m.value for m in app.metric if m.label == label]


def shown(app, variant, **values):
    return healthy(look(app, variant=variant, **values).run())


def planes(app):
    return [json.loads(c.proto.json) for c in components(app, "nestviz_plane")]


def charts(app):
    return [json.loads(c.proto.spec) for c in app.get("plotly_chart")]


def words(app):
    return " ".join(m.value for m in app.markdown)


@pytest.fixture
def page(open_app):
    return open_app(PAGE, **SMALL)


def test_half_space_and_ball_are_the_same_for_a_gaussian_kernel_only(page):
    assert page.title[0].value == "Variants"
    assert [panel.title for panel in scene(page).panels] == ["Half-space", "Ball"]
    assert [knob.key for knob in scene(page).knobs] == ["width"]
    assert "the same on every pixel" in words(page)
    radius, centre = (float(metric(page, label)[0]) for label in ("Radius R", "Centre ‖c‖"))
    rho, distance = (float(metric(page, label)[0]) for label in ("Offset ρ", "Distance ρ/‖w‖"))
    assert radius**2 == pytest.approx(1 + centre**2 - 2 * rho, abs=1e-3)
    assert distance == pytest.approx(rho / centre, rel=1e-3)
    other = shown(page, "Ball", vkernel="degree 3")
    assert "The two sets differ on" in words(other)
    assert not scene(other).knobs


def test_the_sets_of_the_player_are_those_of_the_numbers(page):
    """At the ν at rest, interpolated families hold the points that the exact fits hold."""
    shown_ = scene(page)
    nu = round(shown_.level, 4)
    outside = int(metric(page, "Outside")[0].split(" of ")[0])
    for panel in shown_.panels:
        inside = panel.family.contains(panel.points, nu)
        assert abs(int((~inside).sum()) - outside) <= 2


def test_known_outliers_of_class_minus_one_leave_the_set(page):
    shown(page, "Known outliers")
    left, right = (int(v.split(" of ")[0]) for v in metric(page, "Known outliers inside"))
    assert right < left
    assert scene(page).class_names == ("training", "known outlier")
    assert scene(page).by_class


def test_what_cannot_be_separated_is_told(open_app):
    """Known outliers in the same locations as the points: no hyperplane has both on its sides."""
    from nestviz.data import Dataset

    points = np.random.default_rng(0).normal(size=(8, 2))
    app = open_app(PAGE, **SMALL, variant="Known outliers")
    both = Dataset(np.vstack([points, points]), np.repeat([1, -1], 8))
    app.session_state["own_data"] = OwnData(both, "file")
    look(app, data="mine").run()
    assert any("no hyperplane separates" in w.value for w in healthy(app).warning)


def test_points_are_marked_and_unmarked(page):
    shown(page, "Known outliers", others="marked points")
    assert page.button(key="mark").disabled
    assert scene(page).class_names == ("points",)
    assert "the same on every pixel" in words(page)
    data = page.session_state["current_data"].fitted
    look(page, selection=Selection(data.fingerprint, (3, 8, 11))).run()
    page.button(key="mark").click().run()
    assert address(healthy(page))["marks"] == ["3,8,11"]
    assert np.flatnonzero(scene(page).panels[1].classes).tolist() == [3, 8, 11]
    assert any("3 points are marked" in c.value for c in page.caption)
    assert metric(page, "Known outliers inside")[0].endswith("of 3")
    page.button(key="unmark").click().run()
    assert "marks" not in address(healthy(page))


def test_the_mean_of_uniform_points(page):
    shown(page, "Mean of others", others="uniform points")
    titles = ["From the origin", "From the mean of others"]
    assert [panel.title for panel in scene(page).panels] == titles
    assert not metric(page, "Other points inside")
    shown(page, "Mean of others", others="class −1")
    assert len(metric(page, "Other points inside")) == 2


def test_data_without_classes_are_marked_first(open_app):
    app = open_app(PAGE, data="multi", variant="Known outliers", **{"multi.n": "40"})
    assert app.segmented_control(key="others").options == ["marked points"]


def test_nothing_to_train_on_is_told(open_app):
    from nestviz.data import Dataset

    app = open_app(PAGE, **SMALL, variant="Known outliers")
    points = Dataset(np.arange(6.0).reshape(3, 2), np.array([-1, -1, 1]))
    app.session_state["own_data"] = OwnData(points, "file")
    look(app, data="mine", variant="Known outliers").run()
    assert "Fewer than two points" in healthy(app).info[0].value


def test_the_code_book_covers_the_points_and_names_its_bound(page):
    shown(page, "Code book", radius=0.3)
    size, bound = (int(metric(page, label)[0]) for label in ("Code vectors", "At least"))
    assert 1 <= bound <= size
    (drawn,) = planes(page)
    assert sum(drawn["kind_of"]) == len(drawn["areas"]) == size
    spec = charts(page)[0]
    assert [trace["name"] for trace in spec["data"][:2]] == ["code vectors", "lower bound"]
    shown(page, "Code book", smallest=True)
    assert int(metric(page, "Code vectors")[0]) <= size
    assert address(page)["smallest"] == ["true"]


def test_balls_in_more_dimensions_are_not_drawn(open_app):
    app = open_app(PAGE, data="iris", show="slice", variant="Code book")
    (drawn,) = planes(app)
    assert not drawn["areas"]
    assert "not drawn" in drawn["title"]


def test_smoothness_falls_with_nu(page):
    shown(page, "Smoothness", nu=0.5)
    middle = float(metric(page, "‖Υf‖²")[0])
    shown(page, "Smoothness", nu=0.1)
    assert float(metric(page, "‖Υf‖²")[0]) < middle < float(metric(page, "‖Υf‖² at ν = 1")[0])
    assert planes(page)[0]["takes_places"]
    shown(page, "Smoothness", nu=1.0, line=0.0)
    assert metric(page, "‖Υf‖²") == metric(page, "‖Υf‖² at ν = 1")


def test_the_best_choice_is_never_worse(page):
    shown(page, "Left out", few=9, leave=2)
    titles = [m.value for m in page.markdown if "½‖w‖² = " in m.value]
    values = [float(title.split(" = ")[1]) for title in titles]
    assert len(values) == 3
    assert values[0] == min(values)
    assert [sum(drawn["kind_of"]) for drawn in planes(page)] == [2, 2, 2]
    before = planes(page)[0]["points"]
    shown(page, "Left out", few=9, leave=2, draw=4)
    assert planes(page)[0]["points"] != before


def test_too_few_points_to_leave_some_out_are_told(open_app):
    from nestviz.data import Dataset

    app = open_app(PAGE, **SMALL, variant="Left out", few="8")
    app.session_state["own_data"] = OwnData(Dataset(np.eye(3)[:, :2]), "file")
    look(app, data="mine", variant="Left out").run()
    assert "6 or more different points" in healthy(app).info[0].value


def test_a_link_restores_the_view(open_app):
    query = {"variant": "Known outliers", "others": "marked points", "marks": "2,5", "frame": "10"}
    app = open_app(PAGE, **SMALL, **query)
    assert np.flatnonzero(scene(app).panels[0].classes).tolist() == [2, 5]
    assert scene(app).start == 10
    assert {key: address(app)[key][0] for key in ("variant", "others", "marks")} == {
        key: query[key] for key in ("variant", "others", "marks")
    }


@pytest.mark.parametrize("variant", list(ENTRIES))
def test_every_choice_has_texts_code_and_exports(open_app, variant, tmp_path, monkeypatch):
    app = open_app(PAGE, **SMALL, variant=variant, few="8", leave="2")
    assert any(m.value.startswith("**Try this**") for m in app.markdown)
    assert any("Source: " in c.value for c in app.caption)
    labels = [button.label for button in app.get("download_button")]
    assert any(label.startswith("CSV: ") for label in labels)
    code = next(block.value for block in app.code if "data = " in block.value)
    monkeypatch.chdir(tmp_path)
    namespace = {}
    exec(compile(code, "page.py", "exec"), namespace)
    assert len(list(tmp_path.glob("*.html"))) == 1
    if "right" in namespace:
        data, label = namespace["data"], "Support vectors"
        assert metric(app, label) == [str(len(namespace[s].support_)) for s in ("left", "right")]
        assert data.n == 80
    if "book" in namespace:
        assert metric(app, "Code vectors") == [str(len(namespace["book"].support_))]
    if "choices" in namespace:
        values = [f"{choice.objective:.4f}" for choice in namespace["choices"].values()]
        assert values == [m.value.split(" = ")[1] for m in app.markdown if "½‖w‖² = " in m.value]
