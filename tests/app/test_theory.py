"""The Theory page: every chapter and every picture, without a browser."""

import json
import re
from base64 import b64decode
from itertools import pairwise

import numpy as np
import pytest
from app_visits import address, components, drawn, healthy, scene
from scipy.spatial.distance import cdist
from scipy.stats import kendalltau
from study_runs import auc_run

from nestviz.data import make_sample
from nestviz.data.densities import sample_density
from nestviz.number_words import in_words
from nestviz.studies.findings import Findings, Value
from nestviz.studies.run_record import write_run
from nestviz.ui.pages.theory import (
    certificates,
    constraints,
    cost,
    crossing,
    errors,
    examples,
    feature_space,
    hill,
    interpolation,
    quantiles,
    tree,
)
from nestviz.ui.pages.theory.chapter import MOST_WORDS
from nestviz.ui.pages.theory.page import CHAPTERS, RENAMED
from nestviz.ui.pages.theory.rankings import AMBIGUOUS

PAGE = "pages/learn/theory.py"
BEFORE = [
    "Problems", "Constraints", "Interpolation", "Kernel", "Union", "Volume", "Rankings", "Path",
    "ν", "Certificates",
]  # fmt: skip
"""Names of chapters in links of the first edition."""


def chapter(open_app, name):
    return open_app(PAGE, chapter=name)


def words(app):
    """The caption of the picture."""
    return [caption.value for caption in app.main.caption][-2]


def numbers(text):
    return [float(found) for found in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]


def spec(app, key):
    return json.loads(app.get_by_key(key).proto.spec)


def array(values):
    """An array as Plotly sends it."""
    if isinstance(values, list):
        return np.array(values)
    return np.frombuffer(b64decode(values["bdata"]), values["dtype"])


def outside_folds(block):
    """All texts of a block that are not in an expander or a popover, nor in the page's heading."""
    for child in getattr(block, "children", {}).values():
        if child.type in ("expander", "popover"):
            continue
        if any(part.type == "title" for part in everything(child)):
            continue
        if child.type in ("markdown", "caption", "header", "subheader"):
            yield child.value
        yield from outside_folds(child)


def everything(block):
    for child in getattr(block, "children", {}).values():
        yield child
        yield from everything(child)


@pytest.mark.parametrize("name", list(CHAPTERS))
def test_every_chapter_has_a_question_a_picture_and_few_words(open_app, name):
    app, text = chapter(open_app, name), CHAPTERS[name].text
    number = list(CHAPTERS).index(name) + 1
    assert app.selectbox(key="chapter").value == name
    assert app.header[0].value == f"{number} · {text.title}"
    assert text.question.endswith("?")
    assert text.question.count("?") == 1
    shown = [block.value for block in app.main.markdown]
    assert shown.index(f"**{text.question}**") < shown.index(text.text.strip())
    assert 1 <= len(text.attempts) <= 2
    assert app.get("plotly_chart") or components(app, "nestviz_player")
    folds = [part for part in everything(app.main) if part.type == "expander"]
    fold, exercise_fold, *answers = folds
    assert (fold.label, exercise_fold.label) == ("Formulas", "Exercises")
    assert {answer.label for answer in answers} == {"Answer"}
    folded = [part.value for part in everything(fold) if part.type == "markdown"]
    assert text.formulas.strip() in folded
    assert any("$$" in part for part in folded)
    assert not any("$$" in part for part in outside_folds(app.main))
    said = " ".join(outside_folds(app.main)).split()
    assert 60 <= len(said) <= MOST_WORDS
    alts = [chart.proto.alt for chart in app.get("plotly_chart")] or [scene(app).alt]
    assert all(len(alt) > 40 for alt in alts)
    assert len(set(alts)) == len(alts)


@pytest.mark.parametrize("name", list(CHAPTERS))
def test_texts_have_one_source_and_whole_formulas(name):
    text = CHAPTERS[name].text
    cited = re.findall(r"Lee & Scott 20\d\d|Schölkopf & Smola|Davenport|Glazer", text.source)
    assert len(cited) == 1
    assert text.source.endswith(".")
    for part in (text.formulas, text.primal, text.dual, text.more):
        assert part.count("$$") % 2 == 0
    assert bool(text.primal) == bool(text.dual)


def test_nu_is_the_sum_of_the_coefficients_somewhere():
    assert r"\sum_i\alpha_i=\nu" in CHAPTERS["ν"].text.more


def test_one_can_turn_the_pages(open_app):
    app = open_app(PAGE)
    names = list(CHAPTERS)
    assert not [b for b in app.button if b.key == "theory.back"]
    app.button(key="theory.on").click().run()
    assert app.selectbox(key="chapter").value == names[1]
    app.button(key="theory.back").click().run()
    assert healthy(app).selectbox(key="chapter").value == names[0]


def test_names_of_the_first_edition_are_known():
    assert set(BEFORE) == set(RENAMED) | (set(BEFORE) & set(CHAPTERS))
    assert set(RENAMED.values()) <= set(CHAPTERS)


@pytest.mark.parametrize("name", list(RENAMED))
def test_links_of_the_first_edition_open_their_chapter(open_app, name):
    app = chapter(open_app, name)
    assert app.selectbox(key="chapter").value == RENAMED[name]
    assert not [info for info in app.info if "link" in info.value]
    assert address(app)["chapter"] == [RENAMED[name]]


def test_an_unknown_chapter_is_the_first(open_app):
    app = chapter(open_app, "Nonsense")
    assert app.header[0].value == "1 · A hill and its level sets"
    assert "could not be used" in app.info[0].value


def test_the_hill_measures_the_difference_from_the_truth(open_app):
    app = chapter(open_app, "Hill")
    app.segmented_control(key="theory_hill").set_value("a ring")
    app.select_slider(key="theory_share").set_value(75).run()
    healthy(app)
    found = hill.hill("ring", 200, hill.METHODS[0])
    density, X = sample_density("ring"), make_sample("ring", 3, n=200).X
    pixels = found.grid.points()
    heights = density(pixels)
    order = np.sort(heights)[::-1]
    threshold = order[np.searchsorted(np.cumsum(order) * found.grid.cell_area, 0.75)]
    sigma = hill.WIDTHS[200] * hill.median_distance(X)
    sums, own = (
        np.exp(-cdist(at, X, "sqeuclidean") / (2 * sigma**2)).mean(axis=1) for at in (pixels, X)
    )
    estimate = sums >= np.sort(own)[::-1][149]
    share = ((heights >= threshold) != estimate).mean()
    assert numbers(words(app))[-1] == pytest.approx(100 * share, abs=0.06)


def test_more_points_bring_the_estimate_closer_to_the_truth():
    few, many = (hill.hill("multi", n, hill.METHODS[0]).differences.mean() for n in (50, 800))
    assert many < few / 2


def test_the_true_sets_are_nested():
    found = hill.hill("multi", 50, hill.METHODS[1])
    for fields in (found.truth, found.estimate):
        inside = fields >= 0
        assert (inside[1:] >= inside[:-1]).all()


def test_the_half_space_counts_what_it_leaves_out(open_app):
    app = chapter(open_app, "SVM")
    app.slider(key="theory_arc_nu").set_value(0.5).run()
    found = feature_space.arc(0.5)
    outside = int((found.mapped @ found.w < found.rho - 1e-6).sum())
    assert f"and {outside} outside" in words(healthy(app))
    before = len(spec(app, "theory_arc")["data"])
    app.segmented_control(key="problem_mini").set_value("Ball").run()
    assert len(spec(healthy(app), "theory_arc")["data"]) == before + 2


def test_problems_show_coefficients_as_sizes(open_app):
    app = chapter(open_app, "SVM")
    app.segmented_control(key="problem_mini").set_value("One class").run()
    start, end = drawn(healthy(app)).panels[0].sizes[[0, -1]]
    assert np.count_nonzero(start == 1.0) >= 39
    assert np.count_nonzero(end == 0.0) >= 20
    assert len(scene(app).class_names) == 1
    app.segmented_control(key="problem_mini").set_value("Two classes").run()
    two = scene(healthy(app))
    assert len(two.class_names) == 2
    assert two.scale.levels[0] == 0.0


def test_the_path_follows_the_level(open_app):
    app = chapter(open_app, "Path")
    before = words(app)
    app.slider(key="theory_at").set_value(1.0).run()
    assert words(healthy(app)) != before
    assert re.match(r"At λ = 0.398: (40|39) points are outside the set", words(app))


def test_a_location_on_the_line_is_lost_and_returns(open_app):
    app = chapter(open_app, "Crossing")
    found = crossing.line()
    shares = np.linspace(1.02, 0.01, 3000)
    alpha = found.path.coefficients(shares * found.top)
    kernels = np.exp(-np.square(np.array(crossing.POINTS)) / (2 * crossing.SIGMA**2))
    inside = alpha @ kernels >= shares * found.top
    changes = shares[1:][np.diff(inside)]
    # Enters, leaves, returns.
    assert len(changes) == 3
    said = numbers(words(app).split("x = 0.00 is inside")[1])
    np.testing.assert_allclose(said[:3], changes, atol=0.006)
    nested = found.families[crossing.METHODS[1]].first_level(np.array([[0.0]]))[0] / found.top
    assert said[3] == pytest.approx(nested, abs=0.006)


def test_the_profile_follows_level_method_and_location(open_app):
    app = chapter(open_app, "Crossing")
    figure = spec(app, crossing.KEY)
    assert len(figure["frames"]) > 20
    app.select_slider(key="theory_level").set_value(0.3)
    app.slider(key=crossing.AT).set_value(1.0).run()
    moved = spec(healthy(app), crossing.KEY)
    level = 0.3 * crossing.line().top
    np.testing.assert_allclose(array(moved["data"][1]["y"]), level, rtol=1e-6)
    assert "x = 1.00" in words(app)
    app.segmented_control(key="theory_line_method").set_value(crossing.METHODS[1]).run()
    nested = spec(healthy(app), crossing.KEY)
    fallen = next(t for t in nested["data"] if t.get("name") == "αᵢ/λ has fallen")
    assert not np.isfinite(array(fallen["y"])[1::3]).any()


def test_rankings_disagree_only_where_sets_cross(open_app):
    app = chapter(open_app, "Rankings")
    small = examples.tiny()
    spans = small.path.family_.intervals(small.fresh)[AMBIGUOUS]
    assert len(spans) > 1
    assert f"enters {len(spans)} times" in words(app)
    scan = small.path.family_.scan(small.fresh)
    ambiguous = [
        any((a - b) * (c - d) < 0 for b, d in zip(scan.first, scan.last, strict=True))
        for a, c in zip(scan.first, scan.last, strict=True)
    ]
    assert f"{np.mean(ambiguous):.0%} are ranked" in words(app)
    app.segmented_control(key="theory_method").set_value("nested one-class SVM").run()
    assert "0% are ranked" in words(healthy(app))
    entry = small.nested.family_.first_level(small.fresh)
    app.slider(key="theory_point").set_value(int(np.argmin(entry))).run()
    assert ("in none of the sets" in words(healthy(app))) == bool(np.isinf(entry).any())
    app.slider(key="theory_point").set_value(int(np.argmax(entry))).run()
    assert f"once: s₊ = {entry.max():.3g}, s₋ = {entry.max():.3g}." in words(healthy(app))


def test_the_union_keeps_what_the_path_leaves_behind(open_app):
    path, union = drawn(chapter(open_app, "Union")).panels
    assert any(path.broken)
    assert not any(union.broken)


@pytest.mark.parametrize(("low", "high"), [(20, 40), (10, 80)])
def test_the_wedge_holds_only_for_levels_solved_together(open_app, low, high):
    app = chapter(open_app, "Constraints")
    app.slider(key="theory_wedge").set_value((low, high)).run()
    levels, plain, nested = constraints.pair(high, low)
    broken = sum(a / levels[0] > b / levels[1] + 1e-9 for a, b in plain.T)
    assert f"{broken} of 40 points break" in words(healthy(app))
    assert broken > 0
    assert all(a / levels[0] <= b / levels[1] for a, b in nested.T)
    assert nested.max() <= 1 / 40


def test_both_ends_of_the_wedge_may_meet(open_app):
    app = chapter(open_app, "Constraints")
    app.slider(key="theory_wedge").set_value((50, 50)).run()
    assert "solved together, none" in words(healthy(app))


@pytest.mark.parametrize("count", [2, 9, 21])
def test_constraints_are_broken_one_by_one_and_kept_together(open_app, count):
    app = chapter(open_app, "Constraints")
    app.segmented_control(key="theory_constraint_view").set_value(constraints.VIEWS[1]).run()
    app.slider(key="theory_levels").set_value(count).run()
    assert words(healthy(app)).endswith("solved together, none.")
    assert ", 0 of 40" not in words(app)


@pytest.mark.parametrize("name", list(examples.KERNELS))
def test_only_kernels_that_can_be_negative_leave_places_behind(open_app, name):
    app = chapter(open_app, "Kernel")
    app.selectbox(key="theory_kernel").set_value(name).run()
    broken = any(drawn(healthy(app)).panels[0].broken)
    safe = examples.KERNELS[name].nonnegative
    assert broken != safe
    assert words(app).startswith("This kernel is never negative" if safe else "This kernel can")


def test_interpolated_sets_only_grow(open_app):
    app = chapter(open_app, "Interpolation")
    app.segmented_control(key="theory_interpolation_view").set_value(interpolation.VIEWS[1]).run()
    walk = scene(healthy(app))
    # The outlines of both ends.
    assert walk.ghosts == 2
    small = examples.tiny()
    fields = small.nested.family_.values(small.grid, walk.scale.levels)
    inside = fields > 0
    assert (inside[1:] >= inside[:-1]).all()
    assert inside[-1].sum() > inside[0].sum()


def test_inserted_levels_are_recomputed_from_the_solver(open_app):
    from nestviz.analysis.level_insertion import insertion_steps

    app = chapter(open_app, "Interpolation")
    app.segmented_control(key="theory_interpolation_view").set_value(interpolation.VIEWS[2]).run()
    app.slider(key="theory_inserted").set_value(6).run()
    distances = cdist(*[make_sample("multi", 0, n=150).X] * 2)
    sigma = 0.3 * np.median(distances[np.triu_indices(150, 1)])
    gram = np.exp(-np.square(distances / sigma) / 2)
    steps = insertion_steps(gram, 6, interpolation.PLACES)
    for before, after in pairwise(steps):
        assert np.isin(before.inserted.levels, after.inserted.levels).all()
        assert len(after.inserted.levels) == len(before.inserted.levels) + 1
    last = steps[-1]
    assert last.inserted.gap < last.even.gap
    assert last.inserted.curve.max() <= last.inserted.gap
    said = numbers(words(healthy(app)))
    assert said[1] == len(last.inserted.levels) == 9
    assert said[2] == pytest.approx(last.inserted.gap, rel=0.05)
    assert said[4] == pytest.approx(last.even.gap, rel=0.05)
    shown = {trace["name"]: trace for trace in spec(app, "theory_inserted_gaps")["data"]}
    assert len(array(shown["levels, inserted"]["x"])) == 9


def test_few_levels_against_many_are_recomputed_from_their_coefficients(open_app):
    from nestviz import NestedOneClassSVM

    app = chapter(open_app, "Interpolation")
    app.segmented_control(key="theory_count").set_value(5)
    app.select_slider(key="theory_count_at").set_value(0.5).run()
    small, pixels = examples.tiny(), examples.tiny().grid.points()
    K = np.exp(-np.square(small.X[:, None, :] - pixels[None]).sum(axis=2) / (2 * small.sigma**2))
    means = {}
    for count in (5, 81):
        model = NestedOneClassSVM(small.sigma, count).fit(small.X)
        levels = interpolation.SHARES * small.top
        rows = [
            np.array([np.interp(level, model.levels_[::-1], a[::-1]) for a in model.alpha_.T])
            for level in levels
        ]
        means[count] = np.array(rows) @ K >= levels[:, None]
    differs = (means[5] != means[81]).mean(axis=1)
    share = differs[np.abs(interpolation.SHARES - 0.5).argmin()]
    said = numbers(words(healthy(app)))
    assert said[2] == pytest.approx(100 * share, abs=0.02)
    assert said[-3] == pytest.approx(100 * differs.mean(), abs=0.02)
    (mark,) = (t for t in spec(app, "theory_count_curve")["data"] if t["name"] == "shown")
    assert array(mark["y"])[0] == pytest.approx(share, abs=2e-4)
    # More levels, less difference.
    assert said[-4] > said[-3] > said[-2] > said[-1] > 0


def test_the_price_is_read_from_the_study(open_app, monkeypatch, tmp_path):
    monkeypatch.setenv("NESTVIZ_RESULTS", str(tmp_path))
    app = chapter(open_app, "Cost")
    assert "has not been run" in app.info[0].value
    assert "lower one on 10" in words(app)
    values = [
        Value(item, quantity, ours, 0.01)
        for item, plain, nested in (("one", 0.8, 0.7), ("two", 0.6, 0.65))
        for quantity, ours in (("cs", plain), ("ncs", nested))
    ]
    write_run(tmp_path, auc_run(name="fig7", findings=Findings(values=values)))
    app = chapter(open_app, "Cost")
    assert not app.info
    assert "on 1 of 2 data sets" in words(app)
    assert "one: 0.800 against 0.700" in words(app)
    app.segmented_control(key="theory_cost_problem").set_value("One class").run()
    # This part of the study is missing.
    assert "has not been run" in healthy(app).info[0].value


def test_published_prices_are_those_of_the_paper():
    found = cost.published_areas("Two classes")
    known = dict(zip(found.items, zip(found.plain, found.nested, strict=True), strict=True))
    assert known["flare-solar"] == (0.658, 0.580)
    assert known["banana"] == (0.950, 0.963)
    assert (np.diff(found.change) >= 0).all()


def test_volume_has_its_least_value_in_the_middle(open_app):
    app = chapter(open_app, "Volume")
    before = words(app)
    found = examples.bandwidths()
    assert 0 < found.best < len(found.sigmas) - 1
    app.select_slider(key="theory_sigma").set_value(f"{found.sigmas[-1]:.2f}").run()
    assert words(healthy(app)) != before
    assert len(spec(app, "theory_curve")["data"]) == 2


@pytest.mark.parametrize(
    ("method", "percent"), [(tree.METHODS[0], 10), (tree.METHODS[0], 30), (tree.METHODS[1], 30)]
)
def test_clusters_at_a_cut_are_the_parts_of_the_set(open_app, method, percent):
    from scipy.ndimage import label

    from nestviz import Grid

    app = chapter(open_app, "Tree")
    app.segmented_control(key="theory_tree_method").set_value(method)
    app.slider(key="theory_cut").set_value(percent).run()
    found = tree.grown(method)
    level = percent / 100 * found.tree.entry.max()
    fine = Grid.around(found.X, resolution=250)
    inside = found.family.contains(fine, level).reshape(fine.shape)
    parts, _ = label(inside, np.ones((3, 3)))
    nearest = [np.square(fine.points() - x).sum(axis=1).argmin() for x in found.X]
    held = np.bincount(parts.ravel()[nearest])[1:]
    said = numbers(words(healthy(app)))
    # Smaller ones are pruned.
    assert said[0] == (held >= tree.SMALLEST * 90).sum() == (1 if percent == 10 else 3)
    assert said[1] == found.family.contains(found.X, level).sum()


def test_quantiles_cross_one_by_one_only(open_app):
    apart, shared = drawn(chapter(open_app, "Quantiles")).panels
    assert any(apart.broken)
    assert not any(shared.broken)
    shown = quantiles.quantile_sets()
    fresh = make_sample("banana", 7, n=quantiles.HELD_OUT).X
    for k in (0, 4, 8):
        q = quantiles.QUANTILES[k]
        inside = [panel.family.contains(fresh, q).mean() for panel in shown.panels]
        assert [f"{100 * q:.0f}", f"{inside[0]:.0%}"] == [
            shown.captions[k].split("%")[0].split()[-1],
            shown.captions[k].split()[2],
        ]
        assert f"{inside[1]:.0%} in one problem" in shown.captions[k]


def test_a_smaller_nu_protects_its_class(open_app):
    app = chapter(open_app, "Errors")
    both = errors.classes()
    found = errors.hull_pair(both.plus, both.minus, 0.6, 0.4)
    misses = sum(x @ found.normal < found.offset for x in both.plus) / len(both.plus)
    alarms = sum(x @ found.normal >= found.offset for x in both.minus) / len(both.minus)
    assert f"{alarms:.0%} are false alarms" in words(app)
    assert f"{misses:.0%} are misses" in words(app)
    app.slider(key="theory_nu_plus").set_value(0.3).run()
    _, alarms_now, misses_now = (numbers(words(healthy(app)))[k] for k in (0, 2, 4))
    assert misses_now <= 100 * misses
    assert alarms_now >= 100 * alarms
    app.slider(key="theory_nu_minus").set_value(0.1).run()
    assert words(healthy(app)).startswith("The hulls meet")


def test_the_certificate_never_promises_too_much(open_app):
    found = certificates.solved()
    assert (found.gaps >= found.errors).all()
    assert (np.diff(found.gaps) <= 0).all()
    assert (np.diff(found.errors) <= 1e-15).all()
    assert kendalltau(found.gaps, found.errors).statistic > 0.99
    app = chapter(open_app, "Certificates")
    app.slider(key="theory_step").set_value(80).run()
    assert f"at most {in_words(found.gaps[-1])}" in words(healthy(app))
    assert f"true one is {in_words(found.errors[-1])}" in words(app)
