"""The commands that work on files: one module each, with ``add_options`` and ``run``."""
