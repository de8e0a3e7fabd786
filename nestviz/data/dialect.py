"""The format of delimited text: delimiter, decimal sign, quotes, header.

Each candidate delimiter is tried on the first rows. The best one splits most rows into the same
number of cells and leaves most cells readable as numbers.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from nestviz.data.cells import is_missing, is_number
from nestviz.data.errors import DataError, quoted
from nestviz.data.tables import DELIMITERS, Guess, ReadChoices

_SAMPLE_LETTERS = 200_000
_SAMPLE_ROWS = 200
# A character that no text contains leaves each row in one cell.
_NO_DELIMITER = "\x1f"
_NAMES = {sign: name for name, sign in DELIMITERS.items()}


@dataclass(frozen=True)
class Dialect:
    """Delimiter ("" for one column), decimal sign and quote ("" for none)."""

    delimiter: str
    decimal: str
    quote: str


def records(text: str, dialect: Dialect) -> Iterator[list[str]]:
    """Yield rows of the text as lists of cells; a blank row is an empty list."""
    lines: Iterator[str] = iter(io.StringIO(text, newline=""))
    if dialect.delimiter == " ":
        # Runs of spaces count as one; those at the ends of a line as none.
        lines = (line.strip(" \r\n") + "\n" for line in lines)
    return csv.reader(
        lines,
        delimiter=dialect.delimiter or _NO_DELIMITER,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        skipinitialspace=True,
        strict=True,
    )


def settle_dialect(text: str, choices: ReadChoices) -> tuple[Dialect, list[Guess]]:
    """Return the dialect of a text, guessing what `choices` leaves open."""
    _check(choices)
    sample = _first_lines(text)
    guesses = []
    quote = choices.quote
    if quote is None:
        quote, why = _guess_quote(sample, choices.delimiter)
        guesses.append(Guess("quote", quote, why))
    delimiter, decimal, score = _best(sample, quote, choices)
    if choices.delimiter is None:
        guesses.append(Guess("delimiter", delimiter, _why_delimiter(delimiter, score)))
    if choices.decimal is None:
        word = "comma" if decimal == "," else "point"
        why = f"Most cells read as numbers with a decimal {word}."
        guesses.append(Guess("decimal", decimal, why if score[1] else "No cell contradicts it."))
    return Dialect(delimiter, decimal, quote), guesses


def guess_header(rows: list[list[str]], decimal: str) -> tuple[bool, str]:
    """Return whether the first of some rows has names, and why."""
    first, rest = rows[0], rows[1:]
    for cell in first:
        if is_number(cell, decimal):
            return False, f"The first row has the number {quoted(cell.strip(), 40)}."
    if not rest:
        return True, "The only row has no number."
    if any(is_number(cell, decimal) for row in rest for cell in row):
        return True, "The first row has no number, but the rows below it do."
    for j, cell in enumerate(first):
        if not is_missing(cell) and any(j < len(row) and row[j] == cell for row in rest):
            return False, f"'{quoted(cell.strip(), 40)}' of the first row occurs again below it."
    return True, "Nothing in the first row occurs again below it."


def _check(choices: ReadChoices) -> None:
    delimiter, quote = choices.delimiter, choices.quote
    if delimiter is not None and (len(delimiter) > 1 or delimiter in ("\n", "\r", "\0")):
        raise DataError(
            f"The delimiter cannot be '{quoted(delimiter)}'.",
            hint="Choose a single character, or none.",
        )
    if quote is not None and (len(quote) > 1 or quote in ("\n", "\r", "\0", " ", _NO_DELIMITER)):
        raise DataError(
            f"The quote cannot be '{quoted(quote)}'.", hint="Choose a single character, or none."
        )
    if choices.decimal not in (None, ".", ","):
        raise DataError(
            f"The decimal sign cannot be '{quoted(choices.decimal)}'.",
            hint="Choose a point or a comma.",
        )
    if delimiter and delimiter in (choices.decimal, quote):
        raise DataError(
            f"The character '{quoted(delimiter)}' is chosen for two purposes.",
            hint="Choose different characters for delimiter, decimal and quote.",
        )


def _first_lines(text: str) -> str:
    """Return whole lines from the start of the text, so that no row of the sample is cut short."""
    if len(text) <= _SAMPLE_LETTERS:
        return text
    end = max(text.rfind(sign, 0, _SAMPLE_LETTERS) for sign in "\n\r")
    return text[: end + 1] if end >= 0 else text[:_SAMPLE_LETTERS]


def _guess_quote(sample: str, delimiter: str | None) -> tuple[str, str]:
    signs = "".join(_NAMES)
    if delimiter in ('"', "'"):
        return "", "The delimiter is itself a quotation mark."
    for quote in ('"', "'"):
        starts = sum(
            line.lstrip().startswith(quote) or any(sign + quote in line for sign in signs)
            for line in sample.splitlines()[:_SAMPLE_ROWS]
        )
        if starts:
            return quote, f"Some cells start with {quote}."
    return '"', "No cell is quoted; this is the usual character."


Score = tuple[float, float, int]


def _best(sample: str, quote: str, choices: ReadChoices) -> tuple[str, str, Score]:
    """Return the delimiter and decimal sign with the best score, and the score.

    A score is (share of rows of the usual width, share of cells that are numbers, width).
    Ties go to the earlier candidate: comma before semicolon before tab.
    """
    delimiters = [s for s in _NAMES if s] if choices.delimiter is None else [choices.delimiter]
    decimals = (".", ",") if choices.decimal is None else (choices.decimal,)
    best = None
    for delimiter in delimiters:
        for decimal in decimals:
            if decimal == delimiter or (quote and delimiter == quote):
                continue
            score = _score(sample, Dialect(delimiter, decimal, quote))
            useful = score[2] > 1 and score[0] >= 0.5
            if choices.delimiter is None and not useful:
                continue
            if best is None or _merit(score) > _merit(best[2]) + 1e-9:
                best = delimiter, decimal, score
    if best is not None:
        return best
    # No candidate splits the rows: one column, with the decimal sign that reads better.
    alone = [("", decimal, _score(sample, Dialect("", decimal, quote))) for decimal in decimals]
    return max(alone, key=lambda candidate: candidate[2][1])


def _merit(score: Score) -> float:
    regular, numeric, _ = score
    return regular * regular * (0.2 + numeric)


def _score(sample: str, dialect: Dialect) -> Score:
    rows = []
    try:
        for row in records(sample, dialect):
            if any(cell.strip() for cell in row):
                rows.append(row)
            if len(rows) == _SAMPLE_ROWS:
                break
    except csv.Error:
        # A quote that is not closed counts against the candidate from that row on.
        rows.append([])
    if not rows:
        return 0.0, 0.0, 0
    width, often = Counter(len(row) for row in rows).most_common(1)[0]
    filled = [cell for row in rows for cell in row if not is_missing(cell)]
    numeric = sum(is_number(cell, dialect.decimal) for cell in filled) / max(len(filled), 1)
    return often / len(rows), numeric, width


def _why_delimiter(delimiter: str, score: Score) -> str:
    if not delimiter:
        return "No usual delimiter splits the rows into cells."
    return f"It splits {score[0]:.0%} of the first rows into {score[2]} cells."
