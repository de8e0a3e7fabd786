"""Many rows in the app: weighted centres, their certificate, and ranks of all rows."""

import csv
import io
import re
from functools import partial

import numpy as np
import pytest
from app_visits import DATA, address, healthy, rows_of, scene
from app_visits import look as look_at
from scipy.stats import spearmanr

from nestviz import NestedOneClassSVM, ParzenLevelSets, Quantised, make_sample
from nestviz.analysis import cluster_tree, outlier_ranking
from nestviz.data.centres import typical_distance
from nestviz.estimators.quantised_fit import has_certificate, lifted
from nestviz.methods import WITH_ETA
from nestviz.quantisation.certificate import certify
from nestviz.quantisation.own_support import OwnSupport
from nestviz.quantisation.row_centres import row_centres
from nestviz.quantisation.sources import array_source
from nestviz.ui.compute import all_rows, tasks
from nestviz.ui.compute.entry_maps import SAME_LEVEL
from nestviz.ui.compute.methods import ONE_CLASS, Spec, top_level
from nestviz.ui.compute.tasks import never_stop
from nestviz.ui.data_choice import KEY
from nestviz.ui.pages.outliers import all_rows as page_rows
from nestviz.ui.pages.outliers import cards, downloads
from nestviz.ui.pages.outliers.results import score_text
from nestviz.ui.results import asides, cache, jobs
from nestviz.ui.results.worker.runner import Runner

ONE, TWO = "pages/explore/one_class.py", "pages/explore/two_classes.py"
OUTLIERS = "pages/use/outliers.py"
BANANA = {"data": "banana", "banana.n": "4000", "centres": "150"}


def certificate(app) -> str:
    return next(m.value for m in app.markdown if "weighted centres" in m.value)


def uploaded(app, text):
    app.segmented_control(key="from").set_value("File").run()
    app.file_uploader(key="upload").set_value(("many.csv", text.encode(), "text/csv")).run()
    return healthy(app)


def gaps(app) -> list[float]:
    """The numbers of per cent in the sentence, the worst first."""
    return [float(number) for number in re.findall(r"([\d.]+)%", certificate(app))]


def test_many_points_are_used_as_weighted_centres_by_default(open_app):
    app = healthy(open_app(ONE, **BANANA))
    panel = scene(app).panels[0]
    assert len(panel.points) == 150 == len(panel.weights)
    assert panel.weights.mean() == pytest.approx(1.0)
    assert "4,000 rows as 150 weighted centres, certified to" in certificate(app)
    assert address(app)["centres"] == ["150"]
    assert "rows" not in address(app)


def test_the_certificate_is_that_of_the_estimator_for_any_number_of_points(open_app):
    """The page has the bound from the centres' own coefficients; `Quantised` a closer one."""
    app = open_app(ONE, **BANANA)
    rows = app.session_state[KEY].rows
    sigma = scene(app).panels[0].family.kernel.sigma
    model = Quantised(NestedOneClassSVM(sigma=sigma, levels=11), 150, tol=1.0, random_state=0)
    X = rows.fitted.X
    close = model.fit(X).certificate_
    problem = lifted(model.estimator_, model.cells_, model.centres_, model.weights_)
    own = certify(array_source(X, None, np.ones(len(X))), problem)
    shown = gaps(app)[-1] / 100
    assert own.gap / 2 < shown < 2 * own.gap
    assert close.gap < shown
    assert own.n_points == close.n_points == rows.n == 4000


@pytest.mark.parametrize(("method", "known"), [("one-class SVM", True), (WITH_ETA, False)])
def test_coefficients_of_another_level_have_no_certificate(method, known):
    """The page had one for α(ηλ), a subclass of the path: 169%, and that centres were coarse."""
    X = make_sample("banana", n=300, random_state=0).X
    assert has_certificate(tasks.fit(Spec(method, 0.5).solved, X).estimator) == known


def test_a_sample_can_be_chosen_and_is_in_the_address(open_app):
    app = open_app(ONE, **BANANA)
    app = healthy(look_at(app, rows="sample", most=300).run())
    assert len(scene(app).panels[0].points) == 300
    assert scene(app).panels[0].weights is None
    assert not [m.value for m in app.markdown if "weighted centres" in m.value]
    assert address(app)["rows"] == ["sample"]


def test_links_that_name_the_size_of_a_sample_still_open_it(open_app):
    app = healthy(open_app(ONE, data="banana", most="300", **{"banana.n": "4000"}))
    assert len(scene(app).panels[0].points) == 300


def test_two_classes_have_centres_of_their_own(open_app):
    app = healthy(open_app(TWO, **BANANA))
    current = app.session_state[KEY]
    assert set(current.fitted.y) == {-1, 1}
    for sign in (-1, 1):
        mine = current.fitted.weights[current.fitted.y == sign]
        assert mine.sum() == np.sum(current.rows.fitted.y == sign)
    assert "Nested cost-sensitive SVM: " in certificate(app)


def test_pages_of_single_points_say_that_they_use_a_sample(open_app):
    app = healthy(open_app("pages/explore/compare.py", most="150", **BANANA))
    assert any("uses a sample of the rows" in caption.value for caption in app.caption)
    assert app.session_state[KEY].fitted.n == 150


def test_uploaded_rows_keep_their_row_and_identifiers(open_app):
    """A centre of one row is called by that row, others by the number of their rows."""
    X = make_sample("banana", n=2000, random_state=0).X.copy()
    X[17] = [9.0, 9.0]
    lines = [f"{x:.4f},{y:.4f},id{k}" for k, (x, y) in enumerate(X)]
    app = uploaded(open_app(DATA), "\n".join(["x,y,name", *lines]))
    healthy(look_at(app, centres=100).switch_page(ONE).run())
    names = scene(app).point_names
    assert "row 19, id17" in names
    assert any(name.endswith(" rows") for name in names)
    assert certificate(app).startswith("**2,000 rows as 100 weighted centres")


def test_the_tree_is_of_a_sample_of_rows_in_the_sets_of_all(open_app):
    app = healthy(open_app("pages/use/cluster_tree.py", **BANANA))
    assert "4,000 rows as 150 weighted centres, certified to " in certificate(app)
    assert any("a sample of 1,500 rows" in caption.value for caption in app.caption)
    current = app.session_state[KEY]
    parzen = ParzenLevelSets(0.2 * typical_distance(current.fitted))
    family = parzen.fit(current.fitted.X, sample_weight=current.fitted.weights).family_
    tree = cluster_tree(family, current.measured.X).prune(min_mass=0.02)
    shown = next(m.value for m in app.metric if m.label == "Branches")
    assert shown.startswith(f"{len(tree)} of ")


def test_rows_that_coincide_share_a_rank_and_the_page_says_so(open_app):
    lines = [f"{k % 8},{k % 8 * (k % 8 - 3)}" for k in range(2000)]
    app = uploaded(open_app(DATA), "\n".join(["x,y", *lines]))
    healthy(app.switch_page(OUTLIERS).run())
    listed = next(frame.value for frame in app.dataframe if "rank" in frame.value.columns)
    tied = listed["tied"][0]
    assert tied % 250 == 0
    assert set(listed["rank"][:250]) == {1}
    ties = [c.value for c in app.caption if "most abnormal points tie" in c.value]
    assert f"The {tied:,} most abnormal points tie" in ties[0]
    assert "They share a rank." in ties[0]


@pytest.fixture
def ranked(open_app, monkeypatch):
    """Open the Outliers page; return the page, and a function that returns what it ranks."""
    given = []
    monkeypatch.setattr(downloads, "ranking_button", lambda *shown: given.append(shown))

    def visit(**query):
        return open_app(OUTLIERS, **query), lambda: given[-1]

    return visit


def test_all_uploaded_rows_are_ranked_and_downloaded(open_app, monkeypatch):
    n, odd = 20_000, 777
    X = np.concatenate([make_sample("banana", n=n, random_state=0).X])
    X[odd] = [7.0, 7.0]
    lines = [f"E-{k},2024-03-{1 + k % 28:02d},{x!r},{y!r}" for k, (x, y) in enumerate(X.tolist())]
    app = uploaded(open_app(DATA), "\n".join(["employee_id,date,x,y", *lines]))
    given = []
    monkeypatch.setattr(downloads, "ranking_button", lambda *shown: given.append(shown))
    healthy(app.switch_page(OUTLIERS).run())
    assert "**20,000 rows as 1,000 weighted centres, certified to " in certificate(app)
    assert any("Ranks are among all 20,000 rows" in caption.value for caption in app.caption)
    rows = list(csv.DictReader(io.StringIO(downloads.csv(*given[-1]).decode())))
    assert len(rows) == n
    ranks = [int(row["rank"]) for row in rows]
    assert ranks == sorted(ranks)
    assert sorted(int(row["row"]) for row in rows) == list(range(2, n + 2))
    first = rows[0]
    assert (first["row"], first["employee_id"]) == (str(odd + 2), f"E-{odd}")
    assert float(first["x"]) == 7.0
    assert first["date"].startswith("2024-03-22")
    listed = next(frame.value for frame in app.dataframe if "rank" in frame.value.columns)
    assert list(listed["row"][:50]) == [int(row["row"]) for row in rows[:50]]
    assert len(listed) == page_rows.FIRST + page_rows.OTHERS


def test_ranks_are_those_of_the_full_fit(ranked):
    """The page on 500 centres against the same estimator on all 2,000 rows."""
    app, shown = ranked(data="banana", centres="500", **{"banana.n": "2000"})
    whole, found = healthy(app) and shown()
    ranking = found.found.ranking
    levels = np.asarray(ranking.family.levels)
    full = NestedOneClassSVM(sigma=ranking.family.kernel.sigma, levels=levels[:0:-1].copy())
    other = outlier_ranking(full.fit(whole.fitted.X).family_, whole.fitted.X)
    assert len(ranking) == whole.fitted.n == 2000
    assert spearmanr(ranking.rank, other.rank).statistic > 0.99
    assert len({*ranking.order[:20]} & {*other.order[:40]}) >= 15


def test_a_row_is_explained_as_one_of_all_rows(ranked):
    app, shown = ranked(data="banana", centres="150", **{"banana.n": "3000"})
    whole, found = shown()
    row = int(found.found.ranking.order[2])
    app = healthy(look_at(app, point=row).run())
    assert app.header[0].value.startswith("Why rank 3? Point ")
    assert rows_of(app, "ranking") == [2]
    assert address(app)["point"] == [str(row)]
    supporting = app.dataframe[-1].value["point"]
    assert all(re.fullmatch(r"[\d,]+ rows?", name) for name in supporting)
    text = cards.page(whole, found, "pca", 3)
    assert f"Rank 3: point {row}" in text
    assert "of 3,000 points" in text


def test_while_rows_are_scored_a_sample_is_ranked_and_it_can_be_cancelled(open_app, monkeypatch):
    monkeypatch.setattr(asides, "WAIT_SECONDS", 0.0)
    alone = Runner(cache.STORE)
    alone.workers = 0  # No worker takes the work while it waits.
    monkeypatch.setattr(jobs, "RUNNER", alone)
    app = healthy(open_app(OUTLIERS, data="banana", centres="60", **{"banana.n": "1600"}))
    # Nothing was waited for: the picture is there, with ranks of a sample.
    app.button(key="cancel_ranks").click().run()
    assert any("stopped" in m.value for m in healthy(app).markdown)
    assert not any("Ranks are among all" in caption.value for caption in app.caption)
    monkeypatch.undo()
    monkeypatch.setattr(asides, "WAIT_SECONDS", 300.0)
    app.button(key="ranks_again").click().run()
    assert any(
        "Ranks are among all 1,600 rows" in caption.value for caption in healthy(app).caption
    )


def test_the_download_of_a_sample_has_the_rows_of_the_sample(open_app, monkeypatch):
    """Not the first rows of the file with the ranks of others; its name says what it is."""
    monkeypatch.setattr(asides, "WAIT_SECONDS", 0.0)
    alone = Runner(cache.STORE)
    alone.workers = 0  # The rows are never scored.
    monkeypatch.setattr(jobs, "RUNNER", alone)
    given, names = [], []
    button = downloads.ranking_button
    monkeypatch.setattr(
        downloads, "ranking_button", lambda *shown: (given.append(shown), button(*shown))
    )
    monkeypatch.setattr(
        downloads.st, "download_button", lambda *given, **options: names.extend(map(str, given))
    )
    X = make_sample("banana", n=4000, random_state=0).X
    lines = [f"E-{k},{x!r},{y!r}" for k, (x, y) in enumerate(X.tolist())]
    app = uploaded(open_app(DATA), "\n".join(["employee_id,x,y", *lines]))
    healthy(look_at(app, centres=60).switch_page(OUTLIERS).run())
    rows = list(csv.DictReader(io.StringIO(downloads.csv(*given[-1]).decode())))
    listed = next(frame.value for frame in app.dataframe if "rank" in frame.value.columns)
    assert list(listed["row"]) == [int(row["row"]) for row in rows]
    assert len(rows) == 1500
    for row in rows:
        at = int(row["row"]) - 2
        assert (row["employee_id"], float(row["x"])) == (f"E-{at}", X[at, 0])
    assert {float(row["top_median"]) for row in rows} == set(np.median(X, axis=0))
    assert any("-sample-of-1500-rows" in name for name in names)


def test_points_of_a_sample_are_called_by_their_number_among_all(open_app, monkeypatch):
    monkeypatch.setattr(asides, "WAIT_SECONDS", 0.0)
    alone = Runner(cache.STORE)
    alone.workers = 0
    monkeypatch.setattr(jobs, "RUNNER", alone)
    given = []
    monkeypatch.setattr(downloads, "ranking_button", lambda *shown: given.append(shown))
    app = healthy(open_app(OUTLIERS, data="banana", centres="60", **{"banana.n": "4000"}))
    table = next(frame.value for frame in app.dataframe if "rank" in frame.value.columns)
    number = int(table["point"][0])
    app = healthy(look_at(app, point=number).run())
    assert app.header[0].value == f"Why rank 1? Point {number}"
    assert f"Rank 1: point {number}<" in cards.page(*given[-1], "pca", 1)


def test_scores_of_many_rows_differ_in_the_digits_that_are_shown(ranked):
    app, shown = ranked(data="banana", centres="60", **{"banana.n": "4000"})
    ranking = shown()[1].found.ranking
    first = ranking.order[:2]
    one, two = (score_text(ranking, ranking.score[row]) for row in first)
    assert (one == two) == (ranking.score[first[0]] == ranking.score[first[1]])
    assert score_text(ranking, 1.0 - 1 / len(ranking)) == "0.9998"
    table = next(frame for frame in app.dataframe if "rank" in frame.value.columns)
    assert '"format": "%.4f"' in table.proto.columns


def test_scoring_ends_when_another_page_waits_for_its_own_work(open_app, monkeypatch):
    """A worker that scores rows nobody looks at would keep the next page waiting."""
    monkeypatch.setattr(asides, "WAIT_SECONDS", 0.0)
    alone = Runner(cache.STORE)
    alone.workers = 0
    monkeypatch.setattr(jobs, "RUNNER", alone)
    app = open_app(OUTLIERS, data="banana", centres="60", **{"banana.n": "1700"})
    assert "ranks" in app.session_state["asides"]
    monkeypatch.setattr(jobs, "INLINE_SECONDS", 0.0)
    healthy(app.switch_page("pages/use/bandwidth.py").run())
    assert app.session_state["jobs_waiting"]
    assert not app.session_state["asides"]


@pytest.mark.parametrize("method", list(ONE_CLASS))
def test_rows_are_scored_in_blocks_with_their_own_kernel(method, monkeypatch):
    """With a centre for each row it is the ranking of the full fit, ties included."""
    X = np.concatenate([make_sample("ring", n=120, random_state=0).X, [[5.0, 5.0], [6.0, -5.0]]])
    spec = Spec(method, 0.5, 7)
    found = row_centres(X, None, len(X), 0)
    fitted = tasks.fit(spec.solved, found.centres, None, found.weights).under(spec)
    seen, blocks = [], OwnSupport.scan
    monkeypatch.setattr(
        OwnSupport, "scan", lambda *given: (seen.append(len(given[1])), blocks(*given))[1]
    )
    monkeypatch.setattr(all_rows, "BLOCK", 64)
    same = SAME_LEVEL * top_level(X, 0.5)
    given = (fitted.family, X, found.cell, found, same)
    ranked = all_rows.rank_rows(*given, never_stop)
    assert max(seen[:2]) == 64
    assert all_rows.rank_rows(*given, partial(_stop_at, 0.3)) is None
    family = tasks.fit(spec.solved, X).under(spec).family
    brute = outlier_ranking(family, X, resolution=same)
    if method == "nested one-class SVM":
        # Between two levels coefficients are linear, and many rows enter at a level exactly;
        # with a coefficient at its bound they enter above it.
        assert np.all(ranked.first > brute.level - same)
        assert spearmanr(ranked.first, brute.level).statistic > 0.98
        return
    np.testing.assert_allclose(ranked.first, brute.level, rtol=1e-4)
    np.testing.assert_array_equal(ranked.tied, brute.tied)
    np.testing.assert_array_equal(ranked.rank, brute.rank)


@pytest.mark.parametrize("method", list(ONE_CLASS))
@pytest.mark.parametrize("count", [60, 300])
def test_the_first_ranks_are_those_of_the_full_fit(method, count):
    """Rows between coarse centres do not come before rows that are alone."""
    n = 1000
    X = make_sample("banana", n=n, random_state=0).X.copy()
    X[:5] = [[6.0, 6.0], [-5.0, 5.0], [5.5, -4.0], [-5.0, -5.0], [0.0, 8.0]]
    spec = Spec(method, 0.35, 21, spacing="geometric")
    found = row_centres(X, None, count, 0)
    fitted = tasks.fit(spec.solved, found.centres, None, found.weights).under(spec)
    same = SAME_LEVEL * top_level(X, 0.35)
    ranked = all_rows.rank_rows(fitted.family, X, found.cell, found, same, never_stop)
    assert set(np.argsort(ranked.rank, kind="stable")[:5]) == set(range(5))
    # A coefficient of 1/n is enough to be inside at λ = 1/n, whatever the others do.
    assert ranked.first.min() > 0.999 / n
    family = tasks.fit(spec.solved, X).under(spec).family
    full = outlier_ranking(family, X, resolution=same).order
    assert len({*np.argsort(ranked.rank, kind="stable")[:30]} & {*full[:30]}) >= 22


def _stop_at(share, done, text="", partial=None):
    return done >= share
