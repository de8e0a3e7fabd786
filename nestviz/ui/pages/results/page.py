"""The Results page: published numbers, ours beside them, and whether claims hold."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import streamlit as st

from nestviz.escaping import LONGEST_NAME, markdown
from nestviz.studies.agreement import count, verdict
from nestviz.studies.findings import Claim, Value
from nestviz.studies.run_record import Run
from nestviz.ui.page_frame import heading
from nestviz.ui.pages.results import cases, catalogue
from nestviz.ui.pages.results.catalogue import Entry
from nestviz.ui.session.view import stop_page
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart, clicked

CHART = "results_chart"
FEW, FIRST = 3, 2
"""Up to so many quantities are shown at first, or else the first few of them."""
LONGEST = 2000
"""Characters of a sentence."""
SIGNS = {
    "held": ":material/check_circle:",
    "not held": ":material/cancel:",
    "undecided": ":material/help:",
}
PROTOCOLS = {"quick": "quick protocol", "full": "full protocol", "own": "own study"}


def render() -> None:
    """Render the page."""
    heading("Results", "results")
    entries = catalogue.entries()
    if not entries:
        stop_page("There are no results here. `nestviz reproduce all --quick` computes them.")
    name = inputs.select("table", list(entries), format_func=lambda name: _title(entries[name]))
    entry = entries[name]
    if entry.run is None:
        _missing(entry)
        return
    _source(entry.run)
    _claims(entry.run.findings.claims)
    if entry.run.findings.values:
        _values(entry.name, entry.run.findings.values)


def _title(entry: Entry) -> str:
    return entry.title if entry.run else f"{entry.title} (no results here)"


def _missing(entry: Entry) -> None:
    """Say how to compute what is not there."""
    state = "damaged" if entry.damaged else "not here"
    st.info(
        f"The results of “{markdown(entry.title)}” are {state}. These commands compute them, with "
        "the reduced protocol and with the published one:",
        icon=":material/hourglass_empty:",
    )
    st.code(
        f"nestviz reproduce {entry.name} --quick\nnestviz reproduce {entry.name} --full",
        language="shell",
    )
    if entry.minutes is not None:
        quick, full = (f"{minutes:,.3g}" for minutes in entry.minutes)
        st.caption(f"They take about {quick} and {full} minutes of processor time.")
    st.caption(
        "Start the app with the variable `NESTVIZ_RESULTS` set to the folder that they write, and "
        "this page shows them."
    )


def _source(run: Run) -> None:
    protocol = PROTOCOLS.get(run.protocol, "")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(" · ".join(filter(None, (markdown(run.source), protocol))), width="content")
        with st.popover("Protocol", icon=":material/science:", type="tertiary"):
            st.markdown("\n".join(f"- {markdown(line, LONGEST)}" for line in run.describe))
            if run.findings.notes:
                st.markdown("**What differs, and slips of the source**")
                notes = [f"- {markdown(note, LONGEST)}" for note in run.findings.notes]
                st.markdown("\n".join(notes))


def _claims(claims: Sequence[Claim]) -> None:
    """Show each claim in a sentence, whether it held, and the evidence."""
    if not claims:
        return
    held = sum(claim.held is True for claim in claims)
    st.header(f"Claims: {held} of {len(claims)} held", anchor=False)
    for claim in claims:
        word = verdict(claim)
        with st.container(gap=None):
            sentence = markdown(claim.sentence, LONGEST)
            st.markdown(f"{SIGNS[word]} **{word.capitalize()}.** {sentence}")
            evidence = f"Published: {markdown(claim.published)}. Here: {markdown(claim.ours)}."
            reason = f" {markdown(claim.why, LONGEST)}" if claim.why else ""
            st.caption(evidence + reason)


def _values(name: str, values: Sequence[Value]) -> None:
    """Show values beside the published ones, quantity by quantity."""
    st.header("Values", anchor=False)
    shown = _chosen(values)
    if not shown:
        st.caption("No quantity is chosen, or none has these rows.")
        return
    st.markdown(count(shown).in_words() or "None of these values is printed in the source.")
    for quantity in dict.fromkeys(value.quantity for value in shown):
        st.subheader(markdown(quantity, LONGEST_NAME), anchor=False)
        of = [value for value in shown if value.quantity == quantity]
        left, right = st.columns(2, gap="medium")
        with left:
            _figure(of)
        right.table(cases.table(of))
        cases.buttons(of)
    content = catalogue.values_csv(name)
    if content is not None:
        st.download_button(
            "CSV: all values",
            content,
            f"{name}.csv",
            "text/csv",
            key="results.csv",
            icon=":material/download:",
            on_click="ignore",
        )


def _chosen(values: Sequence[Value]) -> list[Value]:
    quantities = list(dict.fromkeys(value.quantity for value in values))
    items = list(dict.fromkeys(value.item for value in values))
    first = quantities if len(quantities) <= FEW else quantities[:FIRST]
    left, right = st.columns(2, gap="medium")
    with left:
        wanted = inputs.several("quantity", quantities, first)
    with right:
        only = inputs.several("only", items, [])
    return [v for v in values if v.quantity in wanted and (not only or v.item in only)]


def _figure(values: Sequence[Value]) -> None:
    from nestviz.figures import study_values_figure

    figure = study_values_figure(values)
    words = count(values).in_words()
    alt = f"Published values as diamonds, ours as dots, with one standard deviation. {words}"
    # A browser that lags behind reports points of the figure it still shows: another one.
    content = "\n".join((values[0].quantity, *(value.item for value in values)))
    key = f"{CHART}.{zlib.crc32(content.encode()):08x}"

    def open_clicked() -> None:
        for (row,) in clicked(key, len(values))[:1]:
            cases.open_case(values[row])

    chart(figure, key, int(figure.layout.height), alt, on_select=open_clicked)
