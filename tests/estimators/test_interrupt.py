"""Ctrl-C stops every computation soon, and leaves nothing half done."""

import signal
import sys
import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest
from computations import ESTIMATORS, ONE_CLASS, SIZES, STUDIES, compute, digest, make, sample
from sklearn.exceptions import NotFittedError

from nestviz import arrays, coefficients, distances
from nestviz.kernel_matrices import ONE_BLAS_THREAD, decomposed
from nestviz.solvers import columns
from nestviz.solvers.nested import coordinate_descent
from nestviz.solvers.path import follow
from nestviz.volume.parallel import run_all


class Interrupter:
    """Raise KeyboardInterrupt at the n-th call of a function of nestviz on this thread."""

    def __init__(self, at=sys.maxsize):
        self.at, self.calls = at, 0

    def __call__(self, frame, event, argument):
        if event == "call" and "/nestviz/" in frame.f_code.co_filename:
            self.calls += 1
            if self.calls == self.at:
                raise KeyboardInterrupt

    @contextmanager
    def watching(self):
        sys.setprofile(self)
        try:
            yield self
        finally:
            sys.setprofile(None)


def fit(model, name, X, y):
    return model.fit(X) if name in ONE_CLASS else model.fit(X, y)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(ESTIMATORS))
def test_an_interrupted_fit_leaves_no_trace(name):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), np.where(np.arange(40) % 2, 1, -1)
    fit(make(name), name, X, y)  # compiles, which calls functions as well
    with Interrupter().watching() as whole:
        wanted = digest(vars(fit(make(name), name, X, y)))
    for share in (0.1, 0.5, 0.9):
        model = make(name)
        with pytest.raises(KeyboardInterrupt), Interrupter(int(share * whole.calls)).watching():
            fit(model, name, X, y)
        with pytest.raises(NotFittedError):
            model.decision_function(X)
        assert digest(vars(fit(model, name, X, y))) == wanted
        with pytest.raises(KeyboardInterrupt), Interrupter(int(share * whole.calls)).watching():
            fit(model, name, 2.0 * X, y)
        assert digest(vars(model)) == wanted


#: What a call of a compiled function costs, from its arguments.
COSTS = {
    (distances, "_differences"): lambda A, B, scale, D: D.size * (A.shape[1] + 1),
    (distances, "add_product"): lambda A, B, C, row, column, begin, end: (
        len(A) * B.shape[1] * (end - begin)
    ),
    (columns, "add_rows"): lambda K, points, b, F, begin, end: (end - begin) * F.size,
    (coordinate_descent, "sweep_over"): lambda K, chains, b, F, points: len(points) * b.size,
    (coordinate_descent, "sweeps"): lambda K, chains, b, F, unit, target, most: (
        most * b.size * len(K)
    ),
    (coefficients, "_carry"): lambda path, events, G, fields, now, first, last, k: (
        (path.indptr[last] - path.indptr[first]) * G.shape[1]
    ),
    (follow, "run"): lambda state, tape, until: (
        len(tape.event) * (state.tally[0] + 1) * len(state.c) / 2
    ),
}
SMALL_SLICE = 1 << 19


@pytest.mark.parametrize(
    "name",
    ["NestedOneClassSVM", "NestedCostSensitiveSVM", "OneClassPath", "ParzenLevelSets", "scan"],
)
def test_no_compiled_call_does_more_than_a_slice_of_work(name, monkeypatch):
    found = {}

    def counted(module, function, cost):
        kernel = getattr(module, function)

        def call(*arguments):
            found.setdefault(function, []).append(cost(*arguments))
            return kernel(*arguments)

        monkeypatch.setattr(module, function, call)

    for (module, function), cost in COSTS.items():
        counted(module, function, cost)
    for module in (arrays, coefficients, coordinate_descent, follow.events_at_once):
        target = module if hasattr(module, "SLICE") else sys.modules[module.__module__]
        monkeypatch.setattr(target, "SLICE", SMALL_SLICE)
    monkeypatch.setitem(SIZES, "few", (420, 2))
    compute(name, *sample("few"))
    assert sum(map(sum, found.values())) > 2 * SMALL_SLICE
    for function, costs in found.items():
        assert max(costs) <= 2 * SMALL_SLICE, function


@pytest.mark.parametrize("name", ["NestedOneClassSVM", "NuOneClassSVM", "DualCostSVM", "SoftBall"])
def test_slices_change_no_digit(name, monkeypatch):
    X, y = sample("wide")
    wanted = digest(compute(name, X[:80], y[:80]))
    monkeypatch.setattr(arrays, "SLICE", 1 << 12)
    assert digest(compute(name, X[:80], y[:80])) == wanted


@pytest.fixture
def ctrl_c():
    """Let Ctrl-C raise KeyboardInterrupt, which a program in the background of a shell ignores."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_a_long_decomposition_does_not_keep_ctrl_c_waiting():
    started, go_on = threading.Event(), threading.Event()

    def long():
        started.set()
        signal.raise_signal(signal.SIGINT)
        go_on.wait(60.0)

    with pytest.raises(KeyboardInterrupt):
        decomposed(long, 10_000)
    # Whoever waited for the decomposition would not have got here before this.
    assert started.is_set()
    assert ONE_BLAS_THREAD.users == 0
    go_on.set()


def test_after_ctrl_c_no_further_task_begins():
    begun = []

    def task():
        begun.append(None)
        time.sleep(0.01)

    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_all([task] * 500, 2, stop)
    count = len(begun)
    time.sleep(0.1)
    assert len(begun) <= count + 2
    assert count < 100


class Stretches:
    """Measure the longest stretch of CPU time in which no Python code of this thread ran."""

    def __init__(self):
        self.longest, self.last = 0.0, time.process_time()

    def __call__(self, number, frame):
        self.longest = max(self.longest, time.process_time() - self.last)
        self.last = time.process_time()


def longest_stretch(work):
    """Return the longest stretch of CPU time in which a signal would have had to wait."""
    stretches = Stretches()
    before = signal.signal(signal.SIGPROF, stretches)
    signal.setitimer(signal.ITIMER_PROF, 0.01, 0.01)
    try:
        work()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
    return stretches.longest


LONG = dict.fromkeys((*ESTIMATORS, *STUDIES), (5000, 2))
LONG |= dict.fromkeys(
    ("MinimaxClassifier", "NeymanPearsonClassifier", "MinimumVolumeSet"), (1500, 2)
)
LONG |= {"MinimaxProbabilityMachine": (1500, 20), "polynomial": (1500, 20)}
LONG |= dict.fromkeys(("OneClassPath", "CostSensitivePath", "roc_curve", "scan"), (3000, 2))


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(LONG))
def test_ctrl_c_waits_less_than_a_third_of_a_second(name, monkeypatch):
    compute(name, *sample("wide"))
    monkeypatch.setitem(SIZES, "long", LONG[name])
    X, y = sample("long")
    # CPU time, and the best of three: a busy machine makes any of them longer.
    assert min(longest_stretch(lambda: compute(name, X, y)) for _ in range(3)) <= 0.3
