"""Render the page: one class."""
