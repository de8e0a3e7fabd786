"""``nestviz load``: its options and its numbers."""

import json
import math

import pytest
from event_loops import run_in_loop

from nestviz.cli import main
from nestviz.ui.load.crowd import Times
from nestviz.ui.load.process import usage


def test_quantiles_and_errors():
    times = Times()

    async def act(seconds):
        if seconds is None:
            raise OSError("closed")
        return seconds

    async def run():
        for seconds in (*range(1, 101), None):
            await times.take("cached", act(seconds))

    run_in_loop(run())
    assert (times.at("cached", 0.5), times.at("cached", 0.95), times.at("cached", 1)) == (
        51,
        96,
        100,
    )
    assert times.errors == ["cached: OSError: closed"]
    assert math.isnan(times.at("live", 0.5))


def test_a_process_that_is_not_there_uses_nothing_known():
    assert math.isnan(usage(2**30).megabytes)


@pytest.mark.parametrize(
    "wrong",
    [("--sessions", "0"), ("--uncached", "1.5"), ("--think", "nan"), ("--come-and-go", "-1")],
)
def test_options_out_of_range_are_refused(wrong, capsys):
    with pytest.raises(SystemExit):
        main(["load", *wrong])
    assert wrong[1] in capsys.readouterr().err


def test_a_folder_that_is_missing_is_said_before_measuring(tmp_path, capsys):
    assert main(["load", "--json", str(tmp_path / "no" / "rows.json")]) == 2
    assert "no folder" in capsys.readouterr().err


@pytest.mark.nightly
def test_a_few_sessions_are_served_without_errors(tmp_path):
    file = tmp_path / "rows.json"
    options = ("--sessions", "3", "--burst", "2", "--come-and-go", "5", "--json", str(file))
    assert main(["load", *options, "--csv", str(tmp_path / "rows.csv")]) == 0
    kept = json.loads(file.read_text())
    assert kept["errors"] == []
    assert sum(row["actions"] for row in kept["rows"]) == 3 + 6
    assert len((tmp_path / "rows.csv").read_text().splitlines()) == 1 + len(kept["rows"])
