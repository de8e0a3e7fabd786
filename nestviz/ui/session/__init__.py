"""Keep what a session shows: the view, the selection, own data and session files."""
