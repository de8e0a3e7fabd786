"""The view: all settings of all pages as one record, with its encoder and decoder for the address.

The keys of the address are public: renaming one, or changing its meaning, breaks links. A field
that is None has the default of the page, and is not written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from nestviz.data import SAMPLES, Option
from nestviz.ui.session.view_rules import (
    LONGEST_WORD,
    Layers,
    Location,
    Number,
    Numbers,
    Rule,
    Span,
    Switch,
    Word,
    Words,
)

LINK_VERSION = 1
"""Version of the names and meanings of the keys, in links as ``v``."""
MINE = "mine"
"""The value of ``data`` that stands for the user's own points."""
MOST_WORDS, LONGEST = 40, 3 * LONGEST_WORD
"""Bounds on what is read of one key: number of values, characters of each."""

STEPS = (
    "ask", "play", "worst", "profile", "course", "rankings", "unions", "constraint", "cost", "next",
    "free",
)  # fmt: skip
"""The steps of the story of the start page, in order; the last one is outside it."""

Parameters = dict[str, list[str]]


@dataclass(frozen=True)
class Selection:
    """Selected points of one data set."""

    # Of the data; empty for the point of a link that is not yet matched to data
    fingerprint: str = ""
    points: tuple[int, ...] = ()  # Rows of the data; details are shown of the first
    branch: int | None = None  # The branch of the cluster tree that the points belong to

    @property
    def point(self) -> int | None:
        """The point whose details are shown."""
        return self.points[0] if self.points else None


def _by(rule: Rule) -> Any:
    return field(default=None, metadata={"rule": rule})


def _number(low: float, high: float) -> Any:
    return _by(Number(low, high))


def _whole(low: int, high: int) -> Any:
    return _by(Number(low, high, whole=True))


def _word(*choices: str) -> Any:
    return _by(Word(choices))


@dataclass(frozen=True)
class View:
    """The settings of all pages; each field is a key of the address.

    Entries of lists that depend on the data or on a registry are read as words; the control of the
    list ignores unknown ones.
    """

    # The data.
    data: str | None = _word(MINE, *SAMPLES)
    seed: int | None = _whole(0, 999_999)
    standardise: bool | None = _by(Switch())
    most: int | None = _whole(100, 1_000_000)
    rows: str | None = _word("centres", "sample")
    """Whether many rows are used as weighted centres or as a sample, where a page can use both."""
    centres: int | None = _whole(50, 5_000)
    show: str | None = _word("pca", "tsne", "umap", "slice")
    against: bool | None = _by(Switch())
    """Whether data without labels are learned against uniform points, where labels are needed."""
    options: tuple[tuple[str, float], ...] = ()
    """Options of samples, each under the key ``sample.option``."""
    # Where the data come from, on their page.
    from_: str | None = _word()
    kind: str | None = _word()
    # What fits depend on.
    width: float | None = _number(1e-3, 30.0)
    """In median distances; sliders begin with a part of this range."""
    levels: int | None = _whole(2, 41)
    depth: int | None = _whole(5, 41)
    grid: str | None = _word("even", "geometric", "adaptive")
    shares: tuple[float, ...] | None = _by(Numbers(1e-5, 1.0))
    """Own levels λ of the nested one-class SVM, as shares of λ_OC."""
    gammas: tuple[float, ...] | None = _by(Numbers(0.0, 1.0, least=2))
    """Own asymmetries of the nested cost-sensitive SVM."""
    over: str | None = _word("λ", "ν", "mass")
    loglam: float | None = _number(-2.0, 3.0)
    nu: float | None = _number(0.01, 1.0)
    eta: float | None = _number(1.0, 20.0)
    resampling: str | None = _word("bootstrap", "subsample")
    """How samples are drawn for bands of boundaries and for the support of branches."""
    left: str | None = _word()
    right: str | None = _word()
    left2: str | None = _word()
    right2: str | None = _word()
    method: str | None = _word()
    methods: tuple[str, ...] | None = _by(Words())
    methods2: tuple[str, ...] | None = _by(Words())
    problem: str | None = _word("One class", "Two classes")
    kind_path: str | None = _word("One class", "Two classes")
    # What is shown.
    frame: float | None = _number(0, 100_000)
    view: tuple[str, ...] | None = _by(Layers())
    probe: tuple[float, float] | None = _by(Location())
    at: float | None = _number(0.0, 1.0)
    selection: Selection = Selection()
    """Its first point stands under the key ``point``."""
    one_class_share: float | None = None
    """The level last shown as a share of the largest one; not in the address."""
    two_class_share: float | None = None
    """The cost asymmetry last shown; not in the address."""
    heldout: bool | None = _by(Switch())
    # Cluster tree and outliers.
    heights: str | None = _word("level", "log level", "1/level", "share outside")
    clusters: str | None = _word("at the cut", "most stable")
    prune: float | None = _number(0.0, 20.0)
    support: int | None = _whole(0, 100)
    stable: bool | None = _by(Switch())
    """The least share of the resamples, in per cent, in which a branch is found again; 0: any."""
    cut: float | None = _number(0.001, 1.0)
    hdbscan: bool | None = _by(Switch())
    contamination: float | None = _number(0.0, 50.0)
    score: str | None = _word("mass", "volume")
    colour: str | None = _word()
    """The column by which points of the Outliers page are coloured."""
    filter: str | None = _word()
    """The column by whose values points are listed there."""
    filter_is: tuple[str, ...] | None = _by(Words())
    filter_low: float | None = _by(Number())
    filter_high: float | None = _by(Number())
    discover: bool | None = _by(Switch())
    fdr: int | None = _whole(1, 50)
    """Per cent of the selected rows that may be ordinary, on average."""
    ordinary: str | None = _word("a random half", "class +1", "class −1")
    sure: bool | None = _by(Switch())
    """Whether ranks have intervals over resamples."""
    new_x: float | None = _by(Number())
    new_y: float | None = _by(Number())
    # The choice of σ and λ of two classes.
    choose: bool | None = _by(Switch())
    choose_for: str | None = _word()
    labelsets: bool | None = _by(Switch())
    risk: int | None = _whole(1, 50)
    """Per cent of each class whose label a set of labels may miss."""
    choose_grid: str | None = _word("coarse", "usual", "fine")
    # Bandwidth.
    sets: str | None = _word()
    widths: int | None = _whole(8, 40)
    sigmas: tuple[float, ...] | None = _by(Numbers(0.01, 10.0, least=3, most=60))
    """Own widths to search, in median distances."""
    folds: int | None = _whole(2, 10)
    box: str | None = _word()
    look: float | None = _number(1e-12, 1e12)
    """The width looked at on the Bandwidth page, in units of the data."""
    detail: str | None = _word()
    resamples: int | None = _whole(5, 60)
    areas: bool | None = _by(Switch())
    learn: str | None = _word("class −1", "class +1")
    alternative: str | None = _word("the other class", "uniform points")
    # Error control.
    task: str | None = _word()
    aim: str | None = _word()
    alpha: float | None = _number(0.01, 0.5)
    delta: float | None = _number(0.01, 0.5)
    """The probability with which a held false alarm rate may be exceeded."""
    search: str | None = _word()
    smoothing: str | None = _word()
    rare: bool | None = _by(Switch())
    shift: bool | None = _by(Switch())
    cells: str | None = _word()
    aside: int | None = _whole(0, 70)
    rates: str | None = _word("smoothed", "raw")
    at_sigma: str | None = _word()
    at_plus: str | None = _word()
    at_minus: str | None = _word()
    beta: float | None = _number(0.5, 0.99)
    of: str | None = _word("all points", "class +1", "class −1")
    bound: str | None = _word("two classes", "one class")
    machine: str | None = _word("linear", "Gaussian")
    rho: float | None = _number(0.01, 1.0)
    # Quantiles.
    qmethods: tuple[str, ...] | None = _by(Words())
    qcount: int | None = _whole(2, 39)
    qrange: tuple[int, int] | None = _by(Span(1, 99))
    masses: tuple[float, ...] | None = _by(Numbers(0.001, 0.999, most=39))
    """Own quantiles."""
    held: int | None = _whole(10, 90)
    split: int | None = _whole(0, 999_999)
    qframes: str | None = _word("smooth", "quantiles")
    bars: bool | None = _by(Switch())
    calibrated: bool | None = _by(Switch())
    calibrate: str | None = _word("split", "cross", "jackknife+")
    promise: str | None = _word()
    """The coverage whose calibrated sets are drawn."""
    # Variants.
    variant: str | None = _word()
    vkernel: str | None = _word()
    others: str | None = _word("class −1", "marked points", "uniform points")
    marks: tuple[float, ...] | None = _by(Numbers(0, 9_999, most=40))
    """Rows of the points marked as known outliers, or as points to separate from."""
    radius: float | None = _number(0.03, 1.5)
    """Of a code book, in median distances."""
    smallest: bool | None = _by(Switch())
    line: float | None = _number(0.0, 1.0)
    few: int | None = _whole(6, 16)
    leave: int | None = _whole(1, 6)
    draw: int | None = _whole(0, 999_999)
    # Theory, and the story of the start page.
    chapter: str | None = _word()
    step: str | None = _word(*STEPS)
    # Results.
    table: str | None = _word()
    quantity: tuple[str, ...] | None = _by(Words())
    only: tuple[str, ...] | None = _by(Words())
    # Of the link itself.
    v: int | None = _whole(1, 1_000_000)

    def __getitem__(self, key: str) -> Any:
        """Return the value of a key of the address."""
        if "." in key:
            return dict(self.options).get(key)
        if key == "point":
            return self.selection.point
        return getattr(self, _field_name(key))

    def with_values(self, values: Mapping[str, Any]) -> View:
        """Return a view with other values of some keys."""
        options = dict(self.options) | {key: x for key, x in values.items() if "." in key}
        plain = {_field_name(key): x for key, x in values.items() if "." not in key}
        if "point" in plain:
            point = plain.pop("point")
            plain["selection"] = Selection(points=() if point is None else (point,))
        kept = tuple(sorted((key, value) for key, value in options.items() if value is not None))
        return replace(self, options=kept, **plain)


def _field_name(key: str) -> str:
    return "from_" if key == "from" else key


def _option_rule(option: Option) -> Number:
    return Number(option.minimum, option.maximum, option.whole)


RULES: dict[str, Rule] = (
    {f.name.rstrip("_"): f.metadata["rule"] for f in fields(View) if "rule" in f.metadata}
    | {
        f"{sample.name}.{option.name}": _option_rule(option)
        for sample in SAMPLES.values()
        for option in sample.options
    }
    | {"point": Number(0, 10_000_000, whole=True)}
)
"""How each key of the address is read and written."""


@dataclass(frozen=True)
class Address:
    """What the parameters of an address ask for; other keys than those of `RULES` are ignored."""

    values: dict[str, Any] = field(default_factory=dict)  # None where the value is not usable
    unusable: tuple[str, ...] = ()  # Keys whose values are not usable

    def over(self, start: View) -> View:
        """Return a view with the values asked for; keys with unusable ones get their defaults."""
        return start.with_values(self.values)


def read_address(parameters: Mapping[str, Sequence[str]]) -> Address:
    """Read the parameters of an address, of a link or of a session file."""
    values = {key: _read(key, parameters[key]) for key in RULES if key in parameters}
    return Address(values, tuple(key for key, value in values.items() if value is None))


def _read(key: str, texts: Sequence[str]) -> Any:
    fine = 0 < len(texts) <= MOST_WORDS and all(len(text) <= LONGEST for text in texts)
    return RULES[key].read(texts) if fine else None


def decode(parameters: Mapping[str, Sequence[str]], start: View | None = None) -> View:
    """Return the view of an address; keys that it does not name keep their value in ``start``."""
    return read_address(parameters).over(start or View())


def encode(view: View, keys: Iterable[str] | None = None) -> Parameters:
    """Write a view as the parameters of an address, without keys at their default.

    ``keys`` are the keys to write, in this order; all, by default.
    """
    wanted = RULES if keys is None else dict.fromkeys(keys)
    return {key: RULES[key].write(view[key]) for key in wanted if view[key] is not None}
