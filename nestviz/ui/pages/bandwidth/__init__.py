"""Render the page: bandwidth."""
