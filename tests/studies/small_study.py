"""A small study for tests of the engine, and a command that runs it.

``python small_study.py OUTPUT [options]`` runs it like ``nestviz reproduce``. With ``--kill-after``
the process kills itself some time after so many cells were stored; with ``--gate`` each cell leaves
a file in a folder when it begins, and waits there for the file ``go``.
"""

import argparse
import os
import signal
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from nestviz.commands.conduct import CELLS, Means, Study, conduct
from nestviz.studies.engine.cells import Cell
from nestviz.studies.findings import Findings, Value

HERE = Path(__file__).resolve().parent


def square(x, gate=""):
    """A cell that takes no time, or waits at its gate."""
    if gate:
        (Path(gate) / f"began-{x}-{os.getpid()}").touch()
        while not (Path(gate) / "go").exists():
            time.sleep(0.01)
    return {"y": x * x / 7}


def solved(x, gate=""):
    """A cell that solves: how the nested sets of a few points disagree with the path's."""
    import numpy as np

    from nestviz import NestedOneClassSVM, OneClassPath
    from nestviz.analysis import ranking_disagreement

    X = np.random.default_rng(x).normal(size=(40, 2))
    path, nested = OneClassPath(0.5).fit(X), NestedOneClassSVM(0.5, levels=5).fit(X)
    both = [ranking_disagreement(fitted.family_, X) for fitted in (path, nested)]
    return {"y": both[0], "nested": both[1], "level": float(path.family_.levels[1])}


def fails(x, gate=""):
    raise ValueError(f"There is no cell {x}.")


def ends_its_process(x, gate=""):
    os.kill(os.getpid(), signal.SIGKILL)


def cannot_be_stored(x, gate=""):
    return {"y": {1, 2}}


@dataclass(frozen=True)
class Protocol:
    """Tasks by number, and the gate at which cells wait."""

    tasks: tuple[str, ...] = ("square",) * 12
    gate: str = ""
    seed: int = 0

    def describe(self) -> list[str]:
        return [f"{number} cells: {task}." for task, number in Counter(self.tasks).items()]


def plan(protocol):
    """Ask for all cells, and for one more that depends on them."""
    gate = {"gate": protocol.gate} if protocol.gate else {}
    results = yield [
        Cell(f"small_study:{task}", {"x": x}, locations=gate)
        for x, task in enumerate(protocol.tasks)
    ]
    (last,) = yield [Cell("small_study:square", {"x": round(sum(r["y"] for r in results), 6)})]
    values = [Value(f"cell {x}", "y", result["y"]) for x, result in enumerate(results)]
    return Findings([*values, Value("last", "y", last["y"])], tables={"all": results})


def study(protocol, name="small"):
    return Study(
        name, "Small", "nowhere", "quick", protocol.describe(), lambda: plan(protocol), seed=0
    )


def list_runs(folder, runs):
    """Stands for the report."""
    (folder / "report.txt").write_text("\n".join(run.name for run in runs))


def files_of(folder):
    """All that must not depend on how a study ran."""
    return {
        file.name: file.read_bytes() for file in folder.iterdir() if file.name != "run.json"
    }  # fmt: skip


def command(output, *options):
    """Return how to run this file."""
    return [sys.executable, str(HERE / "small_study.py"), str(output), *map(str, options)]


def environment():
    """Return variables with which workers find this file, and nestviz as this process does."""
    import nestviz

    paths = [str(Path(nestviz.__file__).parents[1]), str(HERE)]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


def kill_this_process(cells, number, delay, ended):
    def count():
        return sum(1 for _ in cells.glob("*/*.json"))

    first = count()
    while count() < first + number and not ended.is_set():
        time.sleep(0.001)
    time.sleep(delay)
    os.kill(os.getpid(), signal.SIGKILL)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output", type=Path)
    parser.add_argument("--tasks", nargs="*", default=list(Protocol.tasks))
    parser.add_argument("--gate", default="")
    parser.add_argument("--scheduler")
    parser.add_argument("--kill-after", type=int)
    parser.add_argument("--delay", type=float, default=0.0)
    options = parser.parse_args()
    # A command started in the background of a script ignores Ctrl-C; this one must not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ended = threading.Event()
    killer = threading.Thread(
        target=kill_this_process,
        args=(options.output / CELLS, options.kill_after, options.delay, ended),
    )
    if options.kill_after is not None:
        killer.start()
    protocol = replace(Protocol(), tasks=tuple(options.tasks), gate=options.gate)
    means = Means(options.output, 2, options.scheduler)
    status = conduct([study(protocol)], means, list_runs)
    ended.set()
    if options.kill_after is not None:
        killer.join()
    return status


if __name__ == "__main__":
    sys.exit(main())
