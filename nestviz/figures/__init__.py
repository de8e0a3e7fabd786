"""Records to Plotly figures; nothing is computed here."""

from nestviz.extras import require

require("plotly", "plot", "Figures")
