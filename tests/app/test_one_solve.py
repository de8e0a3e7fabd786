"""One solve serves all pages: what is fitted on a tour, counted."""

import traceback
from collections import Counter

import numpy as np
import pytest
from app_visits import healthy, look

import nestviz
from nestviz.ui.compute.methods import METHODS
from nestviz.ui.export import panel
from nestviz.ui.live.question import LiveQuestion
from nestviz.ui.results import jobs

EXPLORE = [f"pages/explore/{name}.py" for name in ("one_class", "solution_path", "compare")]
USE = [f"pages/use/{name}.py" for name in ("cluster_tree", "outliers")]
TWO, BANDWIDTH = "pages/explore/two_classes.py", "pages/use/bandwidth.py"
ESTIMATORS = sorted({row.estimator for kind in METHODS.values() for row in kind.values()})


class Solves(Counter):
    """Fits by estimator, parameters and points; and who asked for each."""

    def __init__(self):
        super().__init__()
        self.stacks = []

    def of(self, app):
        """Count fits to the data in use; Home has small pictures of its own."""
        mine = app.session_state["current_data"].fitted.X.tobytes()
        return Counter(name for name, _, points in self.elements() if points == mine)


@pytest.fixture
def solves(monkeypatch):
    found = Solves()

    def watch(kind):
        fit = kind.fit

        # As the page calls it: the callback is looked for among the parameters.
        def watched(self, X, y=None, sample_weight=None, callback=None):
            shape = tuple(sorted((k, repr(v)) for k, v in self.get_params().items()))
            found[kind.__name__, shape, np.asarray(X).tobytes()] += 1
            found.stacks.append(traceback.extract_stack()[:-1])
            given = {} if kind is nestviz.ParzenLevelSets else {"callback": callback}
            return fit(self, X, **given) if y is None else fit(self, X, y, **given)

        monkeypatch.setattr(kind, "fit", watched)

    for name in ESTIMATORS:
        watch(getattr(nestviz, name))
    return found


@pytest.fixture
def downloads(monkeypatch):
    """Every model that a page offers is made as soon as the page is shown."""
    made, show = [], panel.show

    def noted(current, *, models=panel.NOTHING, **rest):
        made.extend(make() for make in models.values())
        show(current, models=models, **rest)

    monkeypatch.setattr(panel, "show", noted)
    return made


def test_one_class_is_solved_once(open_app, solves, downloads):
    """All pages about the same sets; the one that differs has levels of another spacing."""
    app = open_app(seed="90417", over="nu")
    for page in [*EXPLORE, *USE, *EXPLORE]:
        app.switch_page(page).run()
        healthy(app)
        if page == EXPLORE[0]:
            app.number_input(key="point_number").set_value(3).run()
            healthy(app)
    assert set(solves.values()) == {1}
    # Tree and outliers share the nested SVM of geometric levels.
    assert solves.of(app) == {"OneClassPath": 1, "NestedOneClassSVM": 2, "ParzenLevelSets": 1}
    assert len({id(model) for model in downloads if isinstance(model, nestviz.OneClassPath)}) == 1


def test_two_classes_are_solved_once(open_app, solves, downloads):
    app = open_app(TWO, seed="90418", levels="7")
    app.number_input(key="point_number").set_value(3).run()
    app.selectbox(key="left2").set_value("union").run()
    healthy(app)
    for page in (EXPLORE[1], EXPLORE[2]):
        app.switch_page(page).run()
        key = "kind_path" if page == EXPLORE[1] else "problem"
        app.segmented_control(key=key).set_value("Two classes").run()
        healthy(app)
    counted = solves.of(app)
    assert set(solves.values()) == {1}
    assert counted["CostSensitivePath"] == counted["NestedCostSensitiveSVM"] == 1


def test_workers_solve_once_and_hand_the_solution_back(open_app, solves, downloads, monkeypatch):
    """With many points nothing is solved in the server, and trees and rankings solve nothing."""
    for name in ("LONG", "LONG_ANALYSIS"):
        monkeypatch.setattr(f"nestviz.ui.results.fits.{name}", 100)
    titles, submit = [], jobs.RUNNER.submit

    def noted(key, work, arguments, **options):
        titles.append(options["title"])
        return submit(key, work, arguments, **options)

    monkeypatch.setattr(jobs.RUNNER, "submit", noted)
    app = open_app(EXPLORE[0], seed="90421", data="banana")
    for page in (EXPLORE[1], *USE):
        app.switch_page(page).run()
        healthy(app)
    made = Counter(title for title in titles if title.startswith("Solving"))
    assert set(made) >= {"Solving: One-class SVM", "Solving: Nested one-class SVM"}
    assert made["Solving: One-class SVM"] == 1
    assert any(title.startswith("Ranking") for title in titles)
    assert any(title.startswith("Growing") for title in titles)
    assert set(solves.of(app)) <= {"ParzenLevelSets"}
    assert all(model.family_.levels.size for model in downloads)


def test_settings_that_do_not_matter_solve_nothing(open_app, solves):
    app = open_app(EXPLORE[0], seed="90419", left="one-class SVM", right="union")
    app.slider(key="levels").set_value(21).run()
    app.segmented_control(key="grid").set_value("geometric").run()
    app.switch_page(USE[1]).run()
    app.selectbox(key="method").set_value("one-class SVM").run()
    healthy(app)
    assert solves.of(app)["OneClassPath"] == 1


@pytest.mark.parametrize(
    ("page", "knobs"),
    [(EXPLORE[0], {"width": 0.2345}), (TWO, {"width": 0.2345, "loglam": -1.094})],
)
def test_what_a_moving_knob_has_solved_is_not_solved_again(
    open_app, solves, monkeypatch, page, knobs
):
    builds = {}
    monkeypatch.setattr("nestviz.ui.panels.sweep.offer", builds.__setitem__)
    app = open_app(page, seed="90440", data="banana")
    build = builds.popitem()[1]
    message = build(LiveQuestion(knobs, None, None, lambda: False))
    before = solves.of(app)
    assert build(LiveQuestion(knobs, None, None, lambda: False)) == message
    healthy(look(app, **knobs).run())
    assert set(before.values()) == {2}
    assert solves.of(app) == before


@pytest.mark.parametrize("page", [*EXPLORE, *USE, TWO, BANDWIDTH])
def test_from_a_page_to_the_estimator_are_five_steps(open_app, solves, page):
    # Data that no other page has seen.
    seed = 90420 + [*EXPLORE, *USE, TWO, BANDWIDTH].index(page)
    open_app(page, seed=str(seed), widths="8", folds="2", data="moons")
    steps_of = [_steps(stack) for stack in solves.stacks]
    assert any(steps_of)
    for steps in steps_of:
        assert len(steps) <= 5, steps


def _steps(stack):
    """Functions between a page and the estimator; Home's small pictures have a way of their own."""
    steps = [frame for frame in stack if frame.name not in ("<genexpr>", "<listcomp>")]
    files = [frame.filename.replace("\\", "/") for frame in steps]
    if any(name.endswith("start_pictures.py") for name in files):
        return []
    page = max(k for k, name in enumerate(files) if "/pages/" in name)
    return [frame.name for frame in steps[page + 1 :]]


@pytest.mark.parametrize("kind", ["one class", "two classes"])
def test_pages_agree_on_the_violated_area(open_app, kind):
    """And on the other numbers of a family that several pages show."""
    two = kind == "two classes"
    app = open_app(TWO if two else EXPLORE[0], data="banana")
    shown = {m.label: m.value for m in reversed(app.metric)}
    app.switch_page(EXPLORE[2]).run()
    if two:
        app.segmented_control(key="problem").set_value("Two classes").run()
    row = healthy(app).dataframe[0].value.iloc[0]
    assert row["method"] == next(iter(METHODS[kind].values())).title
    assert shown["Violated area"] == f"{row['violated area']:.1f}%" != "0.0%"
    assert shown["Ranked ambiguously"] == f"{row['ranking disagreement']:.1f}%"
