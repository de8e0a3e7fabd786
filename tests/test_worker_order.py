"""No test is lost or run twice, whatever the number of workers."""

import pytest
from worker_order import BROWSERS, spread


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
@pytest.mark.parametrize(("browser", "others"), [(0, 0), (0, 7), (5, 0), (9, 4), (100, 6001)])
def test_every_test_runs_once(workers, browser, others):
    tests = [f"browser {k}" for k in range(browser)], [f"other {k}" for k in range(others)]
    assert sorted(spread(*tests, workers)) == sorted([*tests[0], *tests[1]])


def test_three_workers_begin_with_the_browser():
    ordered = spread(["browser"] * 15, ["other"] * 385, 4)
    starts = [ordered[k * 100 : k * 100 + 5] for k in range(4)]
    assert starts == [["browser"] * 5] * BROWSERS + [["other"] * 5]
