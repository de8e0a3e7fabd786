"""Models that a command saved rank points of other files as they were fitted."""

import io
import json
import zipfile

import numpy as np
from command_runs import MOONS, SENSORS, one_sentence

from nestviz import load_model


def test_a_model_is_what_the_library_loads(nestviz, tmp_path):
    file = tmp_path / "model.skops"
    ran = nestviz("fit", MOONS, "--method", "nested-one-class", "--sigma", "0.5", "--output", file)
    assert (ran.status, ran.out) == (0, "")
    assert ran.err.startswith("Nested one-class SVM: 160 points, 2 features, σ = 0.5, 11 levels, ")
    assert "duality gap" in ran.err
    model = load_model(file)
    assert model.sigma_ == 0.5
    assert {"model.skops", "certificate.json", "preparation.json", "training.npy"} <= set(
        zipfile.ZipFile(file).namelist()
    )


def test_a_model_ranks_its_own_points_as_the_fit_does(nestviz, tmp_path):
    file = tmp_path / "model.skops"
    for options in (("-m", "one-class"), ("--sigma", "0.4"), ("-m", "union", "--missing", "mean")):
        grid = () if "-m" in options else ("--levels", "21", "--spacing", "geometric")
        assert nestviz("fit", SENSORS, *options, *grid, "-o", file).status == 0
        by_fit = nestviz("rank", SENSORS, *options, "--contamination", "0.1").rows
        by_model = nestviz("rank", "--model", file, SENSORS, "--contamination", "0.1").rows
        assert sum(row["flagged"] == "True" for row in by_model) > 0
        for row in by_fit:
            row.pop("class")
        assert by_model == by_fit


def test_new_points_are_scored_by_the_training_points(nestviz, tmp_path):
    model, new = tmp_path / "model.skops", tmp_path / "new.csv"
    assert nestviz("fit", SENSORS, "-m", "parzen", "-o", model, "--quiet").err == ""
    # Other columns, in another order; the first point is far from all sensors.
    new.write_text("pressure,note,temperature\n900.0,far,95.0\n1010.0,near,18.0\n,gap,20.0\n")
    ran = nestviz("rank", "--model", model, new, "--id", "note")
    assert ran.column("row", int) == [2, 3]
    assert [row["note"] for row in ran.rows] == ["far", "near"]
    assert [row["flagged"] for row in ran.rows] == ["True", "False"]
    far, near = ran.column("score")
    assert far == 1.0
    assert near < 0.9
    assert [row["temperature"] for row in ran.rows] == ["95.0", "18.0"]
    alone = tmp_path / "alone.csv"
    alone.write_text("pressure,temperature\n1010.0,18.0\n")
    assert nestviz("rank", "--model", model, alone).column("score") == [near]


def test_texts_that_a_model_does_not_know_are_refused(nestviz, tmp_path):
    train, new, model = (tmp_path / name for name in ("train.csv", "new.csv", "model.skops"))
    kinds = ("red", "green", "blue") * 6
    rows = [f"{k % 7}.5,{kind}" for k, kind in enumerate(kinds)]
    train.write_text("\n".join(["x,colour", *rows]) + "\n")
    columns = ("--no-label", "--features", "x,colour")
    assert nestviz("fit", train, *columns, "-m", "parzen", "-o", model).status == 0
    new.write_text("x,colour\n1,green\n2,red\n")
    assert nestviz("rank", "--model", model, new).status == 0
    for content, words in (
        ("x,colour\n1,green\n2,pink\n", "'pink' is new"),
        ("x,hue\n1,green\n2,red\n", "column 'colour'"),
        ("x,colour\nhigh,green\nlow,red\n", "fitted to numbers"),
        ("x,colour\n,green\n,red\n", "missing"),
    ):
        new.write_text(content)
        ran = nestviz("rank", "--model", model, new)
        assert ran.status == 2
        assert one_sentence(ran.err)
        assert words in ran.err


def test_models_of_the_app_rank_features_as_they_are(nestviz, tmp_path):
    from nestviz import ParzenLevelSets, QuantileOneClassSVM, save_model

    X = np.random.default_rng(0).normal(size=(30, 2))
    table = tmp_path / "points.csv"
    np.savetxt(table, X, delimiter=",", header="u,v", comments="", fmt="%.17g")
    for model in (ParzenLevelSets(0.5), QuantileOneClassSVM(sigma=0.8)):
        save_model(model.fit(X), tmp_path / "model.zip")
        ran = nestviz("rank", "--model", tmp_path / "model.zip", table)
        assert ran.status == 0, ran.err
        assert "as they are" in ran.err
        assert ran.rows[0]["score"] == "1.0"
        wrong = nestviz("rank", "--model", tmp_path / "model.zip", table, "--features", "u")
        assert (wrong.status, wrong.out) == (2, "")


def test_options_that_a_model_has_decided_are_named(nestviz, tmp_path):
    file = tmp_path / "model.skops"
    nestviz("fit", MOONS, "-m", "parzen", "-o", file)
    ran = nestviz("rank", "--model", file, MOONS, "--sigma", "3", "-m", "union")
    assert ran.status == 0
    assert "--sigma is not used" in ran.err
    assert "--method is not used" in ran.err


def damaged(file, **changes):
    """The archive with some of its files changed, or left out where they are None."""
    with zipfile.ZipFile(file) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in {**files, **changes}.items():
            if content is not None:
                archive.writestr(name, content)
    file.write_bytes(out.getvalue())


def test_a_damaged_preparation_is_refused(nestviz, tmp_path):
    file = tmp_path / "model.skops"
    nestviz("fit", SENSORS, "-m", "parzen", "-o", file)
    whole = file.read_bytes()
    with zipfile.ZipFile(file) as archive:
        note = json.loads(archive.read("preparation.json"))
    wrong = [
        b"", b"[]", b"\xff", b"[" * 100_000, json.dumps({**note, "means": ["x"]}).encode(),
        json.dumps({**note, "features": note["features"][:1]}).encode(),
        json.dumps({**note, "method": "rm"}).encode(), json.dumps({**note, "texts": 3}).encode(),
        json.dumps({**note, "scaling": {}}).encode(),
        json.dumps({**note, "scaling": {**note["scaling"], "deviations": [0.0, 1.0]}}).encode(),
        json.dumps({**note, "scaling": {**note["scaling"], "finer": [1e300, 1]}}).encode(),
        json.dumps({name: note[name] for name in note if name != "scaling"}).encode(),
    ]  # fmt: skip
    for content in wrong:
        file.write_bytes(whole)
        damaged(file, **{"preparation.json": content})
        ran = nestviz("rank", "--model", file, SENSORS)
        assert (ran.status, ran.out) == (2, ""), content[:80]
        assert one_sentence(ran.err)
    for content in (b"", b"no array", whole[:500]):
        file.write_bytes(whole)
        damaged(file, **{"training.npy": content})
        assert nestviz("rank", "--model", file, SENSORS).status == 2
    file.write_bytes(whole[: len(whole) // 2])
    ran = nestviz("rank", "--model", file, SENSORS)
    assert ran.status == 2
    assert one_sentence(ran.err)


def test_a_model_of_two_classes_ranks_no_outliers(nestviz, tmp_path):
    file = tmp_path / "model.skops"
    assert nestviz("fit", MOONS, "--method", "cost-sensitive", "-o", file).status == 0
    ran = nestviz("rank", "--model", file, MOONS)
    assert (ran.status, ran.out) == (2, "")
    assert "two classes" in ran.err
    missing = nestviz("rank", "--model", tmp_path / "none.skops", MOONS)
    assert missing.status == 1
    assert one_sentence(missing.err)
