"""Kernels that are kept on disk, and files of that cache that are damaged."""

import importlib
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from numba.core import caching

from nestviz import compiled

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="nothing is compiled"
)

SOURCES = {
    "helper_kernel.py": """
from nestviz.compiled import njit

@njit(cache=True)
def scaled(x):
    return 1.0 * x
""",
    "small_kernel.py": """
from helper_kernel import scaled
from nestviz.compiled import njit

@njit(cache=True)
def total(x):
    s = 0.0
    for i in range(len(x)):
        s += scaled(x[i])
    return s
""",
}


class Kernels:
    """Modules with kernels, imported anew for each call as in a new process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, source in SOURCES.items():
            (folder / name).write_text(source)

    def call(self, x=None) -> tuple[float, int]:
        """Return what the kernel returns, and how often it was loaded from the cache."""
        for name in ("small_kernel", "helper_kernel"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        total = importlib.import_module("small_kernel").total
        result = total(np.arange(4.0) if x is None else x)
        return result, sum(total.stats.cache_hits.values())

    def file(self, ending: str) -> Path:
        (found,) = self.folder.rglob(f"small_kernel.total*.{ending}")
        return found


@pytest.fixture
def kernels(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(caching.config, "CACHE_DIR", str(tmp_path / "cache"))
    known = len(compiled.KERNELS)
    yield Kernels(tmp_path)
    del compiled.KERNELS[known:]
    for name in ("small_kernel", "helper_kernel"):
        sys.modules.pop(name, None)


def flip(path: Path, place: float) -> None:
    content = bytearray(path.read_bytes())
    content[int(place * (len(content) - 1))] ^= 0xFF
    path.write_bytes(content)


DAMAGES = {
    "empty": lambda path: path.write_bytes(b""),
    "truncated": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "overwritten": lambda path: path.write_bytes(os.urandom(path.stat().st_size)),
    "the first byte": lambda path: flip(path, 0.0),
    "a byte of the code": lambda path: flip(path, 0.5),
    "the checksum": lambda path: flip(path, 1.0),
    "text": lambda path: path.write_text("not a cache"),
    "missing": lambda path: path.unlink(),
}


def test_a_kernel_is_compiled_once(kernels):
    assert kernels.call() == (6.0, 0)
    assert kernels.call() == (6.0, 1)


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_file_is_replaced(kernels, ending):
    kernels.call()
    for name, damage in DAMAGES.items():
        damage(kernels.file(ending))
        assert kernels.call() == (6.0, 0), name
        assert kernels.call() == (6.0, 1), name


def test_files_of_two_signatures_have_two_names(kernels):
    """Numba numbers them, and two processes that compile at once take the same number."""
    kernels.call()
    kernels.file("nbi").unlink()
    assert kernels.call(np.arange(5)) == (10.0, 0)
    assert kernels.call() == (6.0, 0)
    assert kernels.call() == (6.0, 1)
    assert kernels.call(np.arange(5)) == (10.0, 1)


def test_a_kernel_is_compiled_again_when_one_that_it_calls_has_changed(kernels):
    assert kernels.call() == (6.0, 0)
    helper = kernels.folder / "helper_kernel.py"
    helper.write_text(helper.read_text().replace("1.0", "2.0"))
    assert kernels.call() == (12.0, 0)
    assert kernels.call() == (12.0, 1)


def test_a_file_of_another_installation_is_replaced(kernels, monkeypatch):
    kernels.call()
    with monkeypatch.context() as patch:
        patch.setattr(
            caching.CompileResultCacheImpl, "rebuild", lambda *_: importlib.import_module("gone")
        )
        assert kernels.call() == (6.0, 0)
    with monkeypatch.context() as patch:
        patch.setattr(caching.numba, "__version__", "0.0")
        assert kernels.call() == (6.0, 0)
    assert kernels.call() == (6.0, 0)
    assert kernels.call() == (6.0, 1)


def refuse(*_, **__):
    raise PermissionError(13, "Permission denied")


def test_a_filled_folder_may_be_read_only(kernels, monkeypatch):
    kernels.call()
    monkeypatch.setattr(caching.tempfile, "TemporaryFile", refuse)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kernels.call() == (6.0, 1)


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_file_that_cannot_be_replaced_is_named(kernels, ending):
    kernels.call()
    path = kernels.file(ending)
    path.unlink()
    path.mkdir()
    with pytest.warns(RuntimeWarning, match="are not kept in") as said:
        assert kernels.call() == (6.0, 0)
    assert str(path.parent) in str(said[0].message)
    assert "NUMBA_CACHE_DIR" in str(said[0].message)


def test_without_any_folder_kernels_still_run(kernels, monkeypatch):
    monkeypatch.setattr(caching.tempfile, "TemporaryFile", refuse)
    with pytest.warns(RuntimeWarning, match="NUMBA_CACHE_DIR") as said:
        assert kernels.call() == (6.0, 0)
    assert str(kernels.folder) in str(said[0].message)


FIT = """
import nestviz, numpy as np
X = np.random.default_rng(0).normal(size=(12, 2))
print(nestviz.ParzenLevelSets(0.5).fit(X).decision_function(X).sum())
"""


@pytest.mark.slow
def test_the_first_fit_of_a_program_rebuilds_what_is_damaged(tmp_path):
    def fit() -> str:
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", FIT],
            env=environment, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    first = fit()
    files = sorted(path for path in tmp_path.rglob("*.nb?"))
    assert files
    for place, path in enumerate(files):
        list(DAMAGES.values())[place % 7](path)
    assert fit() == first


def test_all_kernels_have_the_checked_cache():
    package = Path(compiled.__file__).parent
    users = {
        path.name
        for path in package.rglob("*.py")
        if re.search(r"^\s*(from|import) numba\b", path.read_text("utf-8"), re.MULTILINE)
    }
    assert users == {"compiled.py"}
