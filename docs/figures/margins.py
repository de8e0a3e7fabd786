"""Print how much the bandwidth of least integrated volume depends on the reference box.

One row per family: σ* for boxes that reach 0, 0.1, 0.5 and 1.5 times the spread of the data beyond
them on each side, and the share of held-out points that is ranked by extrapolation at σ*.
"""

import numpy as np

from nestviz import NestedOneClassSVM, OneClassPath, ParzenLevelSets, make_sample
from nestviz.volume import margin_effect, select_bandwidth
from nestviz.volume.bandwidth import MARGINS

FAMILIES = {
    "one-class path": OneClassPath(),
    "nested one-class SVM": NestedOneClassSVM(),
    "Parzen": ParzenLevelSets(),
}


def main():
    X = make_sample("multi", n=200).X
    grid = np.geomspace(0.3, 3.0, 30)
    heads = [f"margin {margin:g}" for margin in MARGINS]
    print("|".join(["", "family", *heads, "extrapolated", ""]))
    print("|".join(["", *["---"] * (len(MARGINS) + 2), ""]))
    for name, estimator in FAMILIES.items():
        effect = margin_effect(X, estimator, grid, MARGINS)
        cells = [
            f"{sigma:.2f}" + (f" ({end} end)" if end else "")
            for sigma, end in zip(effect.sigmas, effect.at_end, strict=True)
        ]
        share = select_bandwidth(X, estimator, grid).extrapolated
        print("|".join(["", name, *cells, f"{share:.1%}", ""]))


if __name__ == "__main__":
    main()
