"""The end of every page: code that does what the page does, and files."""

import json

import numpy as np
import pytest
from app_visits import healthy, look, scene

from nestviz.analysis import sweep
from nestviz.data import Dataset, dataset_to_csv
from nestviz.ui.export import panel as export_panel
from nestviz.ui.session.own_data import OwnData

ONE, TWO, PATH = (
    f"pages/explore/{name}.py" for name in ("one_class", "two_classes", "solution_path")
)


def shown_code(app):
    return next(block.value for block in app.code if "data = " in block.value)


def run_code(app, folder, monkeypatch):
    """Run what the page shows, as a user would: in a fresh namespace, in an empty folder."""
    monkeypatch.chdir(folder)
    namespace = {}
    exec(compile(shown_code(app), "page.py", "exec"), namespace)
    return namespace


def outline_of(figure, panel):
    """Vertices of the set in one panel of the figure."""
    axis = {0: "x", 1: "x2"}[panel]
    traces = [t for t in figure.data if t.mode == "lines" and (t.xaxis or "x") == axis]
    assert len(traces) == 1
    rows = np.column_stack([traces[0].x, traces[0].y])
    return rows[~np.isnan(rows).any(axis=1)]


def same_sets(app, namespace):
    """The figure that the code makes has the page's sets at the level at rest."""
    shown = scene(app)
    assert shown.level == pytest.approx(namespace["level"], rel=1e-12)
    span = max(shown.view[1] - shown.view[0], shown.view[3] - shown.view[2])
    assert namespace["grid"].inner_box == pytest.approx(shown.view)
    for k, panel in enumerate(shown.panels):
        assert panel.title == list(namespace["families"])[k]
        found = sweep(panel.family, namespace["grid"], panel.family.centres, shown.level)
        theirs, ours = np.concatenate(found.outlines[0]), outline_of(namespace["figure"], k)
        # To a twentieth of a pixel: how far outside a union a place is depends on the levels asked.
        np.testing.assert_allclose(theirs, ours, rtol=0, atol=span / 3_000)


@pytest.mark.parametrize(
    ("page", "query", "lines"),
    [
        (ONE, {}, ["OneClassPath(", "NestedOneClassSVM("]),
        (
            ONE,
            {"left": "union", "right": "Parzen", "width": "0.4", "data": "ring", "seed": "3"},
            [".union()", "ParzenLevelSets(", 'make_sample("ring", random_state=3'],
        ),
        (TWO, {"loglam": "0.5", "levels": "7"}, ["lam=3.16", "asymmetries=7"]),
        (TWO, {"left2": "union", "data": "moons"}, [".union()", '"moons"']),
        (ONE, {"data": "iris"}, ["standardise(data)", 'project(data, "pca", 0).dataset']),
        (
            ONE,
            {"data": "iris", "show": "slice", "standardise": "false"},
            ["plane=principal_plane(data.X)"],
        ),
    ],
)
def test_the_code_of_a_sweep_page_makes_its_sets(
    open_app, tmp_path, monkeypatch, page, query, lines
):
    app = open_app(page, **query)
    for line in lines:
        assert line in shown_code(app)
    namespace = run_code(app, tmp_path, monkeypatch)
    same_sets(app, namespace)
    assert list(tmp_path.glob("*.html"))


def test_geometric_levels_are_in_the_code(open_app, tmp_path, monkeypatch):
    app = open_app(ONE)
    app.segmented_control(key="grid").set_value("geometric").run()
    namespace = run_code(healthy(app), tmp_path, monkeypatch)
    assert namespace["model_2"].levels_.size == 11
    same_sets(app, namespace)


@pytest.mark.parametrize("kind", ["One class", "Two classes"])
def test_the_code_of_the_path_page_makes_its_figure(open_app, tmp_path, monkeypatch, kind):
    app = open_app(PATH)
    app.segmented_control(key="kind_path").set_value(kind).run()
    namespace = run_code(healthy(app), tmp_path, monkeypatch)
    found = f"{namespace['path'].breakpoints_.size:,} breakpoints"
    assert any(found in caption.value for caption in app.caption)
    assert namespace["nested"].converged_


def own(n=60, d=2, labelled=True, seed=0):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 3 == 0, 1, -1) if labelled else None
    names = ("=label", "a,b", 'c"d', "label")[:d]
    return Dataset(rng.normal(size=(n, d)) / 3, y, names, "My data, 2nd (final)")


def with_own_data(open_app, page, dataset):
    app = open_app()
    app.session_state["own_data"] = OwnData(dataset, "file")
    # More points than are shown at once are thinned out; few are enough to see that.
    look(app, data="mine", most=100).run()
    app.switch_page(page).run()
    return healthy(app)


@pytest.mark.parametrize(
    "dataset",
    [own(), own(labelled=False), own(d=1), own(d=4), own(n=1_600)],
    ids=["two features", "no labels", "one feature", "four features", "many points"],
)
def test_code_for_own_data_reads_the_file_offered_beside_it(
    open_app, tmp_path, monkeypatch, dataset
):
    app = with_own_data(open_app, ONE, dataset)
    (tmp_path / "My-data-2nd-final.csv").write_text(dataset_to_csv(dataset))
    assert "My-data-2nd-final.csv" in shown_code(app)
    assert any("Data: My-data-2nd-final.csv" in b.label for b in app.get("download_button"))
    lines = shown_code(app).split("\nmodel_1")[0]
    monkeypatch.chdir(tmp_path)
    namespace = {}
    exec(lines, namespace)
    assert namespace["data"].fingerprint == app.session_state["current_data"].fitted.fingerprint


@pytest.mark.parametrize("page", [ONE, TWO])
def test_what_can_be_exported(open_app, page):
    app = open_app(page)
    labels = [button.label for button in app.get("download_button")]
    for wanted in ("PNG", "SVG", "HTML player", "GIF", "WebP", "CSV: points", "Session file"):
        assert wanted in labels
    assert any("MP4" in label for label in labels) or any(
        "MP4" in caption.value for caption in app.caption
    )


def test_a_figure_is_sent_to_the_browser_only_when_asked_for(open_app):
    app = open_app(TWO)
    before = len(app.get("bidi_component"))
    app.button(key="image.two-classes-banana-roc.svg").click().run()
    components = healthy(app).get("bidi_component")
    assert len(components) == before + 1
    told = next(json.loads(c.proto.json) for c in components if "svg" in c.proto.json)
    assert told["name"] == "two-classes-banana-roc.svg"
    assert json.loads(told["figure"])["layout"]["paper_bgcolor"] == "white"


def test_closed_away_it_costs_nothing(open_app):
    app = open_app(ONE)
    assert app.get("download_button")
    app.session_state[export_panel.KEY] = False
    app.run()
    assert not healthy(app).get("download_button")
    assert not app.code
