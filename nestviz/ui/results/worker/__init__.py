"""Long work in processes of its own; nothing here knows of Streamlit."""
