"""Tables of whole numbers as short texts, for cells whose results are large."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import IntArray


def packed(counts: ArrayLike) -> str:
    """Return whole numbers from 0 to 65,535 as text: compressed, in base 64."""
    table = np.asarray(counts)
    if table.min(initial=0) < 0 or table.max(initial=0) >= 2**16:
        raise ValueError("Only whole numbers from 0 to 65,535 can be packed.")
    content = table.astype("<u2", order="C").tobytes()
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def unpacked(text: str, shape: Sequence[int]) -> IntArray:
    """Return the whole numbers of a text in their shape."""
    content = zlib.decompress(base64.b64decode(text))
    return np.frombuffer(content, dtype="<u2").astype(np.int64).reshape(shape)
