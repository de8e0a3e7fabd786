"""Code books and their sizes over the radius, for worker processes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IntArray
from nestviz.estimators.vector_quantizer import KernelVectorQuantizer
from nestviz.ui.compute.tasks import Report


class Sizes(NamedTuple):
    """The number of code vectors at each radius, and its lower bound."""

    radii: FloatArray
    sizes: IntArray
    bounds: IntArray


def code_book(
    X: FloatArray, radius: float, exact: bool, nodes: int, report: Report
) -> KernelVectorQuantizer:
    """Return the code book of a radius."""
    report(0.0)
    return KernelVectorQuantizer(radius, exact=exact, max_nodes=nodes).fit(X)


def sizes(X: FloatArray, radii: FloatArray, report: Report) -> Sizes:
    """Return sizes over the radius, the largest radius first where the work is stopped."""
    found = []
    for k, radius in enumerate(radii[::-1]):
        book = KernelVectorQuantizer(float(radius)).fit(X)
        found.append((float(radius), len(book.support_), book.lower_bound_))
        table = np.array(found[::-1]).T
        known = Sizes(table[0], table[1].astype(np.int64), table[2].astype(np.int64))
        if report((k + 1) / len(radii), f"{k + 1} of {len(radii)} radii", known):
            break
    return known
