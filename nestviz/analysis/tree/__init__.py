"""Build, prune, lay out and export cluster trees."""
