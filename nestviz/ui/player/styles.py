"""The style sheets of the player."""

STYLES = (
    "components/common.css",
    "player/player.css",
    "player/knobs.css",
    "player/presentation.css",
    "player/story.css",
)
"""The styles of the player, here and in the app."""
