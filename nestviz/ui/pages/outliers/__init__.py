"""Render the page: outliers."""
