"""Render the page: error control."""
