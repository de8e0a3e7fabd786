"""Methods of the app by names for a command line, and the settings of a fit."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any, NamedTuple

from nestviz.arrays import FloatArray
from nestviz.commands import numbers
from nestviz.commands.console import Console
from nestviz.commands.ending import UsageError
from nestviz.commands.sources import Points
from nestviz.commands.widths import RULES, least_volume, margin_of
from nestviz.ui.compute import tasks
from nestviz.ui.compute.methods import ADAPTIVE, ETA, METHODS, NU, Fitted, Kind, Method, Spec

LAM = 0.1
"""Regularisation of the two-class methods, as on their page."""


class Choice(NamedTuple):
    """A method: its name on the command line, and where it is in the registry."""

    name: str
    kind: Kind
    key: str

    @property
    def row(self) -> Method:
        """The method in the registry."""
        return METHODS[self.kind][self.key]


def _slug(key: str) -> str:
    named = key.lower().replace("ν", "nu").replace("η", "eta")
    return named.replace(" ", "-").removesuffix("-svm")


def _choices() -> dict[str, Choice]:
    found: dict[str, Choice] = {}
    for kind, registry in METHODS.items():
        for key, row in registry.items():
            # "union" exists for both kinds; that of two classes has the name of what it joins, too.
            name = _slug(key) if _slug(key) not in found else f"{_slug(key)}-{_slug(row.joins)}"
            found[name] = Choice(name, kind, key)
    return found


CHOICES = _choices()
"""All methods by name."""


def choices(*kinds: Kind, keys: Iterable[str] | None = None) -> dict[str, Choice]:
    """Return the methods of some kinds, or those with some keys of the registry."""
    wanted = None if keys is None else set(keys)
    return {
        name: choice
        for name, choice in CHOICES.items()
        if choice.kind in kinds and (wanted is None or choice.key in wanted)
    }


def add_method(parser: Any, known: dict[str, Choice], default: str) -> None:
    """Add the option that chooses a method."""
    listed = "; ".join(f"{name} ({choice.row.title})" for name, choice in known.items())

    def read(text: str) -> Choice:
        name = _slug(text)
        if name not in known:
            raise argparse.ArgumentTypeError(f"choose one of {', '.join(known)}, not {text!r}")
        return known[name]

    parser.add_argument(
        "-m", "--method", type=read, default=known[default], metavar="NAME",
        help=f"{listed} (default: {default})",
    )  # fmt: skip


def add_settings(group: Any, *, two_classes: bool = False) -> None:
    """Add the options of a fit."""
    width = group.add_mutually_exclusive_group()
    width.add_argument(
        "-s", "--sigma", type=_sigma, metavar="WIDTH",
        help="width of the Gaussian kernel, in the units of the fit: a number; auto (0.2 median "
        "distances, the default), median, average, dimension (√(d/5) for d scaled features); miv "
        "(least integrated volume), miv:MARGIN",
    )  # fmt: skip
    width.add_argument(
        "--width", type=numbers.number, metavar="SHARE",
        help="the same in median distances, as the app shows it",
    )  # fmt: skip
    group.add_argument(
        "--levels", type=_levels, metavar="N",
        help="levels of the nested methods: a number; adaptive (inserted where the duality gap "
        "between levels is largest, until it is at most 0.001 at every level)",
    )  # fmt: skip
    group.add_argument(
        "--spacing", choices=("even", "geometric"),
        help="of these levels; geometric ones are denser where outliers enter",
    )  # fmt: skip
    group.add_argument("--nu", type=_nu, help=f"ν of nu-one-class ({NU:g})")
    group.add_argument(
        "--eta", type=_eta, help=f"η of eta-one-class, 1 or more ({ETA:g}): its α are those of ηλ"
    )
    if two_classes:
        group.add_argument(
            "--lam", type=numbers.number, help=f"regularisation λ of two classes ({LAM:g})"
        )


def solve(
    options: argparse.Namespace, points: Points, console: Console, *, levels: int, spacing: str
) -> Fitted:
    """Return the fit that the options ask for; ``levels`` and ``spacing`` are the defaults."""
    choice, data = options.method, points.fitted
    if choice.kind == "two classes" and data.y is None:
        raise UsageError(
            f"{choice.row.title} needs two classes, and the data have no labels: name their column "
            "by --label."
        )
    spec = spec_of(options, data.X, console, levels=levels, spacing=spacing)
    with console.progress(f"Solving: {spec.solved.title}") as report:
        return tasks.fit(spec.solved, data.X, data.y, data.weights, report).under(spec)


def spec_of(
    options: argparse.Namespace, X: FloatArray, console: Console, *, levels: int, spacing: str
) -> Spec:
    """Return the settings that the options ask for, with the width as a number."""
    choice = options.method
    defaults: dict[str, Any] = {
        "levels": levels, "spacing": spacing, "nu": NU, "eta": ETA, "lam": LAM
    }  # fmt: skip
    given: dict[str, Any] = {name: getattr(options, name, None) for name in defaults}
    for name in sorted(name for name, value in given.items() if value is not None):
        if name not in choice.row.reads:
            console.warn(f"{choice.row.title} has no {name}; --{name} is not used.")
    settings = {
        name: default if given[name] is None else given[name] for name, default in defaults.items()
    }
    if settings["levels"] == ADAPTIVE:
        if given["spacing"] is not None:
            raise UsageError("Adaptive levels have no --spacing: leave it out, or give a number.")
        settings |= {"levels": levels, "spacing": ADAPTIVE}
    sigma = _width(options, choice, X, console)
    return Spec(choice.key, sigma, kind=choice.kind, **settings)


def _width(options: argparse.Namespace, choice: Choice, X: FloatArray, console: Console) -> float:
    if options.width is not None:
        return float(options.width * RULES["median"](X))
    sigma = options.sigma or "auto"
    if not isinstance(sigma, str):
        return float(sigma)
    if sigma in RULES:
        return float(RULES[sigma](X))
    given = {name: getattr(options, name) for name in ("nu", "eta") if name in choice.row.reads}
    parameters = {name: value for name, value in given.items() if value is not None}
    margin = margin_of(sigma)
    found = least_volume(choice.row.estimator, X, console, margin=margin, **parameters)
    console.note(f"Least integrated volume at σ = {found.sigma!r}.")
    return found.sigma


def _levels(text: str) -> int | str:
    if text == ADAPTIVE:
        return text
    try:
        return numbers.at_least(2)(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"a whole number from 2 up or {ADAPTIVE!r} is needed, not {text!r}"
        ) from None


def _sigma(text: str) -> float | str:
    if text in RULES or text == "miv":
        return text
    if text.startswith("miv:"):
        numbers.margin(text.removeprefix("miv:"))
        return text
    try:
        return numbers.number(text)
    except argparse.ArgumentTypeError:
        rules = ", ".join((*RULES, "miv", "miv:MARGIN"))
        raise argparse.ArgumentTypeError(
            f"a width is a positive number or one of {rules}, not {text!r}"
        ) from None


def _nu(text: str) -> float:
    try:
        found = numbers.number(text)
    except argparse.ArgumentTypeError:
        found = 2.0
    if found > 1.0:
        raise argparse.ArgumentTypeError(f"ν is a number above 0 and up to 1, not {text!r}")
    return found


def _eta(text: str) -> float:
    try:
        found = numbers.number(text)
    except argparse.ArgumentTypeError:
        found = 0.0
    if found < 1.0:
        raise argparse.ArgumentTypeError(f"η is a number from 1 up, not {text!r}")
    return found
