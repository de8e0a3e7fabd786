"""Measure speed against peers, as ratios within one run."""
