"""nestviz: families of SVM decision sets, whole solution paths, and sets that never cross.

Every method ends in one object, a :class:`~nestviz.families.SetFamily`: sets
``G_θ = {x : Σ_i c_i(θ) k(x_i, x) ≥ r(θ)}`` whose coefficients and offset are piecewise linear in
the level θ. Levels, intervals, rankings and trees all follow from it, exactly.

Public names are listed in ``__init__.pyi`` and imported on first use.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ += ["__version__"]
