"""The Theory page: every chapter and every miniature, without a browser."""

import json

import numpy as np
import pytest
from conftest import drawn, healthy, scene

from nestviz.ui.page_frame import page_text
from nestviz.ui.pages.theory import examples
from nestviz.ui.pages.theory.page import AMBIGUOUS, CHAPTERS, MINIATURE

PAGE = "pages/learn/theory.py"


def chapter(open_app, name):
    return open_app(PAGE, chapter=name)


def last_words(app):
    return [caption.value for caption in app.main.caption][-1]


@pytest.mark.parametrize("name", list(CHAPTERS))
def test_every_chapter_has_its_text_its_miniature_and_neighbours(open_app, name):
    app = chapter(open_app, name)
    assert app.pills(key="chapter").value == name
    assert app.header[0].value == CHAPTERS[name].title
    before, after = page_text("theory", CHAPTERS[name].file).split(MINIATURE)
    shown = [block.value for block in app.markdown]
    assert before.strip() in shown
    assert after.strip() in shown
    assert app.get("bidi_component") or app.get("plotly_chart")


@pytest.mark.parametrize("chapter_", CHAPTERS.values(), ids=lambda c: c.file)
def test_formulas_have_a_source(chapter_):
    words = page_text("theory", chapter_.file)
    assert "Lee & Scott 20" in words
    assert words.count("$$") % 2 == 0


def test_one_can_turn_the_pages(open_app):
    app = open_app(PAGE)
    names = list(CHAPTERS)
    assert not [b for b in app.button if b.key == "theory.back"]
    app.button(key="theory.on").click().run()
    assert app.pills(key="chapter").value == names[1]
    app.button(key="theory.back").click().run()
    assert healthy(app).pills(key="chapter").value == names[0]


def test_an_unknown_chapter_is_the_first(open_app):
    assert chapter(open_app, "Nonsense").header[0].value == "The two problems"


def test_problems_show_coefficients_as_sizes(open_app):
    app = chapter(open_app, "Problems")
    start, end = drawn(app).panels[0].sizes[[0, -1]]
    assert np.count_nonzero(start == 1.0) >= 39
    assert np.count_nonzero(end == 0.0) >= 20
    assert len(scene(app).class_names) == 1
    app.segmented_control(key="problem_mini").set_value("Two classes").run()
    two = scene(healthy(app))
    assert len(two.class_names) == 2
    assert two.scale.levels[0] == 0.0


@pytest.mark.parametrize("count", [2, 9, 21])
def test_constraints_are_broken_one_by_one_and_kept_together(open_app, count):
    app = chapter(open_app, "Constraints")
    app.slider(key="theory_levels").set_value(count).run()
    assert last_words(healthy(app)).endswith("solved together, none.")
    assert ", 0 of 40" not in last_words(app)


def test_interpolated_sets_only_grow():
    walk = examples.between()
    # The outlines of both ends.
    assert walk.ghosts == 2
    small = examples.tiny()
    fields = small.nested.family_.values(small.grid, walk.scale.levels)
    inside = fields > 0
    assert (inside[1:] >= inside[:-1]).all()
    assert inside[-1].sum() > inside[0].sum()


@pytest.mark.parametrize("name", list(examples.KERNELS))
def test_only_kernels_that_can_be_negative_leave_places_behind(open_app, name):
    app = chapter(open_app, "Kernel")
    app.selectbox(key="theory_kernel").set_value(name).run()
    broken = any(drawn(healthy(app)).panels[0].broken)
    safe = examples.KERNELS[name].nonnegative
    assert broken != safe
    assert last_words(app).startswith(
        "This kernel is never negative" if safe else "This kernel can"
    )


def test_the_union_keeps_what_the_path_leaves_behind(open_app):
    path, union = drawn(chapter(open_app, "Union")).panels
    assert any(path.broken)
    assert not any(union.broken)


def test_volume_has_its_least_value_in_the_middle(open_app):
    app = chapter(open_app, "Volume")
    before = last_words(app)
    found = examples.bandwidths()
    assert 0 < found.best < len(found.sigmas) - 1
    app.select_slider(key="theory_sigma").set_value(f"{found.sigmas[-1]:.2f}").run()
    assert last_words(healthy(app)) != before
    curves = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
    assert len(curves) == 2


def test_rankings_disagree_only_where_sets_cross(open_app):
    app = chapter(open_app, "Rankings")
    shown = AMBIGUOUS
    spans = examples.tiny().path.family_.intervals(examples.tiny().fresh)[shown]
    assert len(spans) > 1
    assert last_words(app).count(" to ") == len(spans)
    app.segmented_control(key="theory_method").set_value("nested one-class SVM").run()
    assert "d = 0%" in last_words(healthy(app))
    entry = examples.tiny().nested.family_.first_level(examples.tiny().fresh)
    app.slider(key="theory_point").set_value(int(np.argmin(entry))).run()
    assert ("in none of the sets" in last_words(healthy(app))) == bool(np.isinf(entry).any())
    app.slider(key="theory_point").set_value(int(np.argmax(entry))).run()
    assert f"s+ = {entry.max():.3g}, s− = {entry.max():.3g}." in last_words(healthy(app))


def test_the_path_follows_the_level(open_app):
    app = chapter(open_app, "Path")
    before = last_words(app)
    app.slider(key="theory_at").set_value(1.0).run()
    assert last_words(healthy(app)) != before
    assert "40 points in" in last_words(app) or "39 points in" in last_words(app)


def test_the_certificate_never_promises_too_much(open_app):
    found = examples.spoiled()
    assert (found.gaps >= found.errors).all()
    assert (np.diff(found.errors) > 0).all()
    assert found.best < 1e-9
    app = chapter(open_app, "Certificates")
    app.slider(key="theory_spoil").set_value(0.8).run()
    assert "at most" in last_words(healthy(app))
