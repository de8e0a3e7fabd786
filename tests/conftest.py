"""For all tests: one thread per matrix product.

Two workers and a browser share the cores; products whose threads wait for each other there take
several times as long as with one thread. Set before numpy is first imported.
"""

import os

for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")
