"""Browser components of the app: plane, tree, point painter and small helpers.

Each is a Python function around an ``st.components.v2`` component. Its HTML and CSS are files in
this folder, its JavaScript modules are in ``js``; `assets` joins them. The sweep player is in
``nestviz/ui/player``.
"""
