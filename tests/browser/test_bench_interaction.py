"""`nestviz bench interaction` in a real browser: rows that hold numbers, whatever they are."""

import json
import math
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_interactions_are_measured(browser, tmp_path):
    """The browser fixture skips, or fails in CI, where there is none."""
    kept = tmp_path / "rows.json"
    command = [sys.executable, "-m", "nestviz", "bench", "interaction", "--quick"]
    # In a process of its own: two synchronous drivers of a browser do not share a thread.
    subprocess.run([*command, "--json", str(kept)], check=True)
    rows = {row["what"]: row for row in json.loads(kept.read_text("utf-8"))["rows"]}
    assert {
        "new width by pointer, picture, median",
        "new width by key, picture, median",
        "cached, picture, median",
        "pictures while the width is dragged",
        "payload while dragging",
        "payload at rest",
        "playing two panels",
        "outliers: new width, picture, median",
        "compare: last of 8 fast keys shown",
    } <= set(rows)
    for row in rows.values():
        assert row["group"] == "interaction"
        assert math.isfinite(row["value"])
        assert row["value"] > 0
    assert rows["payload at rest"]["unit"] == "kB"
