"""Render the page: home."""
