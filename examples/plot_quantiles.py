"""
Sets that hold given shares of the data
=======================================

The q-OCSVM estimates several quantiles with one direction in feature space, so its sets are nested.
Separate one-class SVMs may cross. Both are checked on new points.
"""

import matplotlib.pyplot as plt
import numpy as np

from nestviz import IndependentOneClassSVM, QuantileOneClassSVM, make_sample
from nestviz.analysis import coverage_ratio

train, test = (make_sample("multi", random_state=seed, n=300).X for seed in (0, 1))
quantiles = np.linspace(0.1, 0.9, 9)

figure, axis = plt.subplots(figsize=(5, 4.5), layout="constrained")
axis.plot([0, 1], [0, 1], linestyle=":", color="0.5")
for estimator in (QuantileOneClassSVM, IndependentOneClassSVM):
    model = estimator(sigma=0.6, quantiles=quantiles).fit(train)
    coverage = coverage_ratio(model, test)
    axis.plot(quantiles, coverage.masses, marker="o", label=estimator.__name__)
axis.set(xlabel="share asked for", ylabel="share of new points inside")
axis.legend()
