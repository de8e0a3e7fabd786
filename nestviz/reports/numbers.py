"""Numbers as a report prints them."""

from __future__ import annotations

import math

NONE = "–"
"""Where there is no number."""


def number(value: float) -> str:
    """Return a number with three decimals, or four digits where it is large."""
    if math.isnan(value):
        return NONE
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    if abs(value) < 100:
        text = f"{value:.3f}"
    if 0 < abs(value) < 0.0005:
        text = f"{value:.1e}"
    return text.replace("-", "−")


def with_spread(value: float, sd: float) -> str:
    """Return a number with its standard deviation, if there is one."""
    if math.isnan(sd):
        return number(value)
    # A spread has the digits of its number: more of them would say nothing.
    small = 0.0005 <= abs(value) < 100 and sd < 0.0005
    return f"{number(value)} ± {'0.000' if small else number(sd)}"


def distance(value: float) -> str:
    """Return a distance in standard deviations."""
    return NONE if math.isnan(value) else f"{value:.1f}"


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    if math.isnan(seconds):
        return NONE
    if seconds < 100:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
