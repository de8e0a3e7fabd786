"""Cards to print: the first outliers with features, changes that end inside, and neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from nestviz.escaping import LONGEST_NAME, html, plain
from nestviz.palette import BLUE, NEUTRAL, VERMILION
from nestviz.ui.compute.outlier_reasons import UNUSUAL, Reasons, reasons_of
from nestviz.ui.data_choice import Current
from nestviz.ui.export.handout import STYLE, Still, document, image
from nestviz.ui.pages.outliers.reasons import BARS, HTML, ways_inside
from nestviz.ui.pages.outliers.results import OutliersResult, point_name, score_text

FIRST = 10
"""Number of cards by default."""
MOST = 50
"""Number of cards of which one file may have at most."""
WIDE, HIGH, HALF = 200, 12, 98
"""Size of a bar's picture, and the length of the longest bar."""
LONGEST_WORDS = 1000
CARDS = (
    STYLE
    + """
table { border-collapse: collapse; width: 100%; font-size: 0.85rem; margin-top: 6px; }
th, td { text-align: left; padding: 2px 8px 2px 0; border-bottom: 1px solid #e4e8ec; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td { overflow-wrap: anywhere; }
td img { display: block; }
h3 { font-size: 0.95rem; margin: 12px 0 2px; break-after: avoid; }
ul { margin: 4px 0; padding-left: 20px; }
small { color: #5b6570; }
"""
)


def page(current: Current, shown: OutliersResult, way: str, count: int = FIRST) -> str:
    """Return an HTML file with a card for each of the first outliers.

    ``way`` is how the points were projected for the fit, as the sidebar names it. Nothing of the
    session is read: downloads run outside the page.
    """
    ranking, source = shown.found.ranking, current.source
    first = shown.listed.of(ranking.order)[: min(count, MOST)]
    sections = "\n".join(_card(current, shown, way, int(row)) for row in first)
    title = f"Outliers of {plain(source.name, LONGEST_NAME)}"
    spec, share = shown.settings.spec, shown.settings.contamination
    about = (
        f"The first {len(first)} of {len(ranking):,} points. Score by: {spec.title}, "
        f"σ = {spec.sigma:.4g}; {shown.flags.count} flagged at a contamination of {share:.3g}. "
        f"Rank 1 is the most abnormal. {shown.listed.sentence}"
    )
    note = (
        "Values are in the units of the data. Robust z is the distance from the median in scaled "
        f"median absolute deviations; beyond {UNUSUAL:g} (dashed lines, striped bars) a value by "
        "itself is an outlier."
    )
    head = f"<header><div><h1>{html(title)}</h1><p>{html(about)}</p></div></header>"
    foot = f"<footer>{html(note)}</footer>"
    return document(title, f"{head}\n<main>\n{sections}\n</main>\n{foot}", CARDS)


def _card(current: Current, shown: OutliersResult, way: str, row: int) -> str:
    source, ranking = current.source, shown.found.ranking
    threshold = shown.flags.threshold
    reasons = reasons_of(source, current.fitted, way, ranking.family, row, threshold)
    lines, note = ways_inside(source, shown, reasons, row, HTML)
    score = score_text(ranking, ranking.score[row])
    tied = int(ranking.tied[row])
    numbers = [f"anomaly score {score}", "flagged" if shown.flags.flagged[row] else "not flagged"]
    numbers += [f"{tied} points enter at its level"] if tied > 1 else []
    listed = "".join(f"<li>{line}</li>" for line in lines)
    return f"""<section>
<h2>Rank {ranking.rank[row]}: {html(point_name(current, row), LONGEST_WORDS)}</h2>
<p>{html(", ".join(numbers))}</p>
{_features(reasons)}
<h3>What would put it inside?</h3>
{f"<ul>{listed}</ul>" if listed else ""}<small>{html(note, LONGEST_WORDS)}</small>
<h3>Nearest points</h3>
{_neighbours(current, shown, reasons)}
</section>"""


def _features(reasons: Reasons) -> str:
    profile = reasons.profile
    order = profile.order[:BARS]
    reach = max(1.3 * UNUSUAL, float(np.abs(profile.robust_z[order]).max(initial=0.0)))
    rows = [
        [
            html(profile.names[j], LONGEST_NAME),
            f"{profile.values[j]:.4g}",
            f"{profile.medians[j]:.4g}",
            f"{profile.robust_z[j]:.2f}",
            _bar(float(profile.robust_z[j]), reach),
        ]
        for j in order
    ]
    left = len(profile.names) - len(order)
    more = f"<small>{left} more features are less unusual.</small>" if left else ""
    return _table(["feature", "value", "median", "robust z", ""], rows, 1, 4) + more


def _bar(z: float, reach: float) -> str:
    """Return a bar from the middle, striped beyond the limit; its number stands beside it."""
    middle, length = WIDE / 2, HALF * min(abs(z) / reach, 1.0)
    left, limit = (middle if z > 0 else middle - length), HALF * UNUSUAL / reach
    unusual = abs(z) > UNUSUAL
    colour = VERMILION if unusual else BLUE
    stripes = "".join(
        f'<path d="M{at:.1f} 10L{at + 4:.1f} 2" stroke="white"/>'
        for at in np.arange(left + 2, left + length - 4, 6)
        if unusual
    )
    line = f'0V{HIGH}" stroke="{NEUTRAL}"'
    dashes = "".join(
        f'<path d="M{middle + side * limit:.1f} {line} stroke-dasharray="2 2"/>' for side in (-1, 1)
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{HIGH}">'
        f'<rect x="{left:.1f}" y="2" width="{length:.1f}" height="8" fill="{colour}"/>{stripes}'
        f'<path d="M{middle:g} {line}/>{dashes}</svg>'
    )
    beyond = ", beyond the limit" if unusual else ""
    return image(Still(svg, f"Bar of {z:.2f}{beyond}"))


def _neighbours(current: Current, shown: OutliersResult, reasons: Reasons) -> str:
    near, ranking = reasons.neighbours, shown.found.ranking
    rows = [
        [
            html(point_name(current, int(row)), LONGEST_WORDS),
            f"{distance:.4g}",
            str(ranking.rank[row]),
            "flagged" if shown.flags.flagged[row] else "",
        ]
        for row, distance in zip(near.rows, near.distances, strict=True)
    ]
    return _table(["point", "distance", "rank", ""], rows, 1, 3)


def _table(names: list[str], rows: list[list[Any]], first: int, last: int) -> str:
    """Return a table of HTML cells; the columns from ``first`` to before ``last`` are numbers."""

    def line(cells: list[Any], tag: str) -> str:
        kinds = [' class="number"' if first <= k < last else "" for k in range(len(cells))]
        parts = (f"<{tag}{kind}>{cell}</{tag}>" for cell, kind in zip(cells, kinds, strict=True))
        return f"<tr>{''.join(parts)}</tr>"

    body = "".join(line(cells, "td") for cells in rows)
    return f"<table><thead>{line(names, 'th')}</thead><tbody>{body}</tbody></table>"
