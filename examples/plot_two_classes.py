"""
Two classes at every cost asymmetry
===================================

The cost asymmetry γ trades one kind of error for the other. Nested classifiers give every point one
threshold, hence one ranking and a monotone ROC curve.
"""

import matplotlib.pyplot as plt

from nestviz import CostSensitivePath, NestedCostSensitiveSVM, make_sample
from nestviz.analysis import ranking_disagreement, ranking_scores, roc_curve

train, test = (make_sample("banana", random_state=seed, n=200) for seed in (0, 1))
models = {
    "cost-sensitive SVM": CostSensitivePath(sigma=0.4, lam=0.1).fit(train.X, train.y),
    "nested": NestedCostSensitiveSVM(sigma=0.4, lam=0.1).fit(train.X, train.y),
}

# %%
# The two rankings of a family agree exactly when its sets are nested.
figure, axis = plt.subplots(figsize=(5, 4.5), layout="constrained")
for name, model in models.items():
    curve = roc_curve(model.family_, test.X, test.y)
    scores = ranking_scores(model.family_, test.X)
    disagreement = ranking_disagreement(scores.s_plus, scores.s_minus)
    print(f"{name}: AUC {curve.area:.3f}, disagreement of the rankings {disagreement:.4f}")
    axis.plot(*curve.sorted_rates(), label=f"{name}, AUC {curve.area:.3f}")
axis.plot([0, 1], [0, 1], linestyle=":", color="0.5")
axis.set(xlabel="false positive rate", ylabel="true positive rate")
axis.legend()
