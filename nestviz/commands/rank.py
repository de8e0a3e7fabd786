"""``nestviz rank``: the points of a file from the most abnormal to the most normal."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

from nestviz.analysis.flags import flag_outliers
from nestviz.analysis.outliers import OutlierRanking
from nestviz.analysis.ranking import ranking_scores
from nestviz.arrays import BoolArray, FloatArray
from nestviz.commands import console, many_rows, methods, numbers, outputs, sources, tables
from nestviz.commands.console import Console
from nestviz.commands.ending import UsageError
from nestviz.commands.sources import Points
from nestviz.ui.compute.entry_maps import ranking_of, volumes_of
from nestviz.ui.compute.methods import top_level
from nestviz.ui.compute.outlier_reasons import top_features

DESCRIPTION = """\
Rank the points of a file by the smallest set that contains them, as the page Outliers does.
Rank 1 is the most abnormal; a higher score is more abnormal. Each line has the row of the file
(counted from 1, the row of names included), the identifiers (--id), rank, score, level of entry,
number of points tied at it, whether it is flagged (--contamination), the volume of the smallest set
around it as a share of the box around the data, its most unusual feature with value, median and
robust z, and the features as in the file.

With --model the points are new: the score is the share of the training points that are no more
abnormal, and points outside the set that leaves out the given share of the training points are
flagged.

Several Parquet files, a folder of them, or one that is too large to be read at once are ranked
through weighted centres, with a certificate. All their rows are written in the order of the files:
file, row in it (counted from 1), rank, score and level of entry. Rows that enter at the same level
share a rank. Columns are chosen by the first 5,000 rows, width and levels by 5,000 rows drawn from
all of them. Columns of text, --id, --missing mean, --most, --contamination, --score volume, --model
and JSON are not available for them."""
EXAMPLES = """\
examples:
  nestviz rank data.csv --id name --contamination 0.02 --top 20
  nestviz rank - --features height,weight < data.csv > ranked.csv
  nestviz rank data.parquet --method parzen --sigma miv --output ranked.json
  nestviz rank --model model.skops new.csv
  nestviz rank data/*.parquet --certified 0.005 --output ranked.csv
"""
ENDINGS = {"csv": (".csv",), "json": (".json",)}
METHOD, LEVELS, SPACING, CONTAMINATION = "nested-one-class", 21, "geometric", 0.05
"""The settings of the page."""


@dataclass(frozen=True, eq=False)
class Ranked:
    """Ranked points, and what the ranking was made by."""

    points: Points
    ranking: OutlierRanking
    score: FloatArray
    flagged: BoolArray
    threshold: float
    method: str
    sigma: float | None


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to the parser of the command."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    sources.add_options(parser, several=True)
    group = parser.add_argument_group("ranking")
    methods.add_method(group, methods.choices("one class"), METHOD)
    methods.add_settings(group)
    group.add_argument(
        "--model", metavar="FILE",
        help="score by a model of nestviz fit instead; columns and units are those of the model",
    )  # fmt: skip
    group.add_argument(
        "--contamination", type=numbers.share, default=CONTAMINATION, metavar="SHARE",
        help=f"share of the points to flag ({CONTAMINATION:g})",
    )  # fmt: skip
    group.add_argument(
        "--score", choices=("mass", "volume"), default="mass",
        help="the anomaly score: share of the points in the smallest set around a point, or the "
        "volume of that set (default: mass; ranks are the same)",
    )  # fmt: skip
    group.add_argument(
        "--top", type=numbers.positive, metavar="N", help="only the N most abnormal points"
    )
    many_rows.add_options(parser)
    outputs.add_options(parser, ENDINGS)
    console.add_options(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit status."""
    said, target = Console.of(options), outputs.target_of(options, ENDINGS)
    options.data = [options.data] if isinstance(options.data, str) else options.data
    if many_rows.are_many(options):
        if options.contamination != CONTAMINATION:
            raise UsageError(
                "--contamination is not available for many rows, which are not flagged; leave it "
                "out."
            )
        many_rows.rank(options, said, target, levels=LEVELS, spacing=SPACING)
        return 0
    (options.data,) = options.data
    ranked = (_by_fit if options.model is None else _by_model)(options, said)
    columns = tables.take(_columns(ranked), ranked.ranking.order[: options.top])
    if target.form == "csv":
        target.write(tables.to_csv(columns))
    else:
        target.write(tables.to_json(_head(ranked, options) | {"points": tables.records(columns)}))
    return 0


def _by_fit(options: argparse.Namespace, said: Console) -> Ranked:
    points = sources.read_points(options, said)
    fitted = methods.solve(options, points, said, levels=LEVELS, spacing=SPACING)
    X, sigma = points.fitted.X, fitted.spec.sigma
    volumes = volumes_of(fitted.family, X)
    ranking = ranking_of(fitted.family, X, top_level(X, sigma), volumes).scored_by(options.score)
    flags = flag_outliers(ranking, options.contamination)
    name = options.method.name
    tied = int(ranking.tied[ranking.order[0]])
    if not flags.count and 1 <= options.contamination * len(ranking) < tied:
        said.warn(
            f"{tied} points tie at the top, more than the contamination allows, so none is "
            "flagged. They are ordered by the field, and then by the distance to the nearest "
            "point. A wider kernel (--width) distinguishes more of them."
        )
    return Ranked(points, ranking, ranking.score, flags.flagged, flags.threshold, name, sigma)


def _by_model(options: argparse.Namespace, said: Console) -> Ranked:
    from nestviz.commands.models import open_model

    _warn_of_unused(options, said)
    model = open_model(options.model)
    features = model.family.centres.shape[1]
    points = sources.read_new_points(options, model.preparation, features, said)
    volumes = volumes_of(model.family, model.training)
    trained = ranking_of(model.family, model.training, model.top, volumes).scored_by(options.score)
    flags = flag_outliers(trained, options.contamination)
    ranking = ranking_of(model.family, points.fitted.X, model.top, volumes)
    turn = model.family.orientation
    outside = turn * ranking.level > turn * flags.threshold
    score, sigma = trained.score_of(points.fitted.X), getattr(model.estimator, "sigma_", None)
    return Ranked(points, ranking, score, outside, flags.threshold, model.method, sigma)


def _warn_of_unused(options: argparse.Namespace, said: Console) -> None:
    """Say which options a model has decided already."""
    names = (
        "features", "ignore", "label", "positive", "sigma", "width", "levels", "spacing", "nu",
        "eta",
    )  # fmt: skip
    given = [name for name in names if getattr(options, name) is not None]
    if options.method.name != METHOD:
        given.append("method")
    for name in given:
        said.warn(f"The model has been fitted already; --{name} is not used.")


def _columns(ranked: Ranked) -> dict[str, Any]:
    ranking, points = ranked.ranking, ranked.points
    found = {
        "rank": ranking.rank,
        "score": ranked.score,
        "level": ranking.level,
        "tied": ranking.tied,
        "flagged": ranked.flagged,
        "extrapolated": ranking.below_solved,
        "ambiguous": ranking_scores(ranking.family, points.fitted.X).ambiguous,
        "volume": ranking.volume,
        **top_features(points.own.X, points.own.feature_names),
    }
    return tables.arranged(points, found)


def _head(ranked: Ranked, options: argparse.Namespace) -> dict[str, Any]:
    return {
        "method": ranked.method,
        "sigma": ranked.sigma,
        "model": options.model,
        "rows": ranked.points.total,
        "ranked": len(ranked.ranking),
        "score": options.score,
        "contamination": options.contamination,
        "threshold": ranked.threshold,
        "level_name": ranked.ranking.family.level_name,
    }
