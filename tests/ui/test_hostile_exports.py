"""Hostile names in every file that leaves the app, without a browser."""

import ast
import csv
import io
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from hostile_names import MARKED, NAMES, hostile_data, hostile_scenes
from PIL import Image

from nestviz import NestedOneClassSVM
from nestviz.data import Dataset, dataset_to_csv, read_dataset
from nestviz.drawing import draw_sets
from nestviz.escaping import plain
from nestviz.figures.export import figure_json, figure_page
from nestviz.figures.points import points_figure
from nestviz.notebook import play
from nestviz.ui.export import movie, picture, player_page, scripts

SVG = "{http://www.w3.org/2000/svg}"
SCENES = list(hostile_scenes())
POINTS = np.random.default_rng(0).normal(size=(12, 2))


def shown_in(name, texts):
    """Whether a text is the name, perhaps cut to its place."""
    given = plain(name)
    return any(text == given or (text[:-1] and given.startswith(text[:-1])) for text in texts)


class Page(HTMLParser):
    """The tags and texts of a page outside its scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)

    def handle_data(self, data):
        if self.tags[-1:] not in (["script"], ["style"]):
            self.texts.append(data.strip())


@pytest.mark.parametrize(("scene", "names"), SCENES)
def test_names_in_pictures_and_pages_of_a_scene(scene, names):
    root = ElementTree.fromstring(picture.svg(scene))
    words = [element.text or "" for element in root.iter(f"{SVG}text")]
    assert root[0].text == plain(names[2]) or not plain(names[2])
    for name in {*names[:2], *names[3:]}:
        assert shown_in(name, words) or not plain(name), name
    assert not [e for e in root.iter() if e.tag in (f"{SVG}script", f"{SVG}image", f"{SVG}a")]
    assert Image.open(io.BytesIO(picture.png(scene))).format == "PNG"
    page = Page(player_page.page(scene, names[0]))
    usual = Page(player_page.page(SCENES[0][0], "usual"))
    assert page.tags == usual.tags
    assert page.texts.count(plain(names[0])) >= 2 or not plain(names[0])


def test_names_in_a_film():
    content = movie.gif(SCENES[0][0])
    assert Image.open(io.BytesIO(content)).n_frames == 4
    assert not re.search(rb"alert|http", content)


@pytest.mark.parametrize("name", NAMES)
def test_names_in_a_figure(name):
    figure = points_figure(POINTS, None, (name, MARKED))
    written = json.loads(figure_json(figure))["layout"]["xaxis"]["title"].get("text", "")
    assert not re.search(r"[<$]|%\{", written)


def test_names_in_the_page_of_a_figure():
    names = " ".join(plain(name, 40) for name in NAMES)
    page = Page(figure_page(points_figure(POINTS, None, (names, MARKED)), names))
    assert page.tags == Page(figure_page(points_figure(POINTS, None, ("x", "y")), "z")).tags


def test_names_in_a_drawing_are_no_formulas():
    """Not even where the reader's own settings hand all text to LaTeX."""
    family = NestedOneClassSVM(sigma=0.8, levels=3).fit(POINTS).family_
    with mpl.rc_context({"text.usetex": True}):
        figure = draw_sets({r"$\frac": family, "a$b$c": family}, POINTS, level_name="$x")
    figure.savefig(io.BytesIO())


def test_names_in_a_notebook():
    model = NestedOneClassSVM(sigma=0.8, levels=3).fit(POINTS)
    player = play(dict.fromkeys(NAMES[:3], model), POINTS, frames=3, title=MARKED)
    page = Page(player._repr_html_())
    assert page.tags == ["iframe"]
    assert Page(player.text).tags == Page(play(model, POINTS, frames=3).text).tags


@pytest.mark.parametrize("name", NAMES)
def test_names_in_a_script(name, tmp_path, monkeypatch):
    data = Dataset(POINTS, np.where(POINTS[:, 0] > 0, 1, -1), (name, "label"), name)
    code = "\n".join(scripts.file_lines(data))
    assert [type(line).__name__ for line in ast.parse(code).body] == ["ImportFrom", "Assign"]
    file = scripts.own_file_name(data)
    assert re.fullmatch(r"[\w-]{1,60}\.csv", file, re.ASCII)
    text = dataset_to_csv(data).encode()
    monkeypatch.chdir(tmp_path)
    (tmp_path / file).write_bytes(text)
    space = {}
    exec(code, space)
    assert space["data"].fingerprint == data.fingerprint
    first = next(csv.reader(io.StringIO(text.decode(), newline="")))
    assert first[0][:1] not in tuple("=+-@\t\r")
    assert read_dataset(file, label="label_").feature_names == data.feature_names


def test_the_names_of_files_are_letters_and_digits():
    data = hostile_data()
    assert re.fullmatch(r"[\w-]+\.csv", scripts.own_file_name(data), re.ASCII)
