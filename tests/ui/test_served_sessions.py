"""Sessions of a real server: coming back, meeting a full server, and being released."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = Path(__file__).with_name("served_sessions.py")


def seen(ttl, look):
    answer = subprocess.run(
        [sys.executable, str(DRIVER), str(ttl), str(look)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    lines = answer.stdout.splitlines()
    assert lines, answer.stderr
    assert lines[-1].startswith("{"), answer.stderr
    return json.loads(lines[-1])


def check(found):
    assert found["open"] >= 1
    assert found["results"] == 1
    assert found["resumed"] >= 1
    assert found["full"]
    assert found["served meanwhile"]
    assert not found["full later"]
    assert found["left"] == 0


@pytest.mark.slow
def test_own_data_are_released_with_their_session():
    check(seen(0.5, 0.2))


@pytest.mark.nightly
def test_own_data_are_released_within_half_a_minute():
    found = seen(15, 4.0)
    check(found)
    assert found["seconds"] <= 30
