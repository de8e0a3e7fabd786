"""Text from outside, written so that it is shown as it is, whatever it contains.

Names of data, columns, values, sheets and files, and all sentences that quote them, come from a
file, a link or a keyboard. They reach Markdown, HTML and Plotly only through these functions.
"""

from __future__ import annotations

import html as _html
import re

LONGEST = 400
"""Characters that are shown of any text."""
LONGEST_NAME = 80
"""Characters that are shown of a name in a figure."""
_UNSHOWN = re.compile(
    # Controls, surrogates and noncharacters, which files and messages cannot hold, and marks that
    # turn the direction of all that follows.
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]"
)
_SPLIT = ":small[]"
"""Renders nothing. Streamlit also replaces parts of text that is already parsed, where no escape
is left; it cannot replace what is in two pieces."""
_MARKDOWN = re.compile(
    r"""
    (?P<split> @ | :(?=//|material_|streamlit:) | [-<>~](?=[-=>]) )
    | (?P<mark> [\\`*_{}\[\]<>\#!|~$&=^] | :(?!\s) | ^[-+] )
    | (?P<host> www(?=\.) )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_COMMONMARK = re.compile(
    # Some only matter at the beginning: of a list, an underline, a comment or a label.
    r"[\\`*_{}\[\]<>#!|~$&@^] | :(?=\S) | (?<=www)\. | ^[-+=%(]",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(\d+)([.)])(?!\S)")
# Plotly reads tags, entities, `$` for MathJax and `%{}` in templates; pages replace colours.
_PLOTLY = re.compile(r"[&<>$#]|%(?=\{)|(?<=rgba)\(")


def plain(text: str, longest: int = LONGEST) -> str:
    """Return a text on one line, without characters that cannot be shown, and not too long.

    Parameters
    ----------
    text : str
        Any text.
    longest : int
        Length above which the text is cut.

    Returns
    -------
    str

    Examples
    --------
    >>> plain("two\\nlines\\x00")
    'two lines�'
    """
    # Spaces are joined below; what is cut off here would be cut off anyway, unless it is all space.
    line = _UNSHOWN.sub("\ufffd", " ".join(text[: 10 * longest].split()))
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def markdown(text: str, longest: int = LONGEST) -> str:
    r"""Return Markdown that Streamlit shows as the text itself.

    Parameters
    ----------
    text : str
        Any text.
    longest : int
        Length above which the text is cut.

    Returns
    -------
    str
        Without links, images, formulas, icons or colours, wherever it is put in a line.

    Examples
    --------
    >>> markdown("moons (2).csv")
    'moons (2).csv'
    >>> markdown("![x](y)")
    '&#33;&#91;x&#93;(y)'
    """
    return _NUMBERED.sub(_numbered, _MARKDOWN.sub(_in_markdown, plain(text, longest)))


def _in_markdown(found: re.Match[str]) -> str:
    if found["host"]:
        return found["host"] + _SPLIT
    return _entity(found[0]) + (_SPLIT if found["split"] else "")


def _numbered(found: re.Match[str]) -> str:
    return found[1] + _entity(found[2])


def commonmark(text: str, longest: int = LONGEST) -> str:
    r"""Return Markdown for a file, which other programs than Streamlit show as the text itself.

    Parameters
    ----------
    text : str
        Any text.
    longest : int
        Length above which the text is cut.

    Returns
    -------
    str
        On one line, also for a cell of a table.

    Examples
    --------
    >>> commonmark("T = 13 [n.s.]")
    'T = 13 \\[n.s.\\]'
    """
    escaped = _COMMONMARK.sub(r"\\\g<0>", plain(text, longest))
    return _NUMBERED.sub(r"\1\\\2", escaped)


def html(text: str, longest: int = LONGEST) -> str:
    """Return HTML, also for an attribute in quotes, that shows the text itself.

    Parameters
    ----------
    text : str
        Any text.
    longest : int
        Length above which the text is cut.

    Returns
    -------
    str

    Examples
    --------
    >>> html("a < b")
    'a &lt; b'
    """
    return _html.escape(plain(text, longest), quote=True)


def plotly(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a title or name for a Plotly figure that shows the text itself.

    Parameters
    ----------
    text : str
        Any text.
    longest : int
        Length above which the text is cut.

    Returns
    -------
    str

    Examples
    --------
    >>> plotly("<b> & $x$")
    '&#60;b&#62; &#38; &#36;x&#36;'
    """
    return _PLOTLY.sub(lambda found: _entity(found[0]), plain(text, longest))


def _entity(character: str) -> str:
    return f"&#{ord(character)};"
