"""No parser and no pattern takes more than linear time, whatever the text."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("growth_cases.py")
LARGEST = 1 << 20
# Both patterns read the same digits in many ways.
AMBIGUOUS = [
    r"[-+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|inf(?:inity)?)",
    r"[0-9]+(?:\s+[0-9]+:[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)*\s*",
]


def run(largest, enough, patience, patterns=(), skip=0):
    """Return (case, verdict) of all cases up to the one that took too long, if any."""
    request = {"largest": largest, "enough": enough, "patience": patience}
    request |= {"patterns": patterns, "skip": skip}
    # Memory that is kept makes times comparable: a new page costs more than what is put there.
    memory = {"PYTHONMALLOC": "malloc", "MALLOC_TRIM_THRESHOLD_": "4000000000"}
    memory |= {"MALLOC_MMAP_THRESHOLD_": "4000000000", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        env={**os.environ, **memory},
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    cases = [line["case"] for line in lines if "case" in line]
    verdicts = [line["steep"] for line in lines if "steep" in line]
    if len(verdicts) < len(cases):
        verdicts.append("took too long")
    assert cases, done.stderr
    assert done.returncode == 0 or verdicts[-1] == "took too long", done.stderr
    return list(zip(cases, verdicts, strict=True))


def slow_cases(largest, enough, patience):
    """Return all slow cases: up to ``largest`` characters or ``enough`` seconds of CPU time."""
    found, skip = [], 0
    while True:
        outcomes = run(largest, enough, patience, skip=skip)
        found += [pair for pair in outcomes if pair[1]]
        skip += len(outcomes)
        if outcomes[-1][1] != "took too long":
            return found


@pytest.mark.slow
def test_time_grows_with_the_text_only():
    assert slow_cases(LARGEST >> 5, enough=0.02, patience=3.0) == []


@pytest.mark.nightly
def test_time_grows_with_the_text_only_up_to_a_megabyte():
    assert slow_cases(LARGEST, enough=1.0, patience=100.0) == []


@pytest.mark.parametrize("pattern", AMBIGUOUS)
def test_an_ambiguous_pattern_is_found(pattern):
    outcomes = run(1 << 14, 0.02, patience=1.0, patterns=[pattern])
    assert outcomes[-1][1], f"{len(outcomes)} texts, none of them slow"
