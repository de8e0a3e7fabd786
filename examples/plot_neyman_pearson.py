"""
Limit the false positive rate
=============================

A Neyman–Pearson classifier keeps the estimated false positive rate below a limit and makes as few
misses as possible. The rates are estimated by cross-validation over the parameters of the 2ν-SVM,
so with few points the rate on new points can exceed the limit.
"""

import matplotlib.pyplot as plt
import numpy as np

from nestviz import NeymanPearsonClassifier, make_sample

train, test = (make_sample("banana", random_state=seed, n=200) for seed in (0, 1))
limits = np.array([0.05, 0.1, 0.2, 0.3])
rates = []
for limit in limits:
    model = NeymanPearsonClassifier(limit).fit(train.X, train.y)
    predicted = model.predict(test.X)
    false_positives = np.mean(predicted[test.y == -1] == 1)
    misses = np.mean(predicted[test.y == 1] == -1)
    rates.append((false_positives, misses))
    print(f"limit {limit:.2f}: false positives {false_positives:.3f}, misses {misses:.3f}")

figure, axis = plt.subplots(figsize=(5.5, 4), layout="constrained")
axis.plot(limits, limits, linestyle=":", color="0.5", label="limit")
for values, name in zip(np.transpose(rates), ("false positives", "misses"), strict=True):
    axis.plot(limits, values, marker="o", label=name)
axis.set(xlabel="limit of the false positive rate", ylabel="rate on new points")
axis.legend()
