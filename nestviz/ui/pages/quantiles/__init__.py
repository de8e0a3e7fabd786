"""Render the page: quantiles."""
