"""Scenes: families of sets with all that the player shows, and their message."""
