"""Solve the nested SVMs, and the single ones as the case of one level."""
