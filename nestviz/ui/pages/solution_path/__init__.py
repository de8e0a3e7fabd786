"""Render the page: solution path."""
