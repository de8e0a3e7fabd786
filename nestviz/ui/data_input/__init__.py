"""Bring in the user's own data: files, pasted text, session files, the browser's copy."""
