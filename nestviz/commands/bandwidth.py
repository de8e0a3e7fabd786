"""``nestviz bandwidth``: a width of the kernel for the points of a file."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from nestviz.commands import console, methods, numbers, outputs, sources, tables
from nestviz.commands.console import Console
from nestviz.commands.widths import FOLDS, RULES, estimator_of, least_volume
from nestviz.ui.compute.width_search import COUNTED, METHODS
from nestviz.volume.bandwidth import WIDTHS
from nestviz.volume.reference import MARGIN
from nestviz.volume.selection import BandwidthSelection

DESCRIPTION = """\
Choose the width σ of the Gaussian kernel, as the page Bandwidth does, and print it: the width of
least integrated volume, or that of another rule. It is in the units of the fit: with the same
options about columns and values it is a --sigma for the other commands.

--output saves the curve, integrated volume by width; --format prints it instead of σ."""
EXAMPLES = """\
examples:
  nestviz bandwidth data.csv
  nestviz rank data.csv --sigma $(nestviz bandwidth data.csv --quiet)
  nestviz bandwidth data.csv --method parzen --output curve.csv
  nestviz bandwidth data.csv --rule median
"""
ENDINGS = {"csv": (".csv",), "json": (".json",)}
LEAST, COUNTS = "miv", "support-vectors"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to the parser of the command."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    sources.add_options(parser)
    group = parser.add_argument_group("rule")
    group.add_argument(
        "--rule", choices=(LEAST, COUNTS, *RULES), default=LEAST,
        help="least integrated volume (miv, the default), where the number of support vectors "
        "stops falling, or a rule by distances: auto (0.2 median distances), median, average; "
        "dimension: √(d/5) for d scaled features",
    )  # fmt: skip
    searched = methods.choices("one class", keys=METHODS)
    methods.add_method(group, searched, "nested-one-class")
    group.add_argument(
        "--widths", type=numbers.at_least(2), default=WIDTHS, metavar="N",
        help=f"number of widths to try ({WIDTHS})",
    )  # fmt: skip
    group.add_argument(
        "--folds", type=numbers.at_least(2), default=FOLDS, metavar="N",
        help=f"number of parts that are held out in turn ({FOLDS})",
    )  # fmt: skip
    group.add_argument(
        "--margin", type=numbers.margin, default=MARGIN,
        help=f"how far the box reaches beyond the points, as a share of their spread ({MARGIN:g})",
    )  # fmt: skip
    outputs.add_options(parser, ENDINGS)
    console.add_options(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit status."""
    said, target = Console.of(options), outputs.target_of(options, ENDINGS)
    if options.rule == COUNTS and options.method.key not in COUNTED:
        raise ValueError(f"{options.method.row.title}: there are no support vectors to count.")
    X = sources.read_points(options, said).fitted.X
    found = _found(options, X, said)
    wanted = options.format is not None or target.path is not None
    if wanted:
        curve = found.pop("curve")
        head = found | {"distance_rules": {name: rule(X) for name, rule in RULES.items()}}
        content = head | {"curve": tables.records(curve)}
        target.write(tables.to_csv(curve) if target.form == "csv" else tables.to_json(content))
    if target.path is not None or not wanted:
        outputs.Target("text").write(f"{found['sigma']!r}\n")
    return 0


def _found(options: argparse.Namespace, X: Any, said: Console) -> dict[str, Any]:
    """Return the width, and the curve that it was read off."""
    head = {"rule": options.rule, "method": options.method.name}
    estimator = METHODS[options.method.key]
    if options.rule == LEAST:
        selection = least_volume(
            estimator, X, said, widths=options.widths, folds=options.folds, margin=options.margin
        )
        end = {"at_end": selection.at_end}
        return head | {"sigma": selection.sigma} | end | {"curve": _volumes(selection)}
    if options.rule == COUNTS:
        from nestviz.volume import default_sigmas, support_vector_rule

        with said.progress("Counting support vectors"):
            widths = default_sigmas(X, options.widths)
            rule = support_vector_rule(X, estimator_of(estimator), widths, n_jobs=-1)
        curve = {"sigma": rule.sigmas, "support_vectors": rule.counts}
        return head | {"sigma": rule.sigma, "at_end": rule.at_end, "curve": curve}
    sigma = float(RULES[options.rule](X))
    return {"rule": options.rule, "sigma": sigma, "curve": {"sigma": [sigma]}}


def _volumes(selection: BandwidthSelection) -> dict[str, Any]:
    """Return the columns of the page's table."""
    folds = selection.fold_values.shape[1]
    best = np.arange(selection.sigmas.size) == selection.best
    return {
        "sigma": selection.sigmas,
        "integrated_volume": selection.values,
        "standard_error_over_folds": selection.spreads / np.sqrt(folds),
        "standard_error_of_volume": selection.errors,
        "least": best,
        "extrapolated": selection.extrapolated_shares,
    }
