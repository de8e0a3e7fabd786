"""The story of the start page: every step, its link, its numbers, and ways out of it."""

import re

import pytest
from app_visits import address, components, healthy, knobs, look, scene
from test_player_reports import tell

from nestviz.ui.pages.home.facts import NO_CROSSING, VERDICTS
from nestviz.ui.pages.home.steps import SAMPLE, STEPS, TEXTS, WIDTH
from nestviz.ui.panels.sweep import START
from nestviz.ui.scene.message import read_header
from nestviz.ui.session import view_state

NAMES = [step.name for step in STEPS]
ONE_CLASS = "pages/explore/one_class.py"
MOST_WORDS, MOST_NOTES = 60, 95


def sent(app):
    """The header of the message to the player."""
    return read_header(components(app, "nestviz_player")[0].proto.bytes)


def told(app):
    return sent(app)["player"]["story"]


def words(app):
    return " ".join(told(app)["text"])


def number(text, before):
    """The number that follows some words."""
    found = re.search(rf"{re.escape(before)}\s*([\d.]+\d)", text)
    assert found, (before, text)
    return float(found[1])


def test_the_names_of_links_are_those_of_the_steps():
    assert (*NAMES, "free") == view_state.STEPS
    assert list(TEXTS) == NAMES
    assert 8 <= len(STEPS) <= 10


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_link_opens_a_step_with_its_picture_and_its_words(open_app, step):
    app = open_app(step=step.name)
    story, header = told(app), sent(app)
    assert story["name"] == step.name
    assert story["title"] == TEXTS[step.name]["title"]
    assert [name for name, _ in story["steps"]] == NAMES
    assert 20 <= len(words(app).split()) <= MOST_WORDS
    assert 60 <= len(story["notes"].split()) <= MOST_NOTES
    assert "{" not in words(app) + story["notes"]
    assert len(header["panels"]) == len(step.methods)
    assert set(header["shown"]) == set(step.layers)
    assert (header["player"]["probe"] is not None) == step.pin
    assert story["chart"] == step.chart
    assert story["detour"] == ""
    assert "frame" not in address(app)
    assert "probe" not in address(app)


def test_the_first_picture_is_a_ring_of_one_colour(open_app):
    app = open_app()
    assert told(app)["name"] == NAMES[0]
    assert sent(app)["class_names"] == ["points"]
    assert app.selectbox(key="data").value == SAMPLE
    assert knobs(app)["width"] == WIDTH
    assert "data" not in address(app)


def test_other_pages_keep_their_own_first_data(open_app):
    app = open_app()
    app.switch_page("pages/explore/one_class.py").run()
    assert healthy(app).selectbox(key="data").value == "banana"


def test_the_next_step_and_the_one_before(open_app):
    app = open_app()
    for name in NAMES[1:]:
        tell(app, story=f"step:{name}")
        assert told(app)["name"] == name
        assert address(app)["step"] == [name]
    tell(app, story=f"step:{NAMES[0]}")
    assert told(app)["name"] == NAMES[0]
    assert "step" not in address(app)


def test_a_prediction_is_remembered_and_resolved(open_app):
    app = open_app()
    assert [choice["chosen"] for choice in told(app)["choices"]] == [False, False]
    tell(app, story="answer:stays")
    assert [choice["chosen"] for choice in told(app)["choices"]] == [True, False]
    tell(app, story="step:worst")
    assert VERDICTS["stays"].strip() in words(app)
    tell(app, story="step:ask")
    tell(app, story="answer:leaves")
    tell(app, story="step:worst")
    assert VERDICTS["leaves"].strip() in words(app)
    assert VERDICTS["stays"].strip() not in words(app)


@pytest.mark.parametrize("report", ["step:nowhere", "answer:maybe", "nonsense", ":", "step:free:x"])
def test_a_report_that_cannot_be_changes_nothing(open_app, report):
    app = open_app(step="worst")
    before = told(app)
    tell(app, story=report)
    assert told(app) == before


def test_the_numbers_are_those_of_the_family(open_app):
    app = open_app(step="worst")
    shown = scene(app)
    family, place = shown.panels[0].family, [sent(app)["player"]["probe"]]
    entered, left = number(words(app), "enters at λ ="), number(words(app), "leaves at λ =")
    worst = number(words(app), "worst level, λ =")
    assert shown.level == pytest.approx(worst, rel=0.01)
    assert family.contains(place, 0.5 * (entered + left))[0]
    assert not family.contains(place, 1.01 * entered)[0]
    assert not family.contains(place, 0.99 * left)[0]
    assert not family.contains(place, worst)[0]


def test_the_numbers_follow_other_settings_and_one_click_returns(open_app):
    app = open_app(step="worst")
    guided, place = words(app), sent(app)["player"]["probe"]
    tell(app, knobs={"width": 0.3})
    assert told(app)["detour"]
    assert words(app) != guided
    tell(app, story="return:")
    assert (words(app), sent(app)["player"]["probe"]) == (guided, place)
    assert told(app)["detour"] == ""


def test_other_data_leave_the_settings_of_the_story_but_not_its_step(open_app):
    app = open_app(step="worst")
    guided = words(app)
    app.selectbox(key="data").set_value("moons").run()
    assert told(healthy(app))["detour"]
    assert told(app)["name"] == "worst"
    assert words(app) != guided
    tell(app, story="return:")
    assert words(app) == guided
    assert app.selectbox(key="data").value == SAMPLE


def test_sets_that_do_not_cross_are_said_not_to(open_app):
    app = open_app(step="ask", data="banana", width="2")
    assert tuple(told(app)["text"]) == NO_CROSSING
    assert not told(app)["choices"]
    assert sent(app)["player"]["probe"] is None


def test_a_step_begins_at_its_own_level_and_layers(open_app):
    app = open_app(step="worst")
    start = sent(app)["start"]
    tell(app, frame=12.5, view=["fill"], probe=[0.5, 0.5])
    assert address(app)["frame"] == ["12.5"]
    assert address(app)["view"] == ["fill"]
    tell(app, frame=12.5, view=["fill"], probe=[0.5, 0.5], story="step:profile")
    assert sent(app)["start"] == start
    assert not {"frame", "view", "probe"} & set(address(app))


def test_only_a_level_that_the_visitor_moved_to_is_kept_for_other_pages(open_app):
    app = open_app(step="ask")
    app.switch_page(ONE_CLASS).run()
    untouched = sent(healthy(app))["start"]
    assert untouched == START
    app = open_app(step="ask")
    tell(app, frame=12.5)
    app.switch_page(ONE_CLASS).run()
    assert sent(healthy(app))["start"] == pytest.approx(12.5, abs=0.1)


def test_a_link_to_a_step_can_name_a_level(open_app):
    app = open_app(step="play", frame="20")
    assert (sent(app)["start"], sent(app)["autoplay"]) == (20, False)
    tell(app, story="step:worst")
    assert sent(app)["start"] != 20
    assert sent(open_app(step="play"))["autoplay"]


def test_the_story_can_be_left_and_entered_again(open_app):
    app = open_app(step="unions")
    tell(app, story="leave:")
    assert told(app) is None
    assert len(sent(app)["panels"]) == 2
    assert address(app)["step"] == ["free"]
    button = next(b for b in app.button if b.label == "Back to the story")
    button.click().run()
    assert told(healthy(app))["name"] == "unions"


def test_the_cards_stay_below_every_step(open_app):
    app = open_app(step="next")
    assert len([button for button in app.button if button.key.startswith("start.")]) == 5
    look(app, step="cost").run()
    assert len([b for b in healthy(app).button if b.key.startswith("start.")]) == 5
