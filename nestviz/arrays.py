"""Name the array types that signatures share."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
IndexArray = NDArray[np.intp]
CodeArray = NDArray[np.int8]
BoolArray = NDArray[np.bool_]
