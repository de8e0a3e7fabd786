"""Commands for scripts and pipes: each module has ``add_options(parser)`` and ``run(options)``.

The modules import nothing heavy before they run.
"""
