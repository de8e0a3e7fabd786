"""The Cluster tree page: every control, and what a selection does to its pictures."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from app_visits import healthy, look, rows_of
from tree_messages import NESTED, PAGE, messages, metric, told

from nestviz import make_sample
from nestviz.analysis.tree.tree import Tree
from nestviz.ui.compute import entry_maps, methods, tasks
from nestviz.ui.compute.methods import ONE_CLASS
from nestviz.ui.compute.tasks import never_stop
from nestviz.ui.pages.cluster_tree import exports, pictures, results
from nestviz.ui.pages.cluster_tree import page as tree_page
from nestviz.ui.session import selection


@pytest.fixture
def page(open_app):
    return open_app(PAGE, data="multi")


def test_what_is_opened_shows_clusters_that_join(page):
    """One stem with two forks, one above the other, in the range that the cut moves in."""
    assert page.selectbox(key="method").value == "Parzen"
    tree, _ = messages(page)
    assert metric(page, "Roots") == "1"
    assert tree["base"] is None
    assert not any(node["lines"] for node in tree["nodes"])
    top = max(node["top"] for node in tree["nodes"])
    forks = sorted({node["bottom"] for node in tree["nodes"] if node["bottom"] > 0})
    assert len(forks) == 2
    assert forks[0] > 0.05 * top
    assert 0.01 * top < forks[1] - forks[0]
    assert not any("extrapolat" in one.value for kind in (page.caption, page.info) for one in kind)


def test_other_pages_have_a_method_of_their_own(page):
    """Trees begin with a method whose clusters join, outliers with nested sets, in any order."""
    page.switch_page("pages/use/outliers.py").run()
    assert healthy(page).selectbox(key="method").value == NESTED
    page.selectbox(key="method").set_value("union").run()
    page.switch_page(PAGE).run()
    assert healthy(page).selectbox(key="method").value == "Parzen"
    page.selectbox(key="method").set_value(NESTED).run()
    page.switch_page("pages/use/outliers.py").run()
    assert healthy(page).selectbox(key="method").value == "union"
    page.switch_page(PAGE).run()
    assert healthy(page).selectbox(key="method").value == NESTED


@pytest.mark.parametrize("name", [NESTED, "one-class SVM", "union"])
def test_joins_below_the_smallest_level_are_dashed_and_called_extrapolated(page, name):
    page.selectbox(key="method").set_value(name).run()
    tree, _ = messages(healthy(page))
    assert metric(page, "Roots") == "3"
    dashed = [node for node in tree["nodes"] if node["lines"]]
    assert len(dashed) == 2
    assert all(node["text"].split("\n")[1].startswith("extrapolated") for node in dashed)
    assert all(node["top"] <= tree["base"] for node in dashed)
    assert sum("a root" in node["text"] for node in tree["nodes"]) == 3
    # Below the base there is room to see them.
    low, high = tree["heights"]
    assert low + 0.1 * (high - low) < tree["base"] < tree["cut"]
    assert min(node["bottom"] for node in dashed) < tree["base"] - 0.05 * (high - low)
    assert "extrapolated" in tree["note"]
    assert any("3 roots" in words and "Dashed joins" in words for words in told(page))
    node = next(k for k, node in enumerate(tree["nodes"]) if node["lines"])
    page.selectbox(key=tree_page.BRANCH).set_value(node).run()
    assert any(words.startswith(f"**Branch {node}.**") and "extrapolated" in words
               for words in told(healthy(page)))  # fmt: skip


def test_the_smallest_level_is_the_same_for_all_methods(page):
    current = page.session_state["current_data"]
    data, sigma = current.fitted, 0.6
    for spacing in ("even", "geometric"):
        specs = [methods.Spec(name, sigma, 21, spacing=spacing) for name in ONE_CLASS]
        held = {s.method: tasks.fit(s, data.X).family for s in specs}
        top = methods.top_level(data.X, sigma)
        for name in (NESTED, "one-class SVM", "union"):
            assert held[name].hold_level == pytest.approx(1e-6 * top, rel=1e-9)
        for name in ("Parzen", methods.WITH_NU):
            assert held[name].hold_level is None
        assert held[NESTED].levels.size == 21


def test_geometric_levels_stay_close_together_above_the_last_one():
    X = make_sample("multi", random_state=0, n=60).X
    for count in (2, 5, 21):
        levels = methods.level_grid(methods.Spec(NESTED, 0.6, count, spacing="geometric"), X)
        assert len(levels) == count
        np.testing.assert_allclose(
            levels[:-1], np.geomspace(levels[0], 1e-3 * levels[0], count - 1)
        )
        assert levels[-1] == pytest.approx(1e-6 * levels[0])


def test_the_card_of_a_point_says_that_it_comes_in_by_extrapolation():
    tree = Tree([-1], [0.0], [3.0], [0, 0], [3.0, 0.5], [3.0, 0.5], -1, (0.0, 9.0), hold_level=1.0)
    shown = SimpleNamespace(tree=tree, clusters=np.array([0, -1]))
    first, second = (
        pictures.words(shown, selection.Selection("", (row,))) for row in (0, 1)
    )  # fmt: skip
    assert "extrapolation" not in first
    assert "enters by extrapolation only" in second
    gone = SimpleNamespace(tree=tree.prune(min_lifetime=5.0), clusters=np.array([-1, -1]))
    assert "extrapolation" in pictures.words(gone, selection.Selection("", (1,)))


def test_three_clusters_are_three_branches_of_the_same_colours(page):
    tree, plane = messages(page)
    assert page.title[0].value == "Cluster tree"
    assert metric(page, "Clusters") == "3"
    clusters = {k: node for k, node in enumerate(tree["nodes"]) if node["bold"]}
    # One numbering: that of the branches, in the tree, the legend, the list and the table.
    assert [node["label"] for node in tree["nodes"]] == [f"B{k}" for k in range(5)]
    assert [node["text"].split("\n")[0] for node in tree["nodes"]] == [
        f"branch {k}" for k in range(5)
    ]
    assert [node["colour"] for node in clusters.values()] == [0, 1, 2]
    assert [kind["name"] for kind in plane["kinds"]][1:] == [f"branch {k}" for k in clusters]
    listed = page.selectbox(key=tree_page.BRANCH).options
    assert [words.split(" · ")[0] for words in listed] == [
        "none",
        *(f"branch {k}" for k in range(5)),
    ]
    assert page.dataframe[0].value["branch"].tolist() == list(range(5))
    shapes = {kind["shape"] for kind in plane["kinds"]}
    assert len(shapes) == 4
    assert {area["colour"] for area in plane["areas"]} >= {0, 1, 2}


def test_the_cut_changes_colours_and_counts(page):
    before = messages(page)
    page.slider(key="cut").set_value(0.8).run()
    tree, plane = messages(healthy(page))
    assert metric(page, "Clusters") == "1"
    assert tree["cut"] > before[0]["cut"]
    assert max(plane["kind_of"]) == 1
    assert sum(k > 0 for k in plane["kind_of"]) < sum(k > 0 for k in before[1]["kind_of"])
    assert selection_share(page) == 0.8


def selection_share(app):
    return app.session_state["view"].one_class_share


def test_the_linked_level_of_another_page_is_the_first_cut(open_app):
    app = open_app(data="multi")
    look(app, one_class_share=0.5).switch_page(PAGE).run()
    assert healthy(app).slider(key="cut").value == 0.5


def test_pruning_leaves_fewer_branches(page):
    look(page, width=0.1).run()
    page.slider(key="prune").set_value(0.0).run()
    whole = len(messages(healthy(page))[0]["nodes"])
    page.slider(key="prune").set_value(20.0).run()
    assert len(messages(healthy(page))[0]["nodes"]) < whole
    assert metric(page, "Branches").endswith(f"of {whole}")


def test_heights_by_mass_end_at_one(page):
    page.segmented_control(key="heights").set_value("share outside").run()
    tree, _ = messages(healthy(page))
    assert tree["height_name"] == "share of the points outside"
    assert max(node["top"] for node in tree["nodes"]) == pytest.approx(1.0)
    assert 0 <= tree["cut"] <= 1.1


def test_most_stable_clusters_need_no_cut(page):
    page.segmented_control(key="clusters").set_value("most stable").run()
    _, plane = messages(healthy(page))
    assert plane["areas"] == []
    first = metric(page, "Clusters")
    page.slider(key="cut").set_value(0.95).run()
    assert metric(healthy(page), "Clusters") == first


@pytest.mark.parametrize("name", list(ONE_CLASS))
def test_every_method_has_a_tree(page, name):
    page.selectbox(key="method").set_value(name).run()
    tree, plane = messages(healthy(page))
    assert tree["nodes"]
    assert len(plane["points"]) == 400


def test_width_and_levels_change_the_tree(page):
    page.selectbox(key="method").set_value(NESTED).run()
    first = messages(healthy(page))[0]["nodes"]
    page.slider(key="depth").set_value(11).run()
    second = messages(healthy(page))[0]["nodes"]
    look(page, width=1.5).run()
    third = messages(healthy(page))[0]["nodes"]
    assert first != second != third
    assert "does not split" in page.info[0].value


def test_a_branch_is_selected_by_name_and_marked_in_both_pictures(page):
    page.selectbox(key=tree_page.BRANCH).set_value(2).run()
    tree, plane = messages(healthy(page))
    assert tree["chosen"] == [2]
    chosen = page.session_state["view"].selection
    assert chosen.branch == 2
    assert plane["chosen"] == list(chosen.points)
    assert any(m.value.startswith("**Branch 2.**") for m in page.markdown)
    assert rows_of(page, tree_page.TABLE) == [2]
    clear = next(b for b in page.button if b.label == "Clear the selection")
    clear.click().run()
    tree, plane = messages(healthy(page))
    assert tree["chosen"] == plane["chosen"] == []


def test_selected_points_mark_their_branches(page):
    """As left by a lasso, or by another page."""
    rows = (0, 1, 2, 3)
    known = page.session_state["current_data"].fitted
    look(page, selection=selection.Selection(known.fingerprint, rows)).run()
    tree, plane = messages(healthy(page))
    assert plane["chosen"] == list(rows)
    assert tree["chosen"]
    assert any("**4 points**, in branches" in m.value for m in page.markdown)
    look(page, selection=selection.Selection(known.fingerprint, (7,))).run()
    assert any(m.value.startswith("**Point 7** is in") for m in page.markdown)


def test_a_branch_that_is_no_more_leaves_its_points_selected(page):
    page.selectbox(key=tree_page.BRANCH).set_value(2).run()
    points = page.session_state["view"].selection.points
    look(page, width=1.5).run()
    tree, plane = messages(healthy(page))
    assert plane["chosen"] == list(points)
    assert page.selectbox(key=tree_page.BRANCH).value == tree_page.NONE
    assert tree["chosen"] == [0]


def test_the_number_of_a_branch_is_not_taken_for_that_of_another():
    tree = Tree([-1, 0, 0], [0.0, 1.0, 1.0], [1.0, 2.0, 3.0], [1, 1, 2], [2.0, 2.0, 3.0],
                [2.0, 2.0, 3.0], -1, (0.0, 9.0))  # fmt: skip
    same = selection.Selection("", (1, 0), branch=1)
    other = selection.Selection("", (0, 2), branch=1)
    assert pictures.chosen_branches(tree, same) == [1]
    assert pictures.chosen_branch(tree, other) is None
    assert pictures.chosen_branches(tree, other) == [1, 2]


def test_nothing_left_to_see_says_so(page):
    page.selectbox(key="method").set_value(NESTED).run()
    page.slider(key="cut").set_value(1.0).run()
    assert "too high" in healthy(page).info[0].value
    look(page, width=0.05).run()
    page.slider(key="prune").set_value(20.0).run()
    assert page.info
    healthy(page)


@pytest.mark.parametrize("way", ["pca", "slice"])
def test_more_than_two_features(open_app, way):
    app = open_app(PAGE, data="iris", show=way)
    tree, plane = messages(app)
    assert tree["nodes"]
    assert len(plane["kind_of"]) == 150


def test_the_code_makes_the_same_clusters(page):
    _, plane = messages(page)
    code = next(c.value for c in page.code if "cluster_tree" in c.value)
    names: dict = {}
    exec(code.replace("figure.write_html", "str"), names)
    assert (names["labels"] + 1).tolist() == plane["kind_of"]
    assert len(names["figure"].data) == len(messages(page)[0]["nodes"])


def test_downloads_hold_every_point_and_branch(page):
    current = page.session_state["current_data"]
    settings = results.ClusterTreeSettings(
        tree_page.Spec("Parzen", 0.4), cut=0.3, least=0.02, heights="level", clusters="at the cut"
    )
    fitted = tasks.fit(settings.spec, current.fitted.X)
    found = entry_maps.grow(fitted, current.fitted.X, current.plane, never_stop)
    shown = results.prepare(found, settings)
    table = exports.cluster_table(current, shown)
    assert len(table) == 200
    assert list(table.columns) == [
        "row", "x1", "x2", "cluster", "branch", "entry_level", "extrapolated",
    ]  # fmt: skip
    inside = shown.labels >= 0
    assert np.array_equal(table["cluster"][inside], shown.nodes[shown.labels[inside]])
    assert (table["cluster"][~inside] == -1).all()
    tree = json.loads(exports.tree_json(shown))
    assert len(tree["branches"]) == len(shown.tree)
    assert tree["smallest_solved_level"] is None
    assert [node["extrapolated"] for node in tree["branches"]] == [False] * len(shown.tree)
    assert tree["branches"][0]["points"] == shown.tree.members(0).tolist()
