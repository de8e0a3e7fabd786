"""scikit-learn estimators: validate, call one solver, keep a family."""

from nestviz.estimators.parzen import ParzenLevelSets

__all__ = ["ParzenLevelSets"]
