"""Start the app's server."""

from __future__ import annotations

import os
import socket
import sys
import threading

from nestviz import __version__
from nestviz.resources import app_dir

FIRST_PORT = 8501
PORTS_TO_TRY = 100


def launch(*, port: int | None = None, address: str = "127.0.0.1", headless: bool = False) -> int:
    """Serve the app until it is stopped; return the exit status."""
    if port is None:
        port = _free_port(address)
    elif not _is_free(address, port):
        print(
            f"Port {port} of {address} is in use. Choose another one with --port, or leave the "
            f"option out to take a free one.",
            file=sys.stderr,
        )
        return 1
    _one_thread_per_call()
    _forget_the_pages_folder()
    let_messages_wait()
    threading.Thread(target=_warm_up, daemon=True).start()
    from streamlit.web import cli

    host = f"[{address}]" if ":" in address else address
    print(f"nestviz {__version__} is at http://{host}:{port} (Ctrl+C stops it)", flush=True)
    arguments = ["run", str(app_dir() / "app.py"), "--logger.hideWelcomeMessage=true"]
    arguments += [f"--server.port={port}", f"--server.address={address}"]
    arguments += [f"--server.headless={'true' if headless else 'false'}"]
    cli.main(arguments, prog_name="nestviz app", standalone_mode=False)
    return 0


def _forget_the_pages_folder() -> None:
    """Tell Streamlit that the pages come from ``st.navigation``.

    Until the app has run once it takes any folder called ``pages`` for its older page discovery,
    and a first visit by a deep link would end in "Page not found".
    """
    from streamlit.runtime.pages_manager import PagesManager

    PagesManager.uses_pages_directory = False


def let_messages_wait() -> None:
    """Remove the bound on the messages queued for a slow browser.

    Streamlit drops a browser that is 500 messages behind, without notice: the page then no longer
    responds. Ten quick changes are enough on a busy computer.
    """
    from streamlit.web.server.starlette import starlette_websocket

    vars(starlette_websocket)["WEBSOCKET_MAX_SEND_QUEUE_SIZE"] = 0  # no bound


def _one_thread_per_call() -> None:
    """Let the matrix library use one thread per call, unless the user says otherwise.

    The matrix products of the app are small and come from several sessions at once: threads that
    wait for each other made a 75 ms picture take a second on a busy machine with two cores.
    """
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def _warm_up() -> None:
    """Load what the first page needs before the first visit."""
    import numpy as np

    import nestviz.drawing.small  # noqa: F401 - matplotlib, for the pictures of the start page
    from nestviz.analysis.level_sweep import sweep
    from nestviz.estimators import NestedOneClassSVM, OneClassPath
    from nestviz.grids import Grid

    X = np.random.default_rng(0).normal(size=(12, 2))
    for estimator in (OneClassPath(1.0), NestedOneClassSVM(1.0)):
        sweep(estimator.fit(X).family_, Grid.around(X, resolution=4), X)


def _free_port(address: str) -> int:
    for port in range(FIRST_PORT, FIRST_PORT + PORTS_TO_TRY):
        if _is_free(address, port):
            return port
    return FIRST_PORT


def _is_free(address: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if sys.platform != "win32":
            # A port in TIME_WAIT is free for a server; Windows would share a busy one.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError:
            return False
    return True
