"""Solve quadratic programs over a box with fixed sums: the SVMs with an offset."""
