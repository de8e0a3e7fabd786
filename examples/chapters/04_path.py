"""Chapter 4: between two breakpoints coefficients move along straight lines."""

# %% [markdown]
# Each line is the coefficient of a point. It bends where a point changes its group.

# %%
import matplotlib.pyplot as plt
import numpy as np

from nestviz import OneClassPath, OneClassSVM, make_sample

X = make_sample("banana", random_state=2, n=40).X
path = OneClassPath(sigma=0.7).fit(X)
figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
axis.plot(path.breakpoints_, path.coefficients(path.breakpoints_), color="tab:blue", linewidth=0.7)
axis.set(xlabel="level λ", ylabel="α", title=f"{path.breakpoints_.size} breakpoints")
axis.invert_xaxis()

# %% [markdown]
# At any level, also between breakpoints, the path is the solution of the problem there.

# %%
level = 0.37 * path.breakpoints_[0]
alone = OneClassSVM(sigma=0.7, lam=level, tol=1e-10).fit(X)
difference = np.abs(alone.alpha_ - path.coefficients(level)).max()
assert difference < 1e-6
print(f"largest difference from a separate solution: {difference:.1e}")
