"""The use of columns as the options say, and as the app guesses where they say nothing."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence

from nestviz.commands.ending import UsageError
from nestviz.data import Roles, Table, guess_roles, label_values
from nestviz.data.roles import check_columns


def named(table: Table, given: Sequence[str] | None) -> list[str]:
    """Return the columns that an option names: a name as it is, or several between commas."""
    names: list[str] = []
    for text in given or ():
        names += [text] if text in table.columns else [part.strip() for part in text.split(",")]
    names = list(dict.fromkeys(name for name in names if name))
    check_columns(table, tuple(names))
    return names


def roles_of(table: Table, options: argparse.Namespace) -> Roles:
    """Return the roles of the columns."""
    guess = guess_roles(table)
    chosen = named(table, options.features)
    ids = ids_of(table, options, {*chosen, options.label})
    aside = {*ids, *named(table, options.ignore)}
    label = _label(table, guess, {*aside, *chosen}, options)
    features = chosen
    if not chosen:
        others = [name for name in table.columns if name != label]
        features = [name for name in guess.features or others if name in others]
        features = [name for name in features if name not in aside]
    if not features:
        raise UsageError("No column is left as a feature; name some by --features.")
    positive = _positive(table, guess, label, options)
    return Roles(tuple(features), label, positive, options.missing, options.standardise, ids)


def ids_of(table: Table, options: argparse.Namespace, used: Collection[str]) -> tuple[str, ...]:
    """Return the columns that identify points: those named, or those that the app proposes."""
    if options.id:
        return tuple(named(table, options.id))
    ignored = named(table, options.ignore)
    return tuple(name for name in guess_roles(table).ids if name not in (*used, *ignored))


def _label(table: Table, guess: Roles, taken: set[str], options: argparse.Namespace) -> str | None:
    if options.no_label and options.label is not None:
        raise UsageError("Give --label or --no-label, not both.")
    if options.label is not None:
        check_columns(table, (options.label,))
        return str(options.label)
    return None if options.no_label or guess.label in taken else guess.label


def _positive(
    table: Table, guess: Roles, label: str | None, options: argparse.Namespace
) -> tuple[str, ...]:
    """Return the values that count as +1; by default those that the app proposes."""
    if label is None:
        if options.positive:
            raise UsageError("--positive needs a column of classes: name it by --label.")
        return ()
    if options.positive:
        return tuple(options.positive)
    if label == guess.label:
        return guess.positive
    return tuple(value for value, _ in label_values(table, label)[:1])
