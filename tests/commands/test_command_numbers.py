"""The commands give the numbers of the app's pages."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command_runs import MOONS, SENSORS

from nestviz.analysis.flags import flag_outliers
from nestviz.data import principal_plane, read_table, to_dataset
from nestviz.grids import Plane
from nestviz.kernels import median_distance
from nestviz.ui.compute import entry_maps, tasks, width_search
from nestviz.ui.compute.methods import METHODS, Spec
from nestviz.ui.compute.tasks import never_stop
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.bandwidth.results import table as widths_table
from nestviz.ui.pages.cluster_tree.exports import branch_table, cluster_table
from nestviz.ui.pages.cluster_tree.results import AT_CUT, STABLE, ClusterTreeSettings, prepare
from nestviz.ui.pages.outliers.tables import score_table


def current(path):
    """The data as the app uses them."""
    data = to_dataset(read_table(Path(path).read_bytes(), Path(path).name))
    plane = Plane.of_two_features() if data.d == 2 else principal_plane(data.X)
    return Current(data, data, plane)


def solved(data, spec):
    return tasks.fit(spec.solved, data.fitted.X, data.fitted.y).under(spec)


ONE_CLASS = {
    "one-class": "one-class SVM",
    "nested-one-class": "nested one-class SVM",
    "union": "union",
    "parzen": "Parzen",
    "nu-one-class": "ν one-class SVM",
    "eta-one-class": "η one-class SVM",
}


def test_every_method_of_the_app_has_a_name():
    from nestviz.commands.methods import CHOICES

    assert {name: (choice.kind, choice.key) for name, choice in CHOICES.items()} == {
        **{name: ("one class", key) for name, key in ONE_CLASS.items()},
        "cost-sensitive": ("two classes", "cost-sensitive SVM"),
        "nested-cost-sensitive": ("two classes", "nested cost-sensitive SVM"),
        "union-cost-sensitive": ("two classes", "union"),
        "offset-cost-sensitive": ("two classes", "offset cost-sensitive SVM"),
    }
    assert len(CHOICES) == sum(map(len, METHODS.values()))


@pytest.mark.parametrize("name", ONE_CLASS)
def test_ranks_are_those_of_the_outliers_page(nestviz, name):
    data = current(SENSORS)
    sigma = 0.3 * median_distance(data.fitted.X)
    fitted = solved(data, Spec(ONE_CLASS[name], sigma, 21, spacing="geometric", nu=0.3, eta=1.5))
    found = entry_maps.rank(fitted, data.fitted.X, data.plane, never_stop)
    page = score_table(data, found, flag_outliers(found.ranking, 0.07)).sort_values("row")
    own = {"nu-one-class": ("--nu", "0.3"), "eta-one-class": ("--eta", "1.5")}.get(name, ())
    ran = nestviz(
        "rank", SENSORS, "--method", name, "--width", "0.3", *own, "--contamination", "0.07"
    )
    assert ran.status == 0, ran.err
    rows = sorted(ran.rows, key=lambda row: int(row["row"]))
    for ours, theirs in (("rank", "rank"), ("score", "score"), ("level", "level"),
                         ("tied", "tied"), ("class", "class"), ("row", "row"),
                         ("volume", "volume"), ("top_value", "top_value"),
                         ("top_robust_z", "top_robust_z")):  # fmt: skip
        assert [float(row[ours]) for row in rows] == page[theirs].tolist()
    for flag in ("flagged", "extrapolated", "ambiguous"):
        assert [row[flag] == "True" for row in rows] == page[flag].tolist()
    assert [row["top_feature"] for row in rows] == page["top_feature"].tolist()
    assert ran.column("rank", int) == sorted(ran.column("rank", int))
    top = nestviz("rank", SENSORS, "--method", name, "--width", "0.3", *own, "--top", "5",
                  "--contamination", "0.07")  # fmt: skip
    assert top.rows == ran.rows[:5]


@pytest.mark.parametrize("clusters", [AT_CUT, STABLE])
@pytest.mark.parametrize("name", ["parzen", "nested-one-class"])
def test_trees_are_those_of_the_cluster_tree_page(nestviz, name, clusters):
    data = current(MOONS)
    sigma = 0.2 * median_distance(data.fitted.X)
    fitted = solved(data, Spec(ONE_CLASS[name], sigma, 21, spacing="geometric"))
    found = entry_maps.grow(fitted, data.fitted.X, data.plane, never_stop)
    shown = prepare(found, ClusterTreeSettings(fitted.spec, 0.25, 0.04, "level", clusters))
    page = cluster_table(data, shown)
    how = ("--stable",) if clusters == STABLE else ("--cut", "0.25")
    ran = nestviz("tree", MOONS, "--method", name, "--min-mass", "0.04", *how)
    assert ran.column("cluster", int) == page["cluster"].tolist()
    assert ran.column("branch", int) == page["branch"].tolist()
    assert ran.column("entry_level") == page["entry_level"].tolist()
    branches = nestviz(
        "tree", MOONS, "--method", name, "--min-mass", "0.04", *how, "--table", "branches"
    )
    table = branch_table(shown.tree, shown.nodes)
    for column in ("birth", "death", "mass", "stability"):
        assert branches.column(column) == table[column].tolist()
    assert branches.column("parent", int) == table["parent"].fillna(-1).tolist()
    newick = nestviz("tree", MOONS, "--method", name, "--min-mass", "0.04", "--format", "newick")
    assert newick.out == shown.tree.to_newick() + "\n"


def test_branches_are_pruned_by_their_support_in_resamples(nestviz):
    how = ("tree", MOONS, "--min-mass", "0.01", "--table", "branches")
    every, kept = nestviz(*how), nestviz(*how, "--min-support", "0.8")
    assert len(kept.column("branch")) < len(every.column("branch"))
    support = kept.column("support")
    leaves = [leaf == "1" or leaf.lower() == "true" for leaf in kept.column("leaf", str)]
    assert all(share >= 0.8 for share, leaf in zip(support, leaves, strict=True) if leaf)
    again = nestviz("tree", MOONS, "--min-mass", "0.01", "--min-support", "0.8", "--format", "json")
    assert [branch["support"] for branch in again.json["branches"]] == support


def test_the_clusters_of_hdbscan_stand_beside_those_of_the_tree(nestviz):
    from sklearn.cluster import HDBSCAN
    from sklearn.metrics import adjusted_rand_score

    how = ("tree", MOONS, "--stable", "--hdbscan", "--min-mass", "0.04")
    ran, found = nestviz(*how), nestviz(*how, "--format", "json").json
    X = current(MOONS).fitted.X
    labels = HDBSCAN(min_cluster_size=int(np.ceil(0.04 * len(X))), copy=True).fit_predict(X)
    theirs = ran.column("hdbscan_cluster", int)
    assert adjusted_rand_score(labels, theirs) == 1.0
    assert [k < 0 for k in theirs] == (labels < 0).tolist()
    agreement = found["hdbscan"]["all_points"]
    assert agreement == pytest.approx(adjusted_rand_score(ran.column("cluster", int), theirs))
    assert f"adjusted Rand index {agreement:.4f}" in ran.err
    assert found["hdbscan"]["clusters"] == sorted(set(theirs) - {-1})


def test_a_tree_is_cut_into_a_number_of_clusters(nestviz):
    for count in (1, 2):
        found = nestviz("tree", MOONS, "--clusters", count, "--format", "json").json
        assert len(found["clusters"]) == count
        labels = nestviz("tree", MOONS, "--clusters", count).column("cluster", int)
        assert set(labels) - {-1} == set(found["clusters"])
        same = nestviz("tree", MOONS, "--at-level", repr(found["cut"])).column("cluster", int)
        assert same == labels


def test_the_width_is_that_of_the_bandwidth_page(nestviz, tmp_path):
    data = current(SENSORS)
    page = width_search.search("nested one-class SVM", data.fitted.X, 6, 3, 0.25, never_stop)
    options = ("--widths", 6, "--folds", 3, "--margin", 0.25)
    ran = nestviz("bandwidth", SENSORS, *options)
    assert ran.out == f"{page.selection.sigma!r}\n"
    curve = nestviz("bandwidth", SENSORS, *options, "--format", "csv")
    table = widths_table(page)
    for name in ("sigma", "integrated_volume", "standard_error_over_folds", "extrapolated"):
        assert curve.column(name) == table[name].tolist()
    saved = nestviz("bandwidth", SENSORS, *options, "-o", tmp_path / "curve.csv")
    assert saved.out == ran.out
    assert (tmp_path / "curve.csv").read_text() == curve.out


def test_other_rules_are_those_of_the_page(nestviz):
    X = current(MOONS).fitted.X
    rules = width_search.distance_rules(X)
    names = ("auto", "median", "average", "dimension")
    for name, width in zip(names, rules.values(), strict=True):
        assert float(nestviz("bandwidth", MOONS, "--rule", name).out) == width
    page = width_search.search("one-class SVM", X, 4, 2, 0.1, never_stop)
    ran = nestviz("bandwidth", MOONS, "--rule", "support-vectors", "--method", "one-class",
                  "--widths", 4)  # fmt: skip
    assert float(ran.out) == page.rules["support vectors"]


def test_miv_is_the_width_that_the_command_prints(nestviz):
    printed = nestviz("bandwidth", MOONS, "--method", "parzen", "--quiet").out
    by_rule = nestviz("rank", MOONS, "--method", "parzen", "--sigma", "miv", "--format", "json")
    by_number = nestviz("rank", MOONS, "--method", "parzen", "--sigma", printed.strip(),
                        "--format", "json")  # fmt: skip
    assert by_rule.json == by_number.json
    assert by_rule.json["sigma"] == float(printed)


@pytest.mark.parametrize(
    ("name", "key", "kind", "levels"),
    [("nested-one-class", "nested one-class SVM", "one class", 11),
     ("nested-cost-sensitive", "nested cost-sensitive SVM", "two classes", 5),
     ("union-cost-sensitive", "union", "two classes", 5)],
)  # fmt: skip
def test_fits_are_those_of_the_sweep_pages(nestviz, name, key, kind, levels):
    data = current(MOONS)
    sigma = 0.2 * median_distance(data.fitted.X)
    fitted = solved(data, Spec(key, sigma, levels, 0.1, kind=kind))
    numbers = nestviz("fit", MOONS, "--method", name).json
    assert numbers["sigma"] == sigma
    assert numbers["levels"] == fitted.family.levels.tolist()
    assert numbers["data"]["features"] == ["x1", "x2"]
    certificate = numbers["certificate"]
    assert certificate["duality_gap"] == fitted.estimator.duality_gap_
    table = nestviz("fit", MOONS, "--method", name, "--format", "csv")
    assert table.column("first_level") == fitted.family.first_level(data.fitted.X).tolist()
    values = fitted.family.values(data.fitted.X, fitted.estimator.level_)
    assert table.column("decision") == values.tolist()


def test_unused_settings_are_named(nestviz):
    ran = nestviz("fit", MOONS, "--method", "parzen", "--levels", "5", "--lam", "3")
    assert "has no lam" in ran.err
    assert "has no levels" in ran.err


def test_a_width_at_the_end_of_the_grid_is_said(nestviz, tmp_path):
    rng = np.random.default_rng(0)
    np.savetxt(tmp_path / "ball.csv", rng.normal(size=(40, 2)), delimiter=",")
    ran = nestviz("bandwidth", tmp_path / "ball.csv", "-m", "parzen", "--widths", 2)
    assert ran.status == 0
    assert ran.err.startswith("Warning: The least integrated volume is at the ")
    assert (
        nestviz("bandwidth", tmp_path / "ball.csv", "-m", "parzen", "--widths", 2, "-q").err == ""
    )


def test_preparation_repeats_every_step():
    from nestviz.data import guess_roles
    from nestviz.data.conversion import convert
    from nestviz.data.preparation import Preparation

    for path in (MOONS, SENSORS, MOONS.replace("two-moons", "stations")):
        table = read_table(Path(path).read_bytes(), Path(path).name)
        for missing in ("drop", "mean"):
            roles = replace(guess_roles(table), missing=missing)
            own = convert(table, replace(roles, standardise=False))
            steps = Preparation.of(table, roles, own)
            again = steps.apply(table)
            assert again.records.tolist() == own.records.tolist()
            assert np.array_equal(again.dataset.X, own.dataset.X)
            whole = to_dataset(table, roles)
            assert np.array_equal(steps.scaled(again.dataset).X, whole.X)


def test_levels_are_inserted_as_in_the_app(nestviz):
    ran = nestviz("fit", MOONS, "--method", "nested-one-class", "--levels", "adaptive")
    data = current(MOONS)
    spec = Spec("nested one-class SVM", 0.2 * median_distance(data.fitted.X), spacing="adaptive")
    found = solved(data, spec)
    np.testing.assert_allclose(ran.json["levels"], found.family.levels)
    assert "at every level between them" in ran.err
    refused = nestviz(
        "fit", MOONS, "--levels", "adaptive", "--spacing", "even", "-m", "nested-one-class"
    )
    assert refused.status == 2
    assert "Adaptive levels have no --spacing" in refused.err
    assert "'adaptive' is needed, not 'many'" in nestviz("fit", MOONS, "--levels", "many").err
