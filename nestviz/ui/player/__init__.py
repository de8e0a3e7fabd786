"""Play a family of sets level by level in the browser."""
