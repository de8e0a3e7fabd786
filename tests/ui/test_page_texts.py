"""The texts of controls, columns and numbers: complete, and of known keys only."""

import tomllib
from importlib.resources import files

import pytest

from nestviz.ui.session.view_state import RULES
from nestviz.ui.widgets import tables
from nestviz.ui.widgets.inputs import CONTROLS

UI = files("nestviz.ui")
NEVER_DRAWN = {"frame", "view", "point", "probe", "at", "step", "v"}
LABELLED_BY_PAGES = {"new_x", "new_y", "heldout"}


def test_every_control_has_texts_and_every_text_a_control():
    keys = {key for key in RULES if "." not in key} - NEVER_DRAWN
    assert set(CONTROLS) == keys
    assert all("label" in CONTROLS[key] for key in keys - LABELLED_BY_PAGES)


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("compare", "measures"),
        ("compare", "held_out"),
        ("cluster_tree", "branches"),
        ("outliers", "ranking"),
        ("outliers", "supporting"),
        ("error_control", "volumes"),
    ],
)
def test_columns_are_configured_with_their_level(page, name):
    found = tables.columns(page, name, level="level 7")
    assert found
    assert not any("{" in (config.get("help") or "") for config in found.values())


@pytest.mark.parametrize("file", sorted(UI.glob("p*/**/metrics.toml")), ids=str)
def test_numbers_have_labels(file):
    rows = tomllib.loads(file.read_text("utf-8"))
    assert all(row["label"] for row in rows.values())
