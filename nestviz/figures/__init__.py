"""Records to Plotly figures; nothing is computed here."""
