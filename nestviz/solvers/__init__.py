"""Solvers: arrays in, a solution with its certificate out."""
