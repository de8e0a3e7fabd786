"""Follow exact solution paths over the level."""
