"""Compile kernels by numba, and keep them in a cache that survives damaged files.

Numba unpickles whatever its cache holds: a truncated file ends in an error of ``pickle`` from the
first fit, and overwritten machine code may run. Here each file ends with a checksum of the rest.
A file that is damaged, unreadable or of other sources counts as missing, and is written anew.
"""

from __future__ import annotations

import functools
import hashlib
import io
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba.core import caching
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic

KERNELS: list[Any] = []
"""All compiled functions of the modules imported so far."""

on_miss: list[Callable[[], None]] = []
"""Called before a kernel is compiled, because the cache does not hold it."""

_CHECKSUM_BYTES = hashlib.sha256().digest_size
_PLAIN = (bool, int, float, str, tuple)
_said: set[str] = set()


def njit(*, cache: bool = False, **options: Any) -> Callable[[Any], Any]:
    """Return the decorator ``numba.njit`` with a checked cache.

    Parameters
    ----------
    cache : bool
        Whether to keep the compiled function on disk.
    **options
        Options of ``numba.njit``.

    Returns
    -------
    callable
    """

    def compiled(function: FunctionType) -> Any:
        kernel = numba.njit(**options)(function)
        # With NUMBA_DISABLE_JIT it is the function itself.
        if cache and isinstance(kernel, CPUDispatcher):
            kernel._cache = _new_cache(function)
            KERNELS.append(kernel)
        return kernel

    return compiled


def cache_files() -> set[str]:
    """Return the files that hold the kernels used so far, and the files of their sources.

    Returns
    -------
    set of str
        Paths.
    """
    found: set[str] = set()
    for kernel in KERNELS:
        if kernel.signatures and isinstance(kernel._cache, _KernelCache):
            found |= {kernel.py_func.__code__.co_filename, *kernel._cache.files()}
    return {path for path in found if os.path.exists(path)}


def _new_cache(function: FunctionType) -> Any:
    try:
        return _KernelCache(function)
    except (RuntimeError, OSError) as error:
        folder = Path(function.__code__.co_filename).parent / "__pycache__"
        _say_not_kept(os.fspath(folder), error)
        return caching.NullCache()


def _say_not_kept(folder: str, error: Exception) -> None:
    if folder not in _said:
        _said.add(folder)
        warnings.warn(
            f"Compiled kernels are not kept in {folder} ({error}). They are compiled again by "
            f"every process, which takes a minute; set NUMBA_CACHE_DIR to a folder that is "
            f"writable.",
            RuntimeWarning,
            stacklevel=2,
        )


class _CheckedFiles(caching.IndexDataCacheFile):
    """The index and the data files of a kernel, with checksums."""

    def save(self, key: Any, data: Any) -> None:
        """Save an entry under a name of its own.

        Numba numbers the files: two processes that compile at the same time take the same number
        for different signatures.
        """
        entries = self._load_index()
        name = self._data_name_pattern.replace("{number:d}", _digest(repr(key).encode())[:16])
        self._save_data(name, data)
        entries[key] = name
        self._save_index(entries)

    def _load_index(self) -> dict[Any, str]:
        try:
            _check(self._index_path)
        except OSError:
            return {}
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        _check(self._data_path(name))
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        with super()._open_for_write(filepath) as file:
            content = io.BytesIO()
            yield content
            file.write(content.getvalue() + hashlib.sha256(content.getvalue()).digest())


class _GivenFolder(caching.CompileResultCacheImpl._locator_classes[0]):
    """The folder NUMBA_CACHE_DIR; it may be read-only once it is filled."""

    def ensure_cache_path(self) -> None:
        try:
            super().ensure_cache_path()
        except OSError:
            if not any(Path(self.get_cache_path()).glob("*.nbi")):
                raise


class _Entries(caching.CompileResultCacheImpl):
    _locator_classes = (_GivenFolder, *caching.CompileResultCacheImpl._locator_classes[1:])


class _KernelCache(caching.FunctionCache):
    """The cache of one kernel; what it cannot load is compiled."""

    _impl_class = _Entries

    def __init__(self, function: FunctionType) -> None:
        super().__init__(function)
        base = self._impl.filename_base
        self._cache_file = _CheckedFiles(self._cache_path, base, source_stamp=None)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # Not before: the kernels that this one calls may be defined after it.
        self._cache_file._source_stamp = _stamp(self._py_func)
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # whatever a file of another installation raises while it is rebuilt
            found = None
        if found is None:
            for call in on_miss:
                call()
        return found

    def files(self) -> Iterator[str]:
        """Return the index and the data files that it lists."""
        yield self._cache_file._index_path
        yield from map(self._cache_file._data_path, self._cache_file._load_index().values())

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _say_not_kept(self._cache_path, error)


def _stamp(function: FunctionType) -> str:
    """Return a digest of the sources and constants of a kernel and of all kernels it calls."""
    parts, waiting, seen = set(), [function], {function}
    while waiting:
        found = waiting.pop()
        source = found.__code__.co_filename
        parts.add(_source_digest(source, os.stat(source).st_mtime_ns))
        for name in found.__code__.co_names:
            value = found.__globals__.get(name)
            if isinstance(value, CPUDispatcher) and value.py_func not in seen:
                seen.add(value.py_func)
                waiting.append(value.py_func)
            elif isinstance(value, _PLAIN):
                parts.add(f"{name}={value!r}")
    return _digest("\n".join(sorted(parts)).encode())


@functools.cache
def _source_digest(path: str, changed: int) -> str:
    return _digest(Path(path).read_bytes())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _check(path: str) -> None:
    """Raise an OSError unless a file ends with the checksum of the rest."""
    content = Path(path).read_bytes()
    if hashlib.sha256(content[:-_CHECKSUM_BYTES]).digest() != content[-_CHECKSUM_BYTES:]:
        raise OSError(f"{path} is damaged")


@intrinsic
def fma(typing: Any, a: Any, b: Any, c: Any) -> Any:
    """Compile a b + c, rounded once.

    The compiler may do so by itself where a kernel allows it, but in one caller and not in another:
    digits would depend on which of them was loaded first.
    """
    return numba.types.float64(a, b, c), lambda context, builder, signature, values: builder.fma(
        *values
    )


@intrinsic
def apart(typing: Any) -> Any:
    """Keep a kernel that adds in any order out of its callers, where it adds in another one."""

    def mark(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return numba.types.none(), mark


if numba.config.DISABLE_JIT:
    # Plain Python cannot call what is made for the compiler.
    def fma(a: float, b: float, c: float) -> float:
        """Return a b + c."""
        return a * b + c

    def apart() -> None:
        """Do nothing."""
