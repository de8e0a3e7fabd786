"""Render the page: two classes."""
