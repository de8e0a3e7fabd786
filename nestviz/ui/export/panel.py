"""The end of every page: its pictures, numbers, models and code as files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import streamlit as st

from nestviz.data import dataset_to_csv, table_to_csv
from nestviz.escaping import markdown
from nestviz.ui.components.copy_link import copy_link
from nestviz.ui.components.figure_image import Format, save_figure
from nestviz.ui.data_choice import Current
from nestviz.ui.data_input import session_files
from nestviz.ui.export import scripts
from nestviz.ui.scene.scene import Scene
from nestviz.ui.session.view_state import LINK_VERSION
from nestviz.ui.widgets import qr_code

if TYPE_CHECKING:
    import pandas as pd

KEY = "take_home"
Make = Callable[[], Any]
NOTHING: Mapping[str, Make] = {}
IMAGES: tuple[Format, ...] = ("png", "svg")


def show(
    current: Current,
    *,
    name: str,
    code: str,
    figures: Mapping[str, Make] = NOTHING,
    tables: Mapping[str, Callable[[], pd.DataFrame]] = NOTHING,
    models: Mapping[str, Make] = NOTHING,
    prints: Mapping[str, Callable[[], str]] = NOTHING,
    sweep: Callable[[], Scene | None] | None = None,
) -> None:
    """Show an expander with everything that can be downloaded, and the code that makes it.

    Nothing is shown before it is opened, nothing computed before it is requested. Downloads run
    outside the page: the callables must neither read the session's state nor draw anything.

    Files are named after ``name``, the page's address, and the data. ``code`` is a script of
    `scripts`. ``figures``, ``tables`` and ``models`` map titles to callables that return Plotly
    figures, data frames and fitted estimators; ``prints`` to callables that return HTML files to
    print; ``sweep`` returns what the page's player shows.
    """
    box = st.expander("Export", icon=":material/download:", key=KEY, on_change="rerun")
    # Thirty hidden widgets would cost every run of the page more than its picture.
    if not box.open:
        return
    stem = f"{name}-{file_words(current.source.name)}"
    sections: dict[str, Callable[[], None]] = {}
    if sweep is not None or figures:
        sections["Pictures"] = partial(_pictures, stem, figures, sweep)
    if sweep is not None:
        sections["Moving picture"] = partial(_movies, stem, sweep)
    if tables:
        sections["Numbers"] = partial(_tables, stem, tables)
    if prints:
        sections["To print"] = partial(_prints, stem, prints)
    if models:
        sections["Model"] = partial(_models, stem, models)
    sections["Code"] = partial(_code, current, stem, code)
    sections["Link and session"] = partial(_link, current, name)
    with box:
        _tabs(sections)


@st.fragment
def _tabs(sections: Mapping[str, Callable[[], None]]) -> None:
    for tab, section in zip(st.tabs(list(sections)), sections.values(), strict=True):
        with tab:
            section()


def _pictures(stem: str, figures: Mapping[str, Make], sweep: Make | None) -> None:
    if sweep is not None:
        # Loads matplotlib.
        from nestviz.ui.export import picture

        st.markdown("**The sets at the level where the player rests**")
        with st.container(horizontal=True):
            _button("PNG", f"{stem}.png", "image/png", partial(_swept, sweep, picture.png))
            _button("SVG", f"{stem}.svg", "image/svg+xml", partial(_swept, sweep, picture.svg))
    for title, make in figures.items():
        st.markdown(f"**{markdown(title)}**")
        file = f"{stem}-{file_words(title)}"
        with st.container(horizontal=True):
            wanted = [image for image in IMAGES if _image_button(file, image)]
            _button("HTML", f"{file}.html", "text/html", partial(_html_of, make, title))
        for image in wanted:
            _save_image(make, file, image, title)
    st.caption(
        "PNG for slides, SVG for papers: drawn on white, whatever the theme. HTML can be zoomed "
        "and hovered over; it needs no network."
    )


def _image_button(file: str, image: Format) -> bool:
    return st.button(
        image.upper(),
        key=f"image.{file}.{image}",
        icon=":material/download:",
        help=f"Draw {markdown(file)}.{image} in this browser and save it",
    )


def _save_image(make: Make, file: str, image: Format, alt: str) -> None:
    """Show a figure and let the browser save it."""
    from nestviz.figures.export import figure_json, on_paper

    figure, name = make(), f"{file}.{image}"
    save_figure(figure_json(figure), key=f"image.{file}", order=uuid4().hex, name=name, image=image)
    # A page may have no chart; this one also loads Plotly into the browser.
    st.plotly_chart(on_paper(figure), key=f"preview.{file}", theme=None, alt=alt)


def _movies(stem: str, sweep: Make) -> None:
    from nestviz.ui.export import movie, player_page

    with st.container(horizontal=True):
        player = partial(_swept, sweep, player_page.page, stem)
        _button("HTML player", f"{stem}-player.html", "text/html", player)
        _button("GIF", f"{stem}.gif", "image/gif", partial(_swept, sweep, movie.gif))
        _button("WebP", f"{stem}.webp", "image/webp", partial(_swept, sweep, movie.webp))
        if movie.can_write_mp4():
            _button("MP4", f"{stem}.mp4", "video/mp4", partial(_swept, sweep, movie.mp4))
    st.caption(
        "The HTML player is this page's own: it plays, steps by the arrow keys, and needs no "
        "network. GIF and WebP play by themselves in slides and mails."
    )
    if not movie.can_write_mp4():
        st.caption("For MP4 the server needs one more package: `pip install nestviz[video]`.")


def _tables(stem: str, tables: Mapping[str, Make]) -> None:
    with st.container(horizontal=True):
        for title, make in tables.items():
            file = f"{stem}-{file_words(title)}.csv"
            _button(f"CSV: {title}", file, "text/csv", partial(csv_of, make))
    st.caption(
        "Numbers to their last digit. Text that a spreadsheet would run as a formula has an "
        "apostrophe in front."
    )


def _prints(stem: str, prints: Mapping[str, Make]) -> None:
    with st.container(horizontal=True):
        for title, make in prints.items():
            _button(title, f"{stem}-{file_words(title)}.html", "text/html", make)
    st.caption("One HTML file for A4 paper; it needs no network. Print it from the browser.")


def _models(stem: str, models: Mapping[str, Make]) -> None:
    with st.container(horizontal=True):
        for title, make in models.items():
            file = f"{stem}-{file_words(title)}.zip"
            _button(title, file, "application/zip", partial(_model_of, make))
    st.caption(
        "A zip with the fitted estimator (skops format, no pickle), its certificate, and how to "
        "load it. `nestviz.load_model` gives the same decision values, bit for bit."
    )


def _code(current: Current, stem: str, code: str) -> None:
    st.code(code, language="python")
    own = current.own
    with st.container(horizontal=True):
        _button("Python file", f"{stem}.py", "text/x-python", lambda: code)
        if own is not None:
            file = scripts.own_file_name(own)
            _button(f"Data: {file}", file, "text/csv", partial(dataset_to_csv, own))
    if own is not None:
        st.caption(
            f"The script reads your points from `{file}`, which the button beside it saves: put "
            "both into one folder."
        )


def _link(current: Current, page: str) -> None:
    """Show the link to the present view, and the file for what a link cannot hold."""
    copy_link(key=f"link.{page}", version=LINK_VERSION)
    with st.popover("QR code", icon=":material/qr_code_2:"):
        qr_code.show()
    if current.own is None:
        st.caption("Anyone who opens the link sees this view: data, settings and level.")
    else:
        st.warning(
            "A link does not contain your own points: others would be asked for them. Send the "
            "session file instead.",
            icon=":material/link_off:",
        )
    session_files.offer(current, page, key=f"session.{page}")
    st.caption(
        "The session file holds the points, the settings and the selection. It is opened on the "
        "Data page, under Session."
    )


def _button(label: str, file: str, mime: str, make: Make) -> None:
    st.download_button(
        markdown(label),
        make,
        file,
        mime,
        key=f"take.{file}.{label}",
        on_click="ignore",
        icon=":material/download:",
        help=f"Save {markdown(file)}",
    )


def _swept(sweep: Make, write: Callable[..., str | bytes], *arguments: str) -> str | bytes:
    content: Scene | None = sweep()
    if content is None:
        raise ValueError("There is no sweep to save on this page.")
    return write(content, *arguments)


def _html_of(make: Make, title: str) -> str:
    from nestviz.figures.export import figure_page

    return figure_page(make(), title)


def csv_of(make: Make) -> str:
    """Return a data frame as CSV that a spreadsheet opens safely."""
    frame = make()
    rows = frame.astype(object).where(frame.notna(), "").to_numpy().tolist()
    return table_to_csv([str(column) for column in frame.columns], rows)


def _model_of(make: Make) -> bytes:
    from nestviz.estimators.model_files import model_archive

    return model_archive(make())


def file_words(text: str) -> str:
    """Return letters and digits of a title, for file names."""
    return re.sub(r"[^\w]+", "-", text, flags=re.ASCII).strip("-_").lower()[:50] or "data"
