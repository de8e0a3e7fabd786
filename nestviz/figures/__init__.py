"""Plotly figures of results; nothing is computed here.

Public names are listed in ``__init__.pyi`` and imported on first use.
"""

import lazy_loader

from nestviz.extras import require

require("plotly", "plot", "Figures")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
