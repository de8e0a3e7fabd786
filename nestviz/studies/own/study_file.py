"""Read a study's TOML file, and check everything in it before anything is computed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Literal, cast

import numpy as np

from nestviz.data import SAMPLES, DataError, Dataset
from nestviz.data.errors import first_repeat, quoted
from nestviz.methods import ETA, METHODS, NU, Kind
from nestviz.studies.own.settings import MEASURES, Settings, Source
from nestviz.studies.own.values import StudyFileError, Table

LARGEST = 1_000_000
"""Bytes of the largest file that is read."""
RESERVED = ("cells", "plots")
"""Folders of the output that are no studies."""


def read_study(file: Path) -> tuple[Settings, dict[str, str]]:
    """Read a study's file.

    Parameters
    ----------
    file : Path
        The TOML file; files of data are found from its folder.

    Returns
    -------
    settings : Settings
        What is compared.
    fingerprints : dict of str to str
        The fingerprint of each data set by its name. All were read, and fit the study.

    Raises
    ------
    StudyFileError
        If anything in it is wrong; the message names file and key.
    """
    content = Table(_toml(file), file.name)
    settings = _settings(content, file)
    return settings, {source.name: _checked(source, settings, file) for source in settings.data}


def _toml(file: Path) -> dict[str, object]:
    try:
        with open(file, "rb") as opened:
            text = opened.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise StudyFileError(f"{file.name}: The file is too large to describe a study.")
        return tomllib.loads(text.decode("utf-8"))
    except OSError as error:
        raise StudyFileError(f"The file {file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise StudyFileError(f"{file.name}: The file is not text in UTF-8.") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise StudyFileError(f"{file.name}: The file is not TOML: {error}.") from error


def _settings(content: Table, file: Path) -> Settings:
    problem = cast("Kind", content.text("problem", "one class", METHODS))
    methods = content.names("methods", METHODS[problem])
    suited = [name for name, measure in MEASURES.items() if problem in measure.kinds]
    grid, fit = content.table("grid"), content.table("fit")
    if grid.has("sigma") and grid.has("sigma_factors"):
        raise grid.wrong("sigma", "and grid.sigma_factors exclude each other.")
    if problem == "one class" and grid.has("lam"):
        raise grid.wrong("lam", "is not read by one-class methods.")
    settings = Settings(
        name=_name(content, file),
        title=content.text("title", file.stem),
        problem=problem,
        methods=methods,
        measures=content.names("measures", suited),
        data=tuple(_source(table, file) for table in content.tables("data")),
        permutations=content.whole("permutations", Settings.permutations, 1),
        train=content.number(
            "train", Settings.train, lambda x: 0.0 < x < 1.0, "a share between 0 and 1"
        ),
        folds=content.whole("folds", Settings.folds, 2),
        sigma=grid.positives("sigma", ()) if grid.has("sigma") else (),
        sigma_factors=grid.positives("sigma_factors", Settings.sigma_factors),
        lam=grid.positives("lam", Settings.lam) if problem == "two classes" else (1.0,),
        levels=fit.whole("levels", Settings.levels, 2),
        spacing=fit.text("spacing", Settings.spacing, ("even", "geometric")),
        nu=fit.number("nu", NU, lambda x: 0.0 < x <= 1.0, "a number above 0 and up to 1"),
        eta=fit.number("eta", ETA, lambda x: 1.0 <= x < 1e6, "a number from 1 up"),
        seed=content.whole("seed", 0, 0),
    )
    for table in (content, grid, fit):
        table.finish()
    if (twice := first_repeat(source.name for source in settings.data)) is not None:
        raise content.wrong("data", f"has two sets called '{quoted(twice)}'; give them a name.")
    return settings


def _name(content: Table, file: Path) -> str:
    name = content.text("name", re.sub(r"[^A-Za-z0-9_-]+", "-", file.stem).strip("-") or "study")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", name) or name in RESERVED:
        raise content.wrong(
            "name", f"cannot be '{quoted(name)}': it names a folder, by letters, digits, - and _."
        )
    return name


def _source(table: Table, study: Path) -> Source:
    if table.has("sample") == table.has("file"):
        raise table.wrong("file", "or sample is needed, and not both.")
    if table.has("sample"):
        sample = table.text("sample", among=SAMPLES)
        source = Source(
            table.text("name", sample), sample=sample, standardise=table.flag("standardise", True)
        )
    else:
        file = (study.parent / table.text("file")).resolve()
        label = table.text("label") if table.has("label") else None
        if table.has("positive") and label is None:
            raise table.wrong("positive", "has no meaning without label.")
        source = Source(
            table.text("name", file.stem),
            str(file),
            label=label,
            positive=table.texts("positive", ()),
            drop=table.texts("drop", ()),
            missing=cast(
                "Literal['drop', 'mean']", table.text("missing", "drop", ("drop", "mean"))
            ),
            standardise=table.flag("standardise", True),
        )
    table.finish()
    return source


def _checked(source: Source, settings: Settings, file: Path) -> str:
    """Load a data set, check that the study is possible on it, and return its fingerprint."""
    where = f"{file.name}: data '{quoted(source.name)}'"
    try:
        loaded = source.load()
    except DataError as error:
        raise StudyFileError(f"{where}: {error}") from error
    except OSError as error:
        raise StudyFileError(
            f"{where}: file '{quoted(source.file)}' cannot be read: {error.strerror}."
        ) from error
    for problem in _problems(loaded, settings):
        raise StudyFileError(f"{where}: {problem}")
    return loaded.fingerprint


def _problems(data: Dataset, settings: Settings) -> list[str]:
    """Return what makes a study of these points impossible, first things first."""
    found = []
    if data.y is None:
        if settings.two_classes:
            found.append("two classes need a label.")
        found += [
            f"measures: '{name}' needs a label."
            for name in settings.measures
            if MEASURES[name].needs_labels
        ]
        sizes = [data.n]
    else:
        sizes = [int(np.sum(data.y == sign)) for sign in (1, -1)]
    fitted = sizes if settings.two_classes else sizes[:1]
    smallest = min(n - round((1.0 - settings.train) * n) for n in fitted)
    if smallest < settings.folds:
        found.append(
            f"{smallest} training points of a class are too few for {settings.folds} folds."
        )
    if min(round((1.0 - settings.train) * n) for n in sizes) < 1:
        found.append(f"train = {settings.train:g} leaves no test points of a class.")
    return found
