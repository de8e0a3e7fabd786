"""Handwritten digits as the chapter uses them: pixels from −1 to 1, labels as ten more features."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IntArray
from nestviz.data import Dataset

SOURCE = "Schölkopf & Smola, Learning with Kernels, chapter 8, MIT Press 2002"
CODES = {
    "labels −1 and 1": (-1.0, 1.0),
    "labels 0 and 1": (0.0, 1.0),
    "labels −4 and 4": (-4.0, 4.0),
    "pixels only": None,
}
"""How labels are appended: what stands for another digit and for the digit itself."""
CLASSES = 10


class Digits(NamedTuple):
    """1,797 digits of eight by eight pixels from −1 to 1, with their labels."""

    X: FloatArray
    labels: IntArray


@functools.cache
def digits() -> Digits:
    """Return the digits of scikit-learn."""
    from sklearn.datasets import load_digits

    bunch = load_digits()
    return Digits(bunch.data / 8.0 - 1.0, bunch.target.astype(np.int64))


def with_labels(data: Digits, code: str) -> FloatArray:
    """Return pixels with ten more features for the label, in one of the `CODES`."""
    ends = CODES[code]
    if ends is None:
        return data.X
    low, high = ends
    marks = np.where(data.labels[:, None] == np.arange(CLASSES), high, low)
    return np.concatenate([data.X, marks], axis=1)


def width(pixels: int) -> float:
    """Return σ of the kernel exp(−‖x − x'‖²/c), with c half the number of pixels."""
    return float(np.sqrt(0.5 * (0.5 * pixels)))


def fingerprint() -> str:
    """Return the fingerprint of the digits with their labels."""
    return Dataset(with_labels(digits(), "labels 0 and 1")).fingerprint


def checked_digits(expected: str) -> Digits:
    """Return the digits, if they are those the study was planned on."""
    if fingerprint() != expected:
        raise ValueError("The digits differ from those the study was planned on.")
    return digits()
