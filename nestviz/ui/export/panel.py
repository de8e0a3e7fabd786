"""The end of every page: its pictures, numbers, models and code, to take along."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from nestviz.data import dataset_to_csv
from nestviz.ui.data_choice import Current
from nestviz.ui.export import images, link, scripts
from nestviz.ui.player.data import SweepData

if TYPE_CHECKING:
    import pandas as pd

KEY = "take_home"
Make = Callable[[], Any]
NOTHING: Mapping[str, Make] = {}


def show(
    current: Current,
    *,
    name: str,
    code: str,
    figures: Mapping[str, Make] = NOTHING,
    tables: Mapping[str, Callable[[], pd.DataFrame]] = NOTHING,
    models: Mapping[str, Make] = NOTHING,
    sweep: Callable[[], SweepData | None] | None = None,
) -> None:
    """An expander with everything that can be downloaded, and the code that makes it.

    Nothing is shown before it is opened, nothing computed before it is asked for. The work of a
    download runs outside the page, so the callables must not read the session's state or draw
    anything: hand them what they need.

    Parameters
    ----------
    current : Current
        The data in use.
    name : str
        The page's address, such as ``"one-class"``; files are named after it and the data.
    code : str
        A script of `recipes` that makes the same fit and figure.
    figures : mapping of title to callable
        Each gives a Plotly figure.
    tables : mapping of name to callable
        Each gives a data frame; its index is left out.
    models : mapping of title to callable
        Each gives a fitted estimator.
    sweep : callable, optional
        Gives what the page's player shows; its ``start`` is the frame of still pictures.
    """
    box = st.expander("Export", icon=":material/download:", key=KEY, on_change="rerun")
    # Thirty closed-away widgets would cost every run of the page more than its picture.
    if box.open:
        with box:
            _contents(current, name, code, figures, tables, models, sweep)


@st.fragment
def _contents(
    current: Current,
    name: str,
    code: str,
    figures: Mapping[str, Make],
    tables: Mapping[str, Make],
    models: Mapping[str, Make],
    sweep: Make | None,
) -> None:
    stem = f"{name}-{_words(current.source.name)}"
    sections: dict[str, Callable[[], None]] = {}
    if sweep is not None or figures:
        sections["Pictures"] = lambda: _pictures(stem, figures, sweep)
    if sweep is not None:
        sections["Moving picture"] = lambda: _movies(stem, sweep)
    if tables:
        sections["Numbers"] = lambda: _tables(stem, tables)
    if models:
        sections["Model"] = lambda: _models(stem, models)
    sections["Code"] = lambda: _code(current, stem, code)
    sections["Link and session"] = lambda: link.show(current, name)
    for tab, section in zip(st.tabs(list(sections)), sections.values(), strict=True):
        with tab:
            section()


def _pictures(stem: str, figures: Mapping[str, Make], sweep: Make | None) -> None:
    if sweep is not None:
        st.markdown("**The sets at the level where the player rests**")
        with st.container(horizontal=True):
            _button("PNG", f"{stem}.png", "image/png", lambda: _still_png(sweep))
            _button("SVG", f"{stem}.svg", "image/svg+xml", lambda: _still_svg(sweep))
    for title, make in figures.items():
        st.markdown(f"**{title}**")
        file = f"{stem}-{_words(title)}"
        with st.container(horizontal=True):
            asked = images.buttons(file)
            _button("HTML", f"{file}.html", "text/html", partial(_page_of, make, title))
        if asked is not None:
            images.save(make, file, asked, title)
    st.caption(
        "PNG for slides, SVG for papers: drawn on white, whatever the theme. HTML can be zoomed "
        "and hovered over; it needs no network."
    )


def _movies(stem: str, sweep: Make) -> None:
    from nestviz.ui.export import movie

    with st.container(horizontal=True):
        _button("HTML player", f"{stem}-player.html", "text/html", lambda: _player(sweep, stem))
        _button("GIF", f"{stem}.gif", "image/gif", lambda: movie.gif(_swept(sweep)))
        _button("WebP", f"{stem}.webp", "image/webp", lambda: movie.webp(_swept(sweep)))
        if movie.can_write_mp4():
            _button("MP4", f"{stem}.mp4", "video/mp4", lambda: movie.mp4(_swept(sweep)))
    st.caption(
        "The HTML player is this page's own: it plays, steps by the arrow keys, and needs no "
        "network. GIF and WebP play by themselves in slides and mails."
    )
    if not movie.can_write_mp4():
        st.caption("For MP4 the server needs one more package: `pip install nestviz[video]`.")


def _tables(stem: str, tables: Mapping[str, Make]) -> None:
    with st.container(horizontal=True):
        for title, make in tables.items():
            file = f"{stem}-{_words(title)}.csv"
            _button(f"CSV: {title}", file, "text/csv", partial(_csv_of, make))
    st.caption(
        "Numbers to their last digit. Text that a spreadsheet would run as a formula has an "
        "apostrophe in front."
    )


def _models(stem: str, models: Mapping[str, Make]) -> None:
    with st.container(horizontal=True):
        for title, make in models.items():
            file = f"{stem}-{_words(title)}.zip"
            _button(title, file, "application/zip", partial(_model_of, make))
    st.caption(
        "A zip with the fitted estimator (skops format, no pickle), its certificate, and how to "
        "load it. `nestviz.load_model` gives the same decision values, bit for bit."
    )


def _code(current: Current, stem: str, code: str) -> None:
    st.code(code, language="python")
    own = scripts.own_file(current)
    with st.container(horizontal=True):
        _button("Python file", f"{stem}.py", "text/x-python", lambda: code)
        if own is not None:
            file, dataset = own
            _button(f"Data: {file}", file, "text/csv", lambda: dataset_to_csv(dataset))
    if own is not None:
        st.caption(
            f"The script reads your points from `{own[0]}`, which the button beside it saves: put "
            f"both into one folder."
        )


def _button(label: str, file: str, mime: str, make: Make) -> None:
    st.download_button(
        label,
        make,
        file,
        mime,
        key=f"take.{file}.{label}",
        on_click="ignore",
        icon=":material/download:",
        help=f"Save {file}",
    )


def _swept(sweep: Make) -> SweepData:
    content: SweepData | None = sweep()
    if content is None:
        raise ValueError("There is no sweep to save on this page.")
    return content


def _still_png(sweep: Make) -> bytes:
    from nestviz.ui.export import raster

    return raster.png(_swept(sweep))


def _still_svg(sweep: Make) -> str:
    from nestviz.ui.export import svg

    return svg.picture(_swept(sweep))


def _player(sweep: Make, title: str) -> str:
    from nestviz.ui.export import player_page

    return player_page.page(_swept(sweep), title)


def _page_of(make: Make, title: str) -> str:
    from nestviz.figures.export import figure_page

    return figure_page(make(), title)


def _csv_of(make: Make) -> str:
    from nestviz.data import table_to_csv

    frame = make()
    rows = frame.astype(object).where(frame.notna(), "").to_numpy().tolist()
    return table_to_csv([str(column) for column in frame.columns], rows)


def _model_of(make: Make) -> bytes:
    from nestviz.estimators.model_files import model_archive

    return model_archive(make())


def _words(text: str) -> str:
    """Letters and digits of a title, for file names."""
    return re.sub(r"[^\w]+", "-", text, flags=re.ASCII).strip("-_").lower()[:50] or "data"
