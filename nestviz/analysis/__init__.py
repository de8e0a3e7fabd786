"""Measures of families: sweeps, mass and volume, ranking, trees."""
