"""Long work in worker processes, without Streamlit."""
