"""Browser components of the app: the sweep player and the point painter.

Each component is a Python function around an ``st.components.v2`` component whose
HTML, CSS and JavaScript are files in this folder. ``protocol`` holds the record the
player takes and its byte encoding; it needs NumPy only.
"""
