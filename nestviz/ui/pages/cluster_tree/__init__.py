"""Render the page: cluster tree."""
