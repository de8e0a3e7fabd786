"""Chapter 9: nested coefficients and a kernel with negative values."""

# %% [markdown]
# Both families have coefficients that satisfy the constraints. With the linear kernel the edge of
# the set turns about the origin, so locations are lost; with the Gaussian none is.

# %%
import numpy as np

from nestviz import GaussianKernel, Grid, PolynomialKernel, SetFamily
from nestviz.notebook import play
from nestviz.solvers.nested.solve import solve_cost_sensitive

rng = np.random.default_rng(3)
X = np.vstack([rng.normal((1, 0), 0.55, (20, 2)), rng.normal((0, -1), 0.55, (20, 2))])
y = np.repeat([1.0, -1.0], 20)
gammas = np.linspace(0.0, 1.0, 6)
families = {}
for name, kernel in (
    ("linear", PolynomialKernel(1, offset=0.0)),
    ("Gaussian", GaussianKernel(0.6)),
):
    alpha = solve_cost_sensitive(kernel.gram(X, X), y, np.ones(40), 1.0, gammas).alpha
    assert np.all(np.diff(y * alpha, axis=0) >= -1e-9)
    families[name] = SetFamily(gammas, alpha * y, np.zeros(6), X, kernel, 1)
play(families, X, y, levels=np.linspace(0.02, 0.98, 60))

# %%
lost = {name: family.violations(Grid.around(X)).mean() for name, family in families.items()}
assert lost["linear"] > 0
assert lost["Gaussian"] == 0
print(lost)
