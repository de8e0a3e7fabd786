"""A route beside Streamlit's own: the player asks for families while a control is dragged."""
