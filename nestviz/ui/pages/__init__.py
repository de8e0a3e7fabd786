"""Render the pages, each in a folder of its own."""
