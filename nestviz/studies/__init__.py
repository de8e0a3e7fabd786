"""Experiments over data sets, folds and grids; benchmarks."""
