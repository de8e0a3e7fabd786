"""Cells: integrated volumes over the width, and mass-volume curves."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.reproduce.lee_scott_2007.protocol import Protocol


def sample(name: str, seed: int, points: int) -> Any:
    """Return one draw of a sample."""
    from nestviz.data import make_sample

    return make_sample(name, random_state=seed, n=points)


def checked_sample(name: str, seed: int, points: int, fingerprint: str) -> Any:
    """Return the points of a draw, if they are those the study was planned on."""
    drawn = sample(name, seed, points)
    if drawn.fingerprint != fingerprint:
        raise ValueError(f"The sample {name} differs from the one the study was planned on.")
    return drawn.X


def volume_cell(
    protocol: Protocol, name: str, seed: int, sets: str, widths: Sequence[float], curves: bool
) -> Cell:
    """Return the cell of one draw and one kind of sets."""
    return Cell(
        f"{__name__}:integrated_volumes",
        {
            "data": name, "seed": seed, "points": protocol.points,
            "fingerprint": sample(name, seed, protocol.points).fingerprint,
            "sets": sets, "widths": list(widths), "folds": protocol.folds,
            "margin": protocol.margin, "curves": curves,
        },
    )  # fmt: skip


def integrated_volumes(
    data: str,
    seed: int,
    points: int,
    fingerprint: str,
    sets: str,
    widths: Sequence[float],
    folds: int,
    margin: float,
    curves: bool,
) -> Result:
    """Return integrated volumes at all widths and the least of them, with curves if wanted."""
    from nestviz.volume import BandwidthWarning, select_bandwidth

    X = checked_sample(data, seed, points, fingerprint)
    with warnings.catch_warnings():
        # Whether the least value is at an end is part of the result.
        warnings.simplefilter("ignore", BandwidthWarning)
        found = select_bandwidth(X, estimator(sets), widths, cv=folds, margin=margin)
    lines = [curve.polyline() for curve in found.curves] if curves else []
    return {
        "widths": found.sigmas.tolist(),
        "values": found.values.tolist(),
        "spreads": found.spreads.tolist(),
        "sigma": found.sigma,
        "at_end": found.at_end,
        "extrapolated": found.extrapolated_shares.tolist(),
        "box": found.results[0].box_volume,
        "curves": [[mass.tolist(), volume.tolist()] for mass, volume in lines],
    }


def estimator(sets: str) -> Any:
    """Return the estimator of a kind of sets."""
    from nestviz.estimators import NestedOneClassSVM, OneClassPath

    if sets == "nested":
        return NestedOneClassSVM()
    return OneClassPath(hold_below=None) if sets == "path" else OneClassPath()
