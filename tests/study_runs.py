"""Runs of studies for tests: published numbers beside made-up ones."""

import math

import numpy as np

from nestviz.studies.findings import Claim, Findings, Plot, Value
from nestviz.studies.published import published
from nestviz.studies.run_record import Run

SETS = ("banana", "heart", "ringnorm", "titanic", "splice")
QUANTITIES = {
    "two classes, plain": "cs",
    "two classes, nested": "ncs",
    "uniform, plain": "oc_uniform",
}
ORDERS = ((1, 2, 3), (1, 3, 2), (2, 1, 3), (1, 2, 3), (1, 2, 3))
VERSIONS = {"python": "3.11.9", "numpy": "2.0.0"}


def auc_values(sets=SETS):
    rows, rng = {row["dataset"]: row for row in published("fig07_auc")}, np.random.default_rng(3)
    values = []
    for quantity, column in QUANTITIES.items():
        for name in sets:
            there, sd = (float(rows[name][f"{column}_{part}"]) for part in ("mean", "std"))
            ours = min(there + rng.normal() * 1.3 * sd, 1.0)
            nested = "nested" in quantity
            two = "classes" in quantity
            view = {
                "page": "two-classes" if two else "one-class",
                "data": f"bench-{name}",
                "standardise": "true",
                "width": "0.35",
                "left2" if two else "left": f"{'nested ' if nested else ''}cost-sensitive SVM"
                if two
                else "one-class SVM",
            }
            values.append(Value(name, quantity, ours, 1.1 * sd, 20, there, sd, view))
    return values


def auc_run(**changes):
    """A run like that of figure 7: values with spreads, all kinds of claims and plots."""
    widths = np.geomspace(0.1, 10.0, 12)
    curves = [
        {"data": name, "width": float(w), "auc": float(0.9 - s * math.log10(w) ** 2), "low": 0.7,
         "high": 0.95}
        for name, s in (("heart", 0.1), ("banana", 0.2))
        for w in widths
    ]  # fmt: skip
    ranks = [
        {"data": name, "method": method, "rank": rank}
        for name, order in zip(SETS, ORDERS, strict=True)
        for method, rank in zip(("plain", "nested", "Parzen"), order, strict=True)
    ]  # fmt: skip
    findings = Findings(
        values=auc_values(),
        claims=[
            Claim("Nesting lowers the AUC of two classes.", "T = 13 ≤ 17", "T = 11 ≤ 17", True),
            Claim("Nesting raises the AUC against uniform points.", "T = 21.5", "T = 40", False,
                  "The sizes of the differences are below the resolution of the test."),
            Claim("The size of the disagreement is known.", "0.24", "0.04 to 0.24", None,
                  "Cross-validation hardly constrains it."),
        ],
        tables={"curves": curves, "ranks": ranks},
        plots=[
            Plot("values", "dots", "AUC, published and ours"),
            Plot("curves", "lines", "AUC over the width", "width", "auc", "data", low="low",
                 high="high", log_x=True),
            Plot("ranks", "ranks", "Average ranks", "data", "rank", "method"),
        ],
        notes=["Uniform points are drawn from the box of the standardised data."],
    )  # fmt: skip
    given = {
        "name": "fig7", "title": "AUC of plain and nested SVMs",
        "source": "Lee & Scott 2010, fig. 7",
        "protocol": "quick", "describe": ["Each set is standardised as a whole.", "Five splits."],
        "findings": findings, "cpu_seconds": 312.4, "wall_seconds": 171.0, "cells": 1040,
        "computed": 12, "versions": VERSIONS, "machine": {"processors": "2"}, "seed": 0,
        "page": "two-classes",
    }  # fmt: skip
    return Run(**(given | changes))


def share_run():
    """A run like that of table 8.1: few items, published without spreads, one claim."""
    values = [
        Value(f"ν = {row['nu']}", quantity, float(row[quantity]) + shift,
              view={"page": "one-class"}, published=float(row[quantity]))
        for row in published("chapter8_t81_usps")[:4]
        for quantity, shift in (("outliers", 0.0), ("support_vectors", 0.01))
    ]  # fmt: skip
    claim = Claim("ν lies between both shares.", "8 of 8 rows", "8 of 8 rows", True)
    findings = Findings(values=values, claims=[claim])
    return auc_run(
        name="table8.1", title="Shares of outliers and support vectors",
        source="Chapter 8, table 8.1", protocol="full",
        describe=["Digits of eight by eight pixels."], findings=findings, seed=None,
        page="one-class",
    )  # fmt: skip
