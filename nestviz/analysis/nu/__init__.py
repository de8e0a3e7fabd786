"""Measure what ν promises: bounds, fractions and offsets."""
