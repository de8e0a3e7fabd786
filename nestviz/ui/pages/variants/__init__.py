"""Render the page: variants."""
