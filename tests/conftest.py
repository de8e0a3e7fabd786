"""For all tests: one thread per matrix product.

Several workers and their browsers share the cores; products whose threads wait for each other
there take several times as long as with one thread. Set before numpy is first imported.
"""

import os

import pytest
from hypothesis import settings
from worker_order import spread

for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# No example has a deadline, since the machine may be busy, and every run tries the same examples.
# The thorough profile (HYPOTHESIS_PROFILE=thorough) tries many more, and others each time.
settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter):
    """Name what failed in the last lines of the log, one line each."""
    stats = terminalreporter.stats
    failed = [report.nodeid for kind in ("failed", "error") for report in stats.get(kind, [])]
    for report in stats.get("rerun", []):
        terminalreporter.line(f"second attempt: {report.nodeid}")
    if failed:
        terminalreporter.section("failed")
    for name in failed:
        terminalreporter.line(name)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the browser tests first for the workers.

    Each worker begins with its part of the list, and takes over from others later. A browser test
    that fails gets a second attempt, since a page of a busy machine may be asked for something
    between two runs; the last lines of the log name those that needed it.
    """
    browser = [item for item in items if item.get_closest_marker("browser") is not None]
    others = [item for item in items if item.get_closest_marker("browser") is None]
    for item in browser:
        item.add_marker(pytest.mark.flaky(reruns=1))
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    items[:] = spread(browser, others, workers)
