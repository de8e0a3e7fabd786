"""The Streamlit side: state, controls, cached calls, our own browser components."""
