"""nestviz: families of SVM decision sets, whole solution paths, and sets that never cross.

Every method ends in one object, a :class:`~nestviz.families.SetFamily`: sets
``G_θ = {x : Σ_i c_i(θ) k(x_i, x) > r(θ)}`` whose coefficients and offset are piecewise linear in
the level θ. Levels, intervals, rankings and trees all follow from it, exactly.
"""

__version__ = "0.1.0"
