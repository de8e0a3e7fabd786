"""Render the page: compare."""
