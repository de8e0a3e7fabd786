"""The app's texts, one Markdown file each."""

from functools import cache
from importlib.resources import files


@cache
def text(name: str) -> str:
    """The text called ``name``."""
    return (files(__name__) / f"{name}.md").read_text(encoding="utf-8")
