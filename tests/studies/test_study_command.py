"""`nestviz study`: a file describes what is compared; everything wrong in it is named first."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from nestviz.analysis import at_masses, auc, coverage_ratio
from nestviz.cli import main
from nestviz.data import hold_out, make_sample, standardise
from nestviz.estimators import ParzenLevelSets
from nestviz.kernels import average_distance
from nestviz.studies.findings import Findings
from nestviz.studies.own.comparison import compared
from nestviz.studies.own.study_file import read_study
from nestviz.studies.own.task import QUANTILES, compare
from nestviz.studies.own.values import StudyFileError
from nestviz.studies.run_record import read_run

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "study.toml"
MOONS = (ROOT / "sample_data" / "two-moons.csv").as_posix()
SMALL = f"""
methods = ["one-class SVM", "Parzen"]
measures = ["auc", "coverage error"]
permutations = 2
train = 0.2
folds = 2

[grid]
sigma_factors = [0.2, 0.4]

[[data]]
file = "{MOONS}"
label = "label"
positive = ["1"]

[[data]]
sample = "banana"
"""
TWO = """
problem = "two classes"
methods = ["cost-sensitive SVM", "nested cost-sensitive SVM"]
measures = ["auc", "ranking disagreement"]
permutations = 1
folds = 2
[grid]
sigma = [1.0]
lam = [1.0]
[fit]
levels = 3
[[data]]
sample = "banana"
"""


def written(folder, text):
    file = folder / "small.toml"
    file.write_text(text, "utf-8")
    return file


def rows(file):
    with open(file, newline="", encoding="utf-8") as opened:
        return list(csv.DictReader(opened))


@pytest.mark.slow
def test_a_study_is_computed_compared_and_reported(tmp_path, capsys):
    file, output = written(tmp_path, SMALL), tmp_path / "out"
    assert main(["study", str(file), "--jobs", "1", "--output", str(output), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    run = read_run(output / "small")
    assert (run.protocol, run.cells, run.computed, run.seed) == ("own", 8, 8, 0)
    found = rows(output / "small" / "repetitions.csv")
    assert len(found) == 8
    assert all(0.5 < float(row["auc"]) <= 1.0 for row in found)
    (tests,) = {row["test"] for row in rows(output / "small" / "tests.csv")}
    assert tests == "Wilcoxon"
    mean = np.mean([float(r["auc"]) for r in found if (r["dataset"], r["method"])
                    == ("banana", "Parzen level sets")])  # fmt: skip
    (value,) = (v for v in run.findings.values if v.item == "banana" and "auc, Par" in v.quantity)
    assert value.ours == pytest.approx(mean)
    assert (output / "report.html").exists()
    # Nothing is left to compute, and nothing changes.
    before = (output / "small" / "findings.json").read_bytes()
    assert main(["study", str(file), "--jobs", "1", "--output", str(output), "--quiet"]) == 0
    assert read_run(output / "small").computed == 0
    assert (output / "small" / "findings.json").read_bytes() == before


def cell(**changes):
    banana = standardise(make_sample("banana"))
    given = {
        "data": {"sample": "banana"},
        "fingerprint": banana.fingerprint,
        "fit": {"method": "Parzen", "kind": "one class"},
        "grid": {"sigma_factors": [0.3], "lam": [1.0]},
        "measures": ["auc"],
        "permutation": 1,
        "train": 0.6,
        "folds": 3,
        "seed": 5,
    }
    return banana, compare(**given | changes)


def test_a_cell_is_what_its_description_says():
    banana, found = cell()
    state = int(np.random.SeedSequence([5, 1]).generate_state(1)[0])
    train, test = hold_out(banana, 1.0 - 0.6, random_state=state)
    sigma = 0.3 * average_distance(banana.X[train])
    inside = banana.X[train][banana.y[train] == 1]
    family = ParzenLevelSets(sigma).fit(inside).family_
    assert found == {
        "sigma": sigma,
        "lam": 1.0,
        "auc": auc(family, banana.X[test], banana.y[test]),
    }


def test_the_width_is_chosen_on_training_points():
    # A width far too small holds no held-out point, one far too large holds everything.
    _, found = cell(grid={"sigma": [1e-4, 0.3, 1e4], "lam": [1.0]})
    assert found["sigma"] == 0.3


def test_of_equal_scores_the_middle_one_is_taken():
    _, found = cell(grid={"sigma": [1e-8, 2e-8, 3e-8], "lam": [1.0]})
    assert found["sigma"] == 2e-8


def test_all_measures_of_both_problems_are_numbers():
    names = ["auc", "ranking disagreement", "integrated volume", "coverage error"]
    _, one = cell(fit={"method": "union", "kind": "one class"}, measures=names)
    _, two = cell(
        fit={"method": "nested cost-sensitive SVM", "kind": "two classes", "levels": 3},
        grid={"sigma": [1.0], "lam": [0.1, 1.0]},
        measures=names[:2],
    )
    assert list(one) == ["sigma", "lam", *names]
    assert np.isfinite(list(one.values())).all()
    assert two["ranking disagreement"] == 0.0
    assert two["lam"] in (0.1, 1.0)


def test_coverage_compares_shares_that_have_entered():
    """Against sets indexed by mass, which nested families have."""
    banana, found = cell(measures=["coverage error"])
    state = int(np.random.SeedSequence([5, 1]).generate_state(1)[0])
    train, test = hold_out(banana, 1.0 - 0.6, random_state=state)
    inside, later = (banana.X[rows][banana.y[rows] == 1] for rows in (train, test))
    family = ParzenLevelSets(found["sigma"]).fit(inside).family_
    sets = at_masses(family, inside, QUANTILES)
    # These reach halfway to the next level, so a test point in between may be in them.
    expected = coverage_ratio(sets, later).mean_error
    assert found["coverage error"] == pytest.approx(expected, abs=0.02)


def test_another_file_of_the_same_name_is_refused():
    with pytest.raises(ValueError, match="is not the same here"):
        cell(fingerprint="0")


def test_results_do_not_depend_on_where_the_files_are(tmp_path):
    text = SMALL.replace(MOONS, "two-moons.csv")
    texts = []
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "two-moons.csv").write_bytes(Path(MOONS).read_bytes())
        settings, fingerprints = read_study(written(tmp_path / name, text))
        from nestviz.studies.own.plan import own_plan

        texts.append([part.key for part in next(own_plan(settings, fingerprints))])
    assert texts[0] == texts[1]
    assert len(set(texts[0])) == 8


def test_the_example_can_be_read():
    settings, fingerprints = read_study(EXAMPLE)
    assert [source.name for source in settings.data] == ["two-moons", "sensors", "banana"]
    assert set(fingerprints) == {"two-moons", "sensors", "banana"}
    assert all(sentence.endswith(".") for sentence in settings.describe())


@pytest.mark.slow
def test_the_example_runs(tmp_path):
    assert main(["study", str(EXAMPLE), "--output", str(tmp_path), "--quiet"]) == 0
    findings = read_run(tmp_path / "study").findings
    assert {plot.kind for plot in findings.plots} == {"dots", "ranks"}


def test_more_methods_are_ranked_with_a_critical_difference():
    means = np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.85, 0.8], [0.7, 0.6, 0.5]])
    found = compared("auc", ["a", "b", "c"], means, False, "ranks-auc")
    assert [row["rank"] for row in found.ranks] == [1.0, 2.0, 3.0]
    # Demšar (2006): q = 2.343 for three methods.
    assert found.ranks[0]["critical_difference"] == pytest.approx(2.343 * np.sqrt(0.5), abs=1e-3)
    assert [row["test"] for row in found.tests] == ["Friedman", "Nemenyi", "Nemenyi", "Nemenyi"]
    assert found.tests[0]["statistic"] == pytest.approx(8.0)
    assert "the methods differ (Friedman" in found.sentence
    assert "a has the best average rank" in found.sentence
    (plot,) = found.plots
    assert (plot.kind, plot.table) == ("ranks", "ranks-auc")


def test_two_methods_are_compared_by_signed_ranks():
    means = np.column_stack([np.arange(1.0, 9.0), np.arange(1.0, 9.0) + 0.1 * np.arange(1, 9)])
    found = compared("integrated volume", ["a", "b"], means, True, "ranks")
    assert found.sentence.startswith("integrated volume: a is better than b (Wilcoxon")
    assert found.tests[0]["p_value"] < 0.05
    assert "no difference" in compared("auc", ["a", "b"], means[:3], False, "ranks").sentence
    assert "need two" in compared("auc", ["a", "b"], means[:1], False, "ranks").sentence
    means[0, 0] = np.nan
    assert "not every mean" in compared("auc", ["a", "b"], means, False, "ranks").sentence


WRONG = [
    (("methods = [", "method = ["), "methods is missing."),
    (('"Parzen"]', '"Prazen"]'), "methods cannot be 'Prazen'. Choose among one-class SVM, nested"),
    (('"Parzen"]', '"one-class SVM"]'), "methods names 'one-class SVM' twice."),
    (('["one-class SVM", "Parzen"]', "[]"), "methods is empty."),
    (('["one-class SVM", "Parzen"]', "[true]"), "methods must be a list of texts."),
    (('"coverage error"', '"accuracy"'), "measures cannot be 'accuracy'. Choose among auc,"),
    (("permutations = 2", "permutations = 0"), "permutations must be a whole number from 1 up"),
    (("permutations = 2", "permutations = 2.5"), "permutations must be a whole number from 1 up"),
    (("permutations = 2", "permutation = 2"), "permutation is not known. Known are problem, meth"),
    (("folds = 2", "folds = true"), "folds must be a whole number from 2 up, not true."),
    (("train = 0.2", "train = 1.0"), "train must be a share between 0 and 1, not 1.0."),
    (("folds = 2", 'seed = "x"'), "seed must be a whole number from 0 up, not 'x'."),
    (("folds = 2", 'name = "../up"'), "name cannot be '../up': it names a folder"),
    (("folds = 2", 'name = "cells"'), "name cannot be 'cells'"),
    (("folds = 2", "title = 3"), "title must be a text, not 3."),
    (("folds = 2", 'problem = "three"'), "problem cannot be 'three'. Choose one of one class,"),
    (("[0.2, 0.4]", "[0.2, -1]"), "grid.sigma_factors must be a list of positive numbers, not -1"),
    (("[0.2, 0.4]", "[inf]"), "grid.sigma_factors must be a list of positive numbers, not inf."),
    (("[0.2, 0.4]", "[]"), "grid.sigma_factors is empty"),
    (("[0.2, 0.4]", "[0.2, 0.2]"), "grid.sigma_factors has 0.2 twice."),
    (("[0.2, 0.4]", "[0.2]\nsigma = [1]"), "grid.sigma and grid.sigma_factors exclude each other"),
    (("[0.2, 0.4]", "[0.2]\nlam = [1]"), "grid.lam is not read by one-class methods."),
    (("[0.2, 0.4]", "[0.2]\nsigmas = [1]"), "grid.sigmas is not known."),
    (("[grid]", "[fit]\nnu = 2.0\n[grid]"), "fit.nu must be a number above 0 and up to 1, not 2"),
    (("[grid]", "[fit]\nlevels = 1\n[grid]"), "fit.levels must be a whole number from 2 up"),
    (("[grid]", '[fit]\nspacing = "odd"\n[grid]'), "fit.spacing cannot be 'odd'."),
    (("[grid]\nsigma_factors = [0.2, 0.4]", "grid = 3"), "grid must be a table, [grid]."),
    (('sample = "banana"', 'sample = "apple"'), "data 2: sample cannot be 'apple'."),
    (('sample = "banana"', "standardise = true"), "data 2: file or sample is needed"),
    (('sample = "banana"', 'sample = "banana"\nlabel = "x"'), "data 2: label is not known."),
    (('sample = "banana"', 'sample = "banana"\nname = "two-moons"'), "two sets called 'two-moons'"),
    (('label = "label"', 'label = "class"'), "'two-moons': label: there is no column 'class'."),
    (('label = "label"', "drop = 'x1'"), "data 1: positive has no meaning without label."),
    (('positive = ["1"]', ""), "positive must name values of the label that count as +1."),
    (('positive = ["1"]', 'positive = ["7"]'), "The column 'label' has"),
    (('positive = ["1"]', "positive = [1]\ndrop = ['z']"), "drop: there is no column 'z'."),
    (('positive = ["1"]', "positive = 1\nmissing = 'zero'"), "missing cannot be 'zero'."),
    (('label = "label"\npositive = ["1"]', ""), "measures: 'auc' needs a label."),
    (("two-moons.csv", "no-moons.csv"), "cannot be read: No such file or directory."),
    (("folds = 2", "folds = 500"), "training points of a class are too few for 500 folds."),
    (("train = 0.2", "train = 0.9999"), "leaves no test points of a class."),
    (("[[data]]", "[data]"), "is not TOML"),
    (("folds = 2", "folds = "), "is not TOML"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "sentence"), WRONG, ids=[wrong[1][:40] for wrong in WRONG])
def test_everything_wrong_is_named_before_anything_is_computed(tmp_path, change, sentence):
    text = SMALL.replace(*change)
    assert text != SMALL
    with pytest.raises(StudyFileError, match=re.escape(sentence)) as caught:
        read_study(written(tmp_path, text))
    assert str(caught.value).startswith("small.toml: ")


def test_two_classes_need_labels(tmp_path):
    text = TWO.replace('sample = "banana"', f"file = '{MOONS}'\ndrop = ['label']")
    with pytest.raises(StudyFileError, match="two classes need a label"):
        read_study(written(tmp_path, text))


@pytest.mark.parametrize("content", [b"\xff\xfe", b"a" * 1_000_001, b"x = 1", b""])
def test_other_files_are_one_sentence(tmp_path, content, capsys):
    file = tmp_path / "file.toml"
    file.write_bytes(content)
    assert main(["study", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("file.toml: ")
    assert said.count("\n") == 1


def test_a_file_that_is_not_there_is_one_sentence(tmp_path, capsys):
    assert main(["study", str(tmp_path / "none.toml")]) == 2
    assert "cannot be read: No such file or directory." in capsys.readouterr().err


def test_two_classes_are_studied(tmp_path):
    from nestviz.studies.engine.attempt import attempt
    from nestviz.studies.engine.drive import follow
    from nestviz.studies.engine.store import Store
    from nestviz.studies.own.plan import own_plan

    plan = own_plan(*read_study(written(tmp_path, TWO)))

    def here(cells):
        from nestviz import __version__

        return ((part, attempt(part, __version__)) for part in cells)

    found: Findings = follow(plan, Store(tmp_path), here)
    assert len(found.values) == 4
    assert found.notes[0] == "auc: tests need two methods and two data sets."
    assert "tests" not in found.tables
