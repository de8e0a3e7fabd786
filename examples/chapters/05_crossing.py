"""Chapter 5: a location is inside, is lost, and returns."""

# %% [markdown]
# Ten points on a line, and $g_\lambda(x)/\lambda$ at the location x = 0, which is inside where the
# curve is not negative.

# %%
import matplotlib.pyplot as plt
import numpy as np

from nestviz import NestedOneClassSVM, OneClassPath

X = np.array([-1.37, -0.68, -0.51, -0.47, -0.37, 0.05, 0.39, 0.45, 0.65, 0.89])[:, None]
models = {
    "one-class SVM": OneClassPath(0.45).fit(X),
    "nested SVM": NestedOneClassSVM(0.45, 21).fit(X),
}
top = models["one-class SVM"].breakpoints_[0]
levels = np.linspace(1.02, 0.02, 400) * top
figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
for name, model in models.items():
    axis.plot(levels / top, model.family_.values([[0.0]], levels)[:, 0] / levels, label=name)
axis.axhline(0, color="0.4", linewidth=1)
axis.set(xlabel="level, as a share of the largest", ylabel="g/λ at x = 0", ylim=(-0.1, 0.2))
axis.invert_xaxis()
axis.legend()

# %%
spans = {name: model.family_.intervals([[0.0]])[0] / top for name, model in models.items()}
assert len(spans["one-class SVM"]) == 2
assert len(spans["nested SVM"]) == 1
print(spans)
