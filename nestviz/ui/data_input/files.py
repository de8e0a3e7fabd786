"""Read a file or pasted text as a table; guesses are shown and can be overruled."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from nestviz.data import (
    DELIMITERS,
    ENCODINGS,
    FORMATS,
    DataError,
    Guess,
    ReadChoices,
    Table,
    read_table,
    read_text,
)
from nestviz.data.limits import SERVED
from nestviz.escaping import markdown
from nestviz.ui.data_input import columns

ENDINGS = ["csv", "tsv", "txt", "gz", "parquet", "xlsx", "xls", "ods", "npy", "npz", "svm",
           "svmlight", "libsvm", "data"]  # fmt: skip
GUESS = "guess"
HEADER = {"yes": True, "no": False}
QUOTES = {"double quotes": '"', "single quotes": "'", "none": ""}
QUESTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "format": ("Format", {name: name for name in FORMATS}),
    "encoding": ("Encoding", {name: name for name in ENCODINGS}),
    "delimiter": ("Columns are separated by", dict(DELIMITERS)),
    "decimal": ("Decimal mark", {"point": ".", "comma": ","}),
    "quote": ("Text is quoted by", QUOTES),
    "header": ("First row holds names", HEADER),
}
"""Guesses that can be overruled from a list: field, question, answers."""


@dataclass(frozen=True)
class Source:
    """Bytes of a file, or a pasted text, kept for the session."""

    name: str
    content: bytes
    pasted: bool = False

    @property
    def digest(self) -> str:
        """A hash that identifies the source."""
        digest = hashlib.sha256(self.content)
        digest.update(self.name.encode(errors="replace"))
        return digest.hexdigest()


def show_file() -> None:
    """Show the upload of a file, or the file uploaded before."""
    uploaded = st.file_uploader(
        "A table with one row per point",
        type=ENDINGS,
        key="upload",
        on_change=_keep_upload,
        help="CSV, TSV, Parquet, Excel, NumPy or svmlight, up to 50 MB. It stays on this server, "
        "in this session.",
    )
    source: Source | None = st.session_state.get("file")
    if source is None:
        st.caption("Nothing uploaded yet.")
        return
    if uploaded is None:
        st.caption(f"Using {markdown(source.name)}, uploaded before.")
    _show_source(source, origin="file")


def show_paste() -> None:
    """Show a field for pasted rows."""
    pasted = st.text_area(
        "Paste rows of numbers, from a spreadsheet or a text file",
        key="pasted",
        height=200,
        persist_state="session",
        placeholder="x1, x2, label\n0.3, 1.2, a\n0.7, -0.4, b",
        help="Columns may be separated by commas, semicolons, tabs or spaces.",
    )
    if pasted and pasted.strip():
        _show_source(Source("pasted table", pasted.encode(), pasted=True), origin="pasted")


def _keep_upload() -> None:
    uploaded = st.session_state["upload"]
    if uploaded is None:
        st.session_state.pop("file", None)
        return
    st.session_state["file"] = Source(uploaded.name, uploaded.getvalue())


def _show_source(source: Source, origin: str) -> None:
    choices = _chosen(source)
    try:
        table = _read(source.digest, source, choices)
    except DataError as error:
        st.error(markdown(str(error)), icon=":material/error:")
        with st.expander("Read it another way", icon=":material/tune:", expanded=True):
            _questions(source, guessed=())
        return
    _show_table(table)
    guessed = {guess.what for guess in table.guesses}
    with st.expander("How it was read", icon=":material/tune:"):
        st.markdown("\n".join(_described(guess) for guess in table.guesses))
        st.caption("Not right? Overrule a guess here:")
        _questions(source, guessed)
    columns.show(table, source.digest, origin)


@st.cache_resource(max_entries=1, show_spinner="Reading …", scope="session")
def _read(digest: str, _source: Source, choices: ReadChoices) -> Table:
    if _source.pasted:
        return read_text(_source.content.decode(), choices, SERVED)
    return read_table(_source.content, _source.name, choices, SERVED)


def _show_table(table: Table) -> None:
    frame = pd.DataFrame(table.preview(8), columns=list(table.columns))
    st.dataframe(frame, hide_index=True, height="content")
    st.caption(f"First rows of {table.n_rows:,}; {len(table.columns)} columns.")


def _described(guess: Guess) -> str:
    value = markdown(_in_words(guess.what, guess.value))
    return f"- **{_question(guess.what)}: {value}.** {markdown(guess.why)}"


def _questions(source: Source, guessed: Collection[str]) -> None:
    """Show one list per question, three in a row."""
    row = st.columns(3)
    fields = [field for field in QUESTIONS if not (source.pasted and field == "encoding")]
    for place, field in enumerate(fields):
        question, answers = QUESTIONS[field]
        row[place % 3].selectbox(question, [GUESS, *answers], key=_key(source, field))
    for field in ("sheet", "array"):
        if field in guessed or st.session_state.get(_key(source, field)):
            row[2].text_input(_question(field), key=_key(source, field), placeholder=GUESS)


def _chosen(source: Source) -> ReadChoices:
    """Return the answers so far; the questions are drawn below their result."""
    given: dict[str, Any] = {}
    for field, (_, answers) in QUESTIONS.items():
        answer = st.session_state.get(_key(source, field), GUESS)
        given[field] = None if answer == GUESS else answers[answer]
    for field in ("sheet", "array"):
        given[field] = st.session_state.get(_key(source, field)) or None
    return ReadChoices(**given)


def _key(source: Source, field: str) -> str:
    return f"read.{source.digest[:8]}.{field}"


def _question(field: str) -> str:
    return QUESTIONS[field][0] if field in QUESTIONS else field.capitalize()


def _in_words(field: str, value: str | bool) -> str:
    answers = QUESTIONS.get(field, ("", {}))[1]
    return next((name for name, answer in answers.items() if answer == value), str(value))
