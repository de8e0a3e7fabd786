"""
What ν promises
===============

In the ν form of the one-class SVM, ν is an upper bound on the share of outliers and a lower bound
on the share of support vectors, at every ν.
"""

import matplotlib.pyplot as plt

from nestviz import OneClassPath, make_sample
from nestviz.analysis import nu_curve

X = make_sample("banana", random_state=0, n=150).X
curve = nu_curve(OneClassPath(sigma=0.4).fit(X))

figure, axis = plt.subplots(figsize=(5.5, 4), layout="constrained")
axis.plot(curve.nu, curve.support_vectors, label="support vectors")
axis.plot([0, 1], [0, 1], linestyle=":", color="0.5", label="ν")
axis.plot(curve.nu, curve.outliers, label="outliers")
axis.set(xlabel="ν", ylabel="share of the training points")
axis.legend()
