"""Families played in a notebook, and the examples of the manual."""

import json
import runpy
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from nestviz import CostSensitivePath, NestedOneClassSVM, OneClassPath, make_sample
from nestviz.notebook import play

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("plot_*.py"))


@pytest.fixture(scope="module")
def sample():
    return make_sample("banana", random_state=0, n=60)


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(sample):
    player = play(NestedOneClassSVM(sigma=0.5).fit(sample.X), sample.X, frames=5)
    frames = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: frames.append((tag, dict(attributes)))
    parser.feed(player._repr_html_())
    ((tag, attributes),) = frames
    assert tag == "iframe"
    assert attributes["srcdoc"] == player.text


def test_families_by_name_and_the_page_as_a_file(sample, tmp_path):
    path = OneClassPath(sigma=0.5).fit(sample.X)
    levels = np.linspace(0.9, 0.1, 4) * path.family_.levels[-1]
    player = play({"path": path, "union": path.family_.union()}, sample.X, levels=levels)
    player.save(tmp_path / "families.html")
    text = (tmp_path / "families.html").read_text("utf-8")
    assert text == player.text
    assert text == play({"path": path, "union": path.family_.union()}, sample.X, levels=levels).text


def test_bad_input_gets_a_sentence(sample):
    fitted = OneClassPath(sigma=0.5).fit(sample.X)
    with pytest.raises(TypeError, match="OneClassPath is neither a SetFamily nor an estimator"):
        play(OneClassPath(), sample.X)
    with pytest.raises(ValueError, match="no family"):
        play({}, sample.X)
    with pytest.raises(ValueError, match="shape"):
        play(fitted, sample.X[:, 0])
    costs = CostSensitivePath(sigma=0.5).fit(sample.X, sample.y)
    with pytest.raises(ValueError, match="different kinds of levels"):
        play({"one": fitted, "two": costs}, sample.X)


def test_the_player_needs_no_streamlit():
    code = "import sys, nestviz.notebook; raise SystemExit('streamlit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_notebook_runs():
    book = json.loads((ROOT / "examples" / "player.ipynb").read_text("utf-8"))
    names: dict = {}
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            lines = [line for line in cell["source"] if not line.startswith("%")]
            exec(compile("".join(lines), "player.ipynb", "exec"), names)
            assert not cell["outputs"]
    assert set(names["families"]) == {"one-class SVM", "nested"}


CHAPTERS = sorted((ROOT / "examples" / "chapters").glob("*.ipynb"))


def test_notebooks_of_the_course_are_made_from_their_scripts():
    """Run ``python docs/make_notebooks.py`` after a change of a script, a text or an exercise."""
    made = runpy.run_path(str(ROOT / "docs" / "make_notebooks.py"))["notebooks"]()
    assert {path.name: path.read_text("utf-8") for path in CHAPTERS} == made
    assert len(made) == 16


@pytest.mark.parametrize("file", CHAPTERS, ids=lambda file: file.stem)
def test_a_notebook_of_the_course_runs_and_checks_its_claim(file):
    from matplotlib import pyplot

    pyplot.switch_backend("Agg")
    cells = json.loads(file.read_text("utf-8"))["cells"]
    assert cells[0]["source"][2].startswith("**")
    assert cells[0]["source"][2].strip().endswith("?**")
    assert any("## Exercise" in line for line in cells[-2]["source"])
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert any(
        line.startswith("assert ") for cell in code for line in map(str.strip, cell["source"])
    )
    names: dict = {}
    for cell in code:
        assert not cell["outputs"]
        lines = [line for line in cell["source"] if not line.startswith("%")]
        exec(compile("".join(lines), file.name, "exec"), names)
    pyplot.close("all")


def test_there_are_ten_examples():
    assert len(EXAMPLES) == 10


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_runs(example, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    subprocess.run([sys.executable, str(example)], check=True, cwd=ROOT)
