"""Fuzz the loaders by coverage: each input gives a Dataset or a DataError.

Run ``python tests/fuzz/fuzz_loaders.py -max_total_time=60 corpus/``; needs the package atheris. An
empty or missing corpus starts with the sound files of `tests/data/mutated_files.py`. The first byte
of an input chooses the name of the file.
"""

import importlib.util
import sys
from pathlib import Path

import atheris

DATA_TESTS = Path(__file__).parents[1] / "data"
sys.path.insert(0, str(DATA_TESTS))

with atheris.instrument_imports(include=["nestviz.data", "zipfile"]):
    from mutated_files import native, sound_files, survive

NAMES = ("x.csv", "x.svm", "x.npy", "x.npz", "x.csv.gz", "x", "x.txt")


def writers():
    """Return the writers of sound files, which the tests keep beside their fixtures."""
    spec = importlib.util.spec_from_file_location("writers", DATA_TESTS / "conftest.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def seed_corpus(folder):
    """Write an input for each short sound file that no native code reads."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in sound_files(writers()).items():
        if not native(content) and len(content) < 10_000:
            kind = NAMES.index(name) if name in NAMES else NAMES.index("x")
            (folder / name).write_bytes(bytes([kind]) + content)


def one_input(data):
    """Read one input; any other exception than a DataError ends the run and is reported."""
    if data and not native(data):
        survive(bytes(data[1:]), NAMES[data[0] % len(NAMES)])


def main():
    folders = [Path(argument) for argument in sys.argv[1:] if not argument.startswith("-")]
    if folders and not (folders[0].is_dir() and any(folders[0].iterdir())):
        seed_corpus(folders[0])
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
