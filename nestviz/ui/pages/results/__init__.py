"""Render the page: results."""
