"""Tests of the commands on files share how they are run."""

from functools import partial

import pytest
from command_runs import run

from nestviz.commands import sources
from nestviz.data.files import parse_table


@pytest.fixture
def in_process(monkeypatch):
    """Read files in this process, which is faster."""
    monkeypatch.setattr(sources, "read_table", parse_table)


@pytest.fixture
def nestviz(capfd, in_process):
    """Run a command in this process."""
    return partial(run, capfd)
