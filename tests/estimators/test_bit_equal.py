"""The same data and seed give the same bits, wherever and however often they are computed."""

import ast
import json
import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import computations
import numpy as np
import pytest
from computations import ESTIMATORS, ONE_CLASS, STUDIES, compute, digest, fitted, sample
from joblib import Parallel, delayed
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from nestviz import analysis
from nestviz.distances import product
from nestviz.kernel_matrices import ONE_BLAS_THREAD

SOME = (
    "NestedOneClassSVM", "OneClassPath", "DualCostSVM", "QuantileOneClassSVM",
    "MinimaxProbabilityMachine", "CostSensitivePath", "outlier_ranking", "scan",
)  # fmt: skip
#: Searches over tables take longest, and solve what the others solve.
ALL = [name for name in (*ESTIMATORS, *STUDIES) if name != "MinimaxClassifier"]
#: Where a library might round differently: more threads, other addresses, used memory.
ENVIRONMENTS = [
    {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2", "PADDING": "x" * 1000},
    {"OPENBLAS_NUM_THREADS": "4", "OMP_NUM_THREADS": "4", "MALLOC_PERTURB_": "165"},
]


def of(name, size="wide"):
    return digest(compute(name, *sample(size)))


@pytest.mark.parametrize("shape", [(1, 900, 900), (5, 700, 700), (90, 300, 110), (300, 20, 300)])
def test_products_do_not_depend_on_threads_or_tiles(shape):
    m, k, n = shape
    rng = np.random.default_rng(m)
    A, B = rng.normal(size=(m, k)), rng.normal(size=(k, n))
    found = product(A, B)
    np.testing.assert_allclose(found, A @ B, rtol=0, atol=1e-11)
    for threads in (1, 2, 4):
        with threadpool_limits(threads):
            assert np.array_equal(product(A, B), found)
    assert np.array_equal(product(np.asfortranarray(A), np.asfortranarray(B)), found)
    assert np.array_equal(product(A[-1:], B)[0], found[-1])
    assert np.array_equal(product(A, B[:, 1:]), found[:, 1:])


@pytest.mark.parametrize("name", SOME)
def test_threads_of_the_library_do_not_show(name):
    # Sizes at which two threads did give other digits than one.
    found = set()
    for threads in (1, 2, 4):
        with threadpool_limits(threads):
            found.add(of(name))
    assert len(found) == 1


@pytest.mark.parametrize("name", ["NestedOneClassSVM", "CostSensitiveSVM", "ParzenLevelSets"])
def test_the_layout_in_memory_does_not_show(name):
    X, y = sample("wide")
    wide = np.zeros((2 * len(X), X.shape[1] + 1))
    wide[::2, 1:] = X
    odd = np.zeros(8 * X.size + 3, dtype=np.uint8)[3:].view(np.float64).reshape(X.shape)
    odd[:] = X
    wanted = digest(compute(name, X, y))
    for same in (np.asfortranarray(X), wide[::2, 1:], odd, np.array(X.tolist())):
        assert digest(compute(name, same, y)) == wanted


def test_threads_and_processes_agree():
    wanted = [of(name) for name in SOME[:4]]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(of, SOME[:4])) == wanted


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_fork_while_threads_work_agrees():
    names = SOME[:5]
    wanted = [of(name) for name in names]
    with ThreadPoolExecutor(2) as pool, ONE_BLAS_THREAD.held(), ONE_BLAS_THREAD.lock:
        busy = [pool.submit(product, np.ones((300, 300)), np.ones((300, 300))) for _ in range(20)]
        child = os.fork()
        if child == 0:
            signal.alarm(60)  # ends a child that waits for a lock of its parent
            os._exit(0 if [of(name) for name in names] == wanted else 1)
    assert all(len(one.result()) == 300 for one in busy)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.nightly
@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_joblib_workers_agree(backend):
    wanted = [of(name) for name in ALL]
    for _ in range(2):
        assert Parallel(4, backend=backend)(delayed(of)(name) for name in ALL) == wanted


def in_new_process(names, size, environment):
    """Return the digests of computations in a new interpreter."""
    command = [sys.executable, computations.__file__, *(f"{name}@{size}" for name in names)]
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **environment}
    )
    return json.loads(done.stdout)


@pytest.mark.nightly
@pytest.mark.parametrize("size", ["wide", "flat"])
def test_new_processes_agree(size):
    """Also when they load compiled code in another order, and so another copy of a function."""
    rng = np.random.default_rng(0)
    orders = [ALL, ALL[::-1], list(rng.permutation(ALL))]
    found = [
        in_new_process(order, size, environment)
        for order, environment in zip(orders, ENVIRONMENTS, strict=True)
    ]
    assert found[1] == found[0]
    assert found[2] == found[0]


def test_kernels_that_may_reorder_sums_are_kept_apart():
    """Compiled into a caller, such a kernel may round otherwise than on its own."""
    for path in (computations.ROOT / "nestviz").rglob("*.py"):
        if "ui" in path.relative_to(computations.ROOT).parts:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(
                "fastmath" in ast.unparse(decorator) for decorator in node.decorator_list
            ):
                assert "apart()" in ast.unparse(node), f"{path.name}: {node.name}"


@pytest.mark.nightly
@pytest.mark.parametrize("name", sorted(ESTIMATORS))
def test_large_fits_agree(name):
    found = set()
    for threads in (1, 2):
        with threadpool_limits(threads):
            found.add(of(name, "flat"))
    assert len(found) == 1


@pytest.mark.parametrize("name", ["NestedOneClassSVM", "OneClassPath", "DualNuSVM"])
def test_copies_agree(name):
    X, y = sample("wide")
    model = fitted(name, X, y)
    wanted = digest(vars(model))
    assert digest(vars(pickle.loads(pickle.dumps(model)))) == wanted
    again = clone(model).fit(X, y) if name not in ONE_CLASS else clone(model).fit(X)
    assert digest(vars(again)) == wanted


def test_the_number_of_jobs_does_not_show():
    X, _ = sample("wide")
    model = computations.make("NestedOneClassSVM")
    found = {
        digest(analysis.select_bandwidth(X, model, widths=3, cv=2, n_jobs=n)) for n in (None, 1, 3)
    }
    assert len(found) == 1
