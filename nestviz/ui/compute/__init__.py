"""Compute what pages show. Nothing here imports Streamlit, so workers can run it."""
