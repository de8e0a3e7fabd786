"""``nestviz fit``: solve a family of sets for a file, and save it."""

from __future__ import annotations

import argparse
from typing import Any

from nestviz.commands import console, methods, outputs, sources, tables
from nestviz.commands.console import Console
from nestviz.commands.sources import Points
from nestviz.ui.compute.methods import Fitted

DESCRIPTION = """\
Solve a family of sets for the points of a file, as the pages One class and Two classes do.
Prints a summary on standard error and the numbers as JSON on standard output; --output saves
the model (.skops), the numbers (.json), or the levels of all points (.csv)."""
EXAMPLES = """\
examples:
  nestviz fit data.csv --method nested-one-class --sigma miv --output model.skops
  nestviz rank --model model.skops new.csv
  nestviz fit data.csv --label class --positive sick --method nested-cost-sensitive -o model.skops
  gunzip -c data.csv.gz | nestviz fit - --format csv > levels.csv
"""
ENDINGS = {"json": (".json",), "csv": (".csv",), "skops": (".skops", ".zip")}
LEVELS = {"one class": 11, "two classes": 5}
"""Levels of the nested methods, as on their pages."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to the parser of the command."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    sources.add_options(parser)
    group = parser.add_argument_group("method")
    methods.add_method(group, methods.choices("one class", "two classes"), "nested-one-class")
    methods.add_settings(group, two_classes=True)
    outputs.add_options(parser, ENDINGS)
    console.add_options(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit status."""
    said, target = Console.of(options), outputs.target_of(options, ENDINGS)
    if target.form == "skops":
        from nestviz.extras import require

        require("skops", "io", "Model files")
    points = sources.read_points(options, said)
    levels = LEVELS[options.method.kind]
    fitted = methods.solve(options, points, said, levels=levels, spacing="even")
    target.write(_content(target.form, options.method.name, fitted, points))
    said.say(_summary(fitted, points) + (f" Saved to {target.path}." if target.path else ""))
    return 0


def _content(form: str, method: str, fitted: Fitted, points: Points) -> str | bytes:
    if form == "skops":
        from nestviz.commands.models import model_file

        return model_file(fitted, points, method)
    if form == "csv":
        return tables.to_csv(_levels(fitted, points))
    return tables.to_json(_numbers(method, fitted, points))


def _summary(fitted: Fitted, points: Points) -> str:
    data, spec = points.fitted, fitted.spec
    features = "1 feature" if data.d == 1 else f"{data.d} features"
    return (
        f"{spec.title}: {data.n:,} points, {features}, σ = {spec.sigma:.4g}, "
        f"{fitted.breakpoints:,} levels, {fitted.certificate}."
    )


def _numbers(method: str, fitted: Fitted, points: Points) -> dict[str, Any]:
    from nestviz.estimators.model_files import certificate_of

    data, family = points.fitted, fitted.family
    known = certificate_of(fitted.estimator)
    return {
        "method": method,
        "title": fitted.spec.title,
        "sigma": fitted.spec.sigma,
        "data": {
            "name": data.name,
            "rows": points.total,
            "points": data.n,
            "features": list(data.feature_names),
            "provenance": list(data.provenance),
        },
        "estimator": known["estimator"],
        "parameters": known["parameters"],
        "certificate": known["certificate"],
        "nested": bool(family.is_nested),
        "level_name": family.level_name,
        "smallest_solved_level": family.hold_level,
        "levels": family.levels,
    }


def _levels(fitted: Fitted, points: Points) -> dict[str, Any]:
    """Return the levels of all points, and their answers at the level of the estimator."""
    X, model = points.fitted.X, fitted.estimator
    values = fitted.family.values(X, model.level_)
    answers = {
        "first_level": fitted.family.first_level(X),
        "last_level": fitted.family.last_level(X),
        "decision": values,
        "inside": values >= 0,
    }
    return tables.arranged(points, answers)
