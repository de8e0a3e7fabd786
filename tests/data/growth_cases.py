"""Measure how the CPU time of parsers and patterns grows; run as a script by `test_growth`.

Prints the name of each case before it starts and its verdict afterwards. A timer of CPU time ends
the process if a case takes far too long, as one with exponential time does.
"""

import ast
import contextlib
import functools
import gc
import gzip
import importlib
import io
import json
import re
import signal
import sys
import tempfile
import time
import warnings
import zipfile
from pathlib import Path

import numpy as np
from pumped_texts import TEXTS, pumps

import nestviz
from nestviz.data import DataError, Dataset, Limits, ReadChoices, files, guess_roles, to_dataset
from nestviz.data.archives import gunzip
from nestviz.data.exchange import read_dataset, table_to_csv
from nestviz.data.svmlight import looks_like_svmlight
from nestviz.data.text import decode

SMALLEST = 1 << 10
STEEPEST = 2.6  # Factor of CPU time when the input doubles.
DOUBLINGS = 3  # Compared over this many, so that a step at the size of a cache does not count.
FLOOR = 0.001  # Shorter times are too rough to compare.
LIMITS = Limits(max_columns=2_000, max_rows=10**8)
# These read in this process; `read_table` and `read_text` may ask another one.
parse_table, parse_text = files.parse_table, files.parse_text
# The scripts of the package itself are the only text that these patterns see.
OWN_TEXT = {"nestviz.ui.components.assets"}


def cpu_time(run, given):
    start = time.process_time()
    with contextlib.suppress(DataError):
        run(given)
    return time.process_time() - start


def steep(run, make, largest, enough):
    """Return a sentence if the time more than doubles with the input, else None.

    The input doubles up to ``largest`` characters, or until a run takes ``enough`` seconds.
    """
    cpu_time(run, make(64))
    size, times = SMALLEST, {}
    while True:
        times[size] = cpu_time(run, make(size))
        if size >= largest or (times[size] > enough and size >= SMALLEST << DOUBLINGS):
            break
        size *= 2
    large, small = times[size], max(times[size >> DOUBLINGS], FLOOR)
    if large <= STEEPEST**DOUBLINGS * small:
        return None
    return _confirmed(run, make, size)


def _confirmed(run, make, size):
    """Measure again: other work on the machine disturbs a short run, the best of several tells."""
    few, many = make(size >> DOUBLINGS), make(size)
    times = 1 << DOUBLINGS
    small = large = float("inf")
    for _ in range(9):
        # As many runs as make the same number of characters take about as long.
        small = min(small, sum(cpu_time(run, few) for _ in range(times)) / times)
        large = min(large, cpu_time(run, many))
        factor = (large / max(small, FLOOR)) ** (1 / DOUBLINGS)
        if factor <= STEEPEST:
            return None
    return f"{factor:.1f} times the time per doubling up to {size}"


def text_cases():
    """Yield every parser of text with every text."""
    readers = {
        "looks_like_svmlight": looks_like_svmlight,
        "svmlight": functools.partial(_convert, "svmlight"),
        "delimited": functools.partial(_convert, "delimited"),
        "decode": lambda text: decode(text.encode("utf-8", "surrogatepass"), None),
    }
    for name, read in readers.items():
        for what, make in TEXTS.items():
            yield f"{name}: {what}", read, make


def _convert(form, text):
    table = parse_text(text, ReadChoices(format=form), LIMITS)
    to_dataset(table, guess_roles(table), LIMITS)


def byte_cases():
    """Yield parsers of bytes with the inputs that could be slow for them."""
    member = gzip.compress(b"1,2\n")
    yield "gunzip: many members", _gunzip, lambda n: member * (4 * n // len(member))
    yield "gunzip: padded", _gunzip, lambda n: (member + b"\0") * (n // (len(member) + 1))
    yield "gunzip: padding", _gunzip, lambda n: member + b"\0" * n
    yield "gunzip: zeros", _gunzip, lambda n: gzip.compress(bytes(64 * n))
    yield "npz: many members", _read("x.npz"), lambda n: _zipped(n // 100)
    yield "npz: one name", _read("x.npz"), lambda n: _zipped(n // 100, "{0:.0}X.npy")
    yield "npy: header", _read("x.npy"), _npy_header
    for encoding in ("utf-16-le", "cp1252", "utf-7", "punycode", "idna"):
        read = functools.partial(decode, encoding=encoding)
        yield f"decode: {encoding}", read, lambda n: b"a" * n
    yield "Dataset: names", _named, lambda n: [f"{'a' * 90}{j}" for j in range(n // 100)]
    yield "Dataset: equal names", _named, lambda n: [*map(str, range(n // 8)), str(n // 8 - 1)]
    yield "table_to_csv", _written_csv, lambda n: "'" * (n // 2) + "," * (n // 2)
    yield "read_dataset", _read_dataset, lambda n: "a,b\n" + "1,2\n" * (n // 4)
    yield "session file: brackets", _session, lambda n: b"[" * n
    yield "session file: objects", _session, lambda n: b'{"a":' * (n // 5)
    yield "session file: digits", _session, lambda n: b"1" * n
    yield "session file: long name", _session, _session_text
    for what, make in TEXTS.items():
        yield f"address: {what}", _address, make


def _gunzip(content):
    gunzip(content, LIMITS)


def _read(name):
    return lambda content: parse_table(content, name, None, LIMITS)


def _zipped(count, form="{}.npy"):
    target = io.BytesIO()
    array = io.BytesIO()
    np.save(array, np.arange(4.0))
    with zipfile.ZipFile(target, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(max(count // 3, 1)):
            archive.writestr(form.format(str(k)), array.getvalue())
    return target.getvalue()


def _npy_header(n):
    text = b"{'descr': '<f8', 'fortran_order': False, 'shape': " + b"(" * n
    return b"\x93NUMPY\x02\x00" + len(text).to_bytes(4, "little") + text


def _named(names):
    Dataset(np.zeros((1, len(names))), feature_names=names)


def _written_csv(text):
    table_to_csv([text], [text.split(",")])


def _read_dataset(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.csv")
        path.write_text(text)
        read_dataset(path)


def _session(content):
    from nestviz.ui.session import session_file

    session_file.read(content)


def _session_text(n):
    from nestviz.ui.session import session_file

    text = session_file.write(session_file.Session(page="start", parameters={}))
    return text.replace('"start"', json.dumps("a" * n)).encode()


def _address(text):
    from nestviz.ui.session import view_state

    view_state.decode({key: [text] for key in ("data", "seed", "nu", "sel")})


def pattern_cases(patterns):
    """Yield every pattern with the texts above, and with its own repeated parts."""
    for name, pattern in patterns.items():
        for mode in ("fullmatch", "sub"):
            run = functools.partial(_search, pattern, mode)
            for what, make in TEXTS.items():
                yield f"{name} {mode}: {what}", run, make
            for before, body in pumps(pattern):
                for after in ("\x00", " x"):
                    make = functools.partial(_pumped, before, body, after)
                    yield f"{name} {mode}: {before!r} {body!r} {after!r}", run, make


def _pumped(before, body, after, n):
    return before + body * (n // len(body)) + after


def _search(pattern, mode, text):
    given = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
    if mode == "sub":
        pattern.sub(given[:0], given)
    else:
        pattern.fullmatch(given)


def own_patterns():
    """Return all patterns of nestviz: those of modules, and those written into a call of re."""
    root = Path(nestviz.__file__).parent
    found = {}
    for path in sorted(root.rglob("*.py")):
        name = ".".join(("nestviz", *path.relative_to(root).with_suffix("").parts))
        source = path.read_text("utf-8")
        if name in OWN_TEXT or not re.search(r"^(import re|from re import)\b", source, re.M):
            continue
        module = importlib.import_module(name.removesuffix(".__init__"))
        found |= {
            f"{name}.{key}": p for key, p in vars(module).items() if isinstance(p, re.Pattern)
        }
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and re.fullmatch(r"re\.\w+", ast.unparse(node.func)):
                found |= _written(node, name)
    return found


def _written(call, name):
    """Return the pattern of a call such as ``re.sub(r"[^a]+", ...)``."""
    if call.func.attr in ("compile", "escape"):
        return {}
    flags = next((eval(ast.unparse(k.value)) for k in call.keywords if k.arg == "flags"), 0)
    return {f"{name}:{call.lineno}": re.compile(ast.literal_eval(call.args[0]), flags)}


def main():
    request = json.load(sys.stdin)
    patterns = {text: re.compile(text) for text in request["patterns"]} or own_patterns()
    cases = list(pattern_cases(patterns))
    if not request["patterns"]:
        cases = [*byte_cases(), *text_cases(), *cases]
    gc.disable()
    gc.freeze()
    long = {name for name, _, _ in byte_cases()}
    for name, run, make in cases[request["skip"] :]:
        print(json.dumps({"case": name}), flush=True)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, request["patience"])
        # There are few of these, and copies of bytes show late.
        enough = request["enough"] * (5 if name in long else 1)
        verdict = steep(run, make, request["largest"], enough)
        print(json.dumps({"steep": verdict}), flush=True)
        gc.collect()


if __name__ == "__main__":
    main()
