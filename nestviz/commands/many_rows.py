"""``nestviz rank`` on many rows: files of Parquet, through weighted centres, row by row."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nestviz.analysis.ties import Ties
from nestviz.arrays import FloatArray
from nestviz.commands import methods, numbers, sources
from nestviz.commands.console import Console
from nestviz.commands.ending import FailedError, UsageError
from nestviz.commands.outputs import Target
from nestviz.commands.roles import roles_of
from nestviz.data import Limits, Table, table_to_csv
from nestviz.data.errors import listed
from nestviz.data.file_rows import FileRows, opened, ranges, scaling_of
from nestviz.data.scaling import varying_features
from nestviz.estimators.quantised_fit import SUPPORTED
from nestviz.families import SetFamily
from nestviz.methods import Spec, top_level
from nestviz.quantisation.assignment import Partition
from nestviz.quantisation.certificate import percent
from nestviz.quantisation.density import density_centres
from nestviz.quantisation.own_support import OwnSupport, own_levels
from nestviz.quantisation.reading import open_source, parquet_files
from nestviz.quantisation.sources import Source, lengths, sample
from nestviz.ui.compute.entry_maps import SAME_LEVEL

HEAD = 5_000
"""Rows of the first file by which the use of the columns is guessed."""
SAMPLE = 5_000
"""Rows drawn from all files, from which width and levels are found."""
TOLERANCE, DENSITY_TOLERANCE = 0.002, 0.01
"""The gap to reach, and for a density the share of the highest level."""
PARZEN = "ParzenLevelSets"
"""The estimator that solves nothing: its density is bounded instead."""
FIRST, MOST = 100, 4_000
"""Centres of a density that are tried first, and at most, each time twice as many."""
COLUMNS = ("file", "row", "rank", "score", "level")
_UNUSED = {
    "model": None, "id": None, "most": None, "score": "mass", "missing": "drop", "positive": None,
}  # fmt: skip
"""Options that need all rows at once, and their defaults."""


class Solved(NamedTuple):
    """Sets of weighted centres, the cells of these, and how good they are in a sentence."""

    family: SetFamily
    centres: FloatArray
    weights: FloatArray
    cells: Partition
    sentence: str


@dataclass(frozen=True, eq=False)
class RankedRows:
    """Rows with the level at which each enters, and their ranks."""

    rows: FileRows
    names: tuple[str, ...]
    level: FloatArray
    beyond: Any

    def chunks(self) -> Iterator[str]:
        """Yield the output in the order of the files, some rows at a time."""
        yield table_to_csv(COLUMNS, ())
        done, total = 0, len(self.level)
        for path, name in zip(self.rows.files, self.names, strict=True):
            for batch in self.rows.batches(path):
                mine = slice(done, done + len(batch.rows))
                done = mine.stop
                beyond, level = self.beyond[mine], self.level[mine]
                found = zip(
                    [name] * len(batch.rows), batch.rows.tolist(), (beyond + 1).tolist(),
                    (1.0 - beyond / total).tolist(), level.tolist(), strict=True,
                )  # fmt: skip
                yield _lines(found)

    def top(self, count: int) -> Iterator[str]:
        """Yield the most abnormal rows in the order of their ranks."""
        order = np.argsort(self.beyond, kind="stable")[:count]
        kept, done, lines = set(order.tolist()), 0, {}
        for path, name in zip(self.rows.files, self.names, strict=True):
            for batch in self.rows.batches(path):
                for at, row in enumerate(batch.rows.tolist(), done):
                    if at in kept:
                        lines[at] = (name, row)
                done += len(batch.rows)
        yield table_to_csv(COLUMNS, ())
        yield _lines(
            (*lines[k], int(self.beyond[k]) + 1, 1.0 - self.beyond[k] / done, float(self.level[k]))
            for k in order.tolist()
        )


def _lines(rows: Any) -> str:
    """Return rows of CSV without the row of names."""
    return table_to_csv(COLUMNS, rows).partition("\n")[2]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for many rows."""
    group = parser.add_argument_group(
        "many rows: several Parquet files, a folder of them, or a large one"
    )
    group.add_argument(
        "--centres", "--centers", type=_centres, metavar="N",
        help="number of weighted centres that stand for the rows; auto (the default) takes as many "
        "as the certificate needs. Given, also one small Parquet file is ranked by centres",
    )  # fmt: skip
    group.add_argument(
        "--certified", type=numbers.number, metavar="GAP",
        help=f"relative gap that the certificate should reach ({TOLERANCE:g}; for --method parzen, "
        f"which solves nothing, {DENSITY_TOLERANCE:g} of the highest level)",
    )  # fmt: skip
    group.add_argument(
        "--scheduler", metavar="ADDRESS",
        help="a Dask scheduler whose workers read the files, such as tcp://10.0.0.1:8786",
    )  # fmt: skip


def are_many(options: argparse.Namespace) -> bool:
    """Return whether the options ask for many rows."""
    given = (options.centres, options.certified, options.scheduler)
    if len(options.data) > 1 or any(value is not None for value in given):
        return True
    path = Path(options.data[0])
    return path.is_dir() or (path.suffix == ".parquet" and path.is_file() and _is_large(path))


def _is_large(path: Path) -> bool:
    """Return whether a Parquet file has more than is read at once."""
    limits = Limits()
    if path.stat().st_size > limits.max_bytes:
        return True
    try:
        metadata = opened(path).metadata
    except ValueError:
        # The ordinary reader says what is wrong with it.
        return False
    size = 8 * metadata.num_rows * metadata.num_columns
    return bool(metadata.num_rows > limits.max_rows or size > limits.table_bytes)


def rank(options: argparse.Namespace, said: Console, target: Target, **defaults: Any) -> None:
    """Rank all rows and write them; ``defaults`` are levels and spacing."""
    _check(options, target)
    files, names = _files(options.data)
    raw = _chosen_columns(files, options, said)
    rows = _in_units(raw, options, said)
    ranked = _ranked(rows, names, options, said, defaults)
    target.write_parts(ranked.chunks() if options.top is None else ranked.top(options.top))


def _check(options: argparse.Namespace, target: Target) -> None:
    given = [name for name, default in _UNUSED.items() if getattr(options, name) != default]
    if given:
        raise UsageError(f"--{given[0]} is not available for many rows; leave it out.")
    if target.form != "csv":
        raise UsageError("Many rows are written as CSV, row by row; JSON is not available.")
    known = {PARZEN, *(kind.__name__ for kind in SUPPORTED)}
    if options.method.row.estimator not in known:
        fitting = [
            name
            for name, choice in methods.choices("one class").items()
            if choice.row.estimator in known
        ]
        raise UsageError(
            f"{options.method.row.title} is not available for many rows: its solution on weighted "
            "centres has no certificate for all of them. Choose --method "
            f"{', '.join(fitting)}, or rank a sample of the rows as one file."
        )


def _files(given: Sequence[str]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Return the files and their names in the output."""
    if sources.STANDARD in given:
        raise UsageError("Many rows are read more than once: give files, not standard input.")
    files: list[Path] = []
    for name in given:
        if Path(name).is_dir() and not any(Path(name).glob("*.parquet")):
            raise FailedError(f"'{name}' is a directory without Parquet files.")
        if not Path(name).exists():
            raise FailedError(f"'{name}' cannot be read: there is no such file.")
        files += parquet_files(name)
    for path in files:
        if path.suffix != ".parquet":
            raise UsageError(
                f"'{path.name}' is no Parquet file. Many rows are read from Parquet: write it in "
                "that format, or rank it alone without --centres."
            )
    named = [path.name for path in files]
    unique = len(set(named)) == len(named)
    return tuple(files), tuple(named if unique else map(str, files))


def _chosen_columns(
    files: tuple[Path, ...], options: argparse.Namespace, said: Console
) -> FileRows:
    """Return the rows of the files with the columns of numbers that are features."""
    table = _head(files)
    roles = roles_of(table, options)
    wanted = roles.features or table.columns
    words = [name for name in wanted if not table.is_numeric(name)]
    if words and options.features:
        raise UsageError(
            f"The column '{words[0]}' has text; many rows are ranked by columns of numbers alone."
        )
    features = tuple(name for name in table.columns if name in wanted and name not in words)
    if not features:
        raise UsageError("No column of numbers is left as a feature; name some by --features.")
    unused = [name for name in table.columns if name not in (*features, roles.label)]
    if unused and not options.features and not options.ignore:
        said.say(f"Columns that are not used: {listed(unused)}.")
    return FileRows(files, features, roles.label)


def _head(files: tuple[Path, ...]) -> Table:
    """Return the first rows of the first file that has any as a table."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    for path in files:
        batch = next(opened(path).iter_batches(HEAD), None)
        if batch is not None and batch.num_rows:
            content = BytesIO()
            parquet.write_table(pa.Table.from_batches([batch]), content)
            return sources.read_table(content.getvalue(), path.name, None)
    named = f"'{files[0].name}' has" if len(files) == 1 else f"The {len(files)} files have"
    raise FailedError(f"{named} no rows.")


def _in_units(raw: FileRows, options: argparse.Namespace, said: Console) -> FileRows:
    """Return the rows without constant features, standardised as one file is."""
    source = open_source(raw, scheduler=options.scheduler)
    try:
        with said.progress("Reading") as report:
            found = ranges(source)
            if not found.points:
                raise UsageError("Every row has a missing value, so none would be left.")
            ends = np.stack([found.low, found.high])
            varying, features, sentences = varying_features(ends, raw.features)
            for sentence in sentences:
                said.say(sentence)
            report(0.3)
            scaling = scaling_of(source, found, varying) if options.standardise else None
    finally:
        source.close()
    return raw.scaled(features, scaling)


def _ranked(
    rows: FileRows,
    names: tuple[str, ...],
    options: argparse.Namespace,
    said: Console,
    defaults: dict[str, Any],
) -> RankedRows:
    source = open_source(rows, scheduler=options.scheduler)
    try:
        drawn = sample(source, lengths(source), SAMPLE, options.seed).X
        spec = methods.spec_of(options, np.ascontiguousarray(drawn), said, **defaults)
        with said.progress(f"Solving: {spec.solved.title}"):
            fit = _by_density if spec.row.estimator == PARZEN else _by_certificate
            family, centres, weights, cells, sentence = fit(spec, rows, source, drawn, options)
        support = OwnSupport.of(family, centres, weights)
        level = np.concatenate(list(source.each(own_levels, support, cells)))
    finally:
        source.close()
    said.say(sentence)
    entry = family.orientation * level
    beyond = Ties.among(entry, SAME_LEVEL * top_level(drawn, spec.sigma)).beyond(entry)
    return RankedRows(rows, names, level, beyond)


def _by_certificate(
    spec: Spec, rows: FileRows, source: Source, drawn: FloatArray, options: argparse.Namespace
) -> Solved:
    """Solve on as many centres as the certificate of the optimum needs."""
    from nestviz.estimators.quantised import Quantised

    model = Quantised(
        spec.solved.unfitted(drawn),
        options.centres or "auto",
        tol=options.certified or TOLERANCE,
        random_state=options.seed,
        scheduler=options.scheduler,
    ).fit(rows)
    found = model.certificate_
    sentence = (
        f"{found.n_points:,} rows as {found.n_centres:,} weighted centres, certified to "
        f"{percent(found.gap)}."
    )
    family = spec.row.family(model.estimator_)
    return Solved(family, model.centres_, model.weights_, model.cells_, sentence)


def _by_density(
    spec: Spec, rows: FileRows, source: Source, drawn: FloatArray, options: argparse.Namespace
) -> Solved:
    """Take as many centres as the bound of the density needs."""
    total, wanted = sum(lengths(source)), options.certified or DENSITY_TOLERANCE
    most = min(MOST, total)
    counts = [n for n in (FIRST * 2**k for k in range(32)) if n < most] + [most]
    if isinstance(options.centres, int):
        counts = [min(options.centres, total)]
    found = density_centres(source, counts, spec.sigma, wanted, options.seed)
    sentence = (
        f"{found.n_points:,} rows as {len(found.centres):,} weighted centres; their density is "
        f"within {percent(found.gap)} of the highest level from that of all rows, everywhere."
    )
    if found.gap > wanted:
        sentence += f" {100 * wanted:g}% was asked: more centres or a larger --sigma bring it down."
    model = spec.unfitted(found.centres).fit(found.centres, sample_weight=found.weights)
    family = spec.row.family(model)
    return Solved(family, found.centres, found.weights, found.cells, sentence)


def _centres(text: str) -> int | str:
    return text if text == "auto" else numbers.at_least(1)(text)
