"""Render the page: theory."""
