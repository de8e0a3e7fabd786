"""Start the app's server."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
import threading
from collections.abc import Sequence

from nestviz import __version__
from nestviz.resources import app_dir
from nestviz.ui.compile_ahead import compile_all, is_compiled

FIRST_PORT = 8501
PORTS_TO_TRY = 100
OPEN = (
    "Everyone who can reach this machine over the network can use the app: it has no passwords and "
    "no encryption. The page docs/deployment.md says how to add both."
)


def launch(
    *,
    port: int | None = None,
    address: str = "127.0.0.1",
    headless: bool = False,
    embed_in: Sequence[str] = (),
    sessions: int | None = None,
) -> int:
    """Serve the app until it is stopped; return the exit status."""
    listening = _bound(address, port)
    if listening is None:
        print(
            f"Port {port or FIRST_PORT} of {address} is in use. Choose another one with --port, or "
            f"leave the option out to take a free one.",
            file=sys.stderr,
        )
        return 1
    if not _is_this_machine(address):
        print(OPEN, file=sys.stderr, flush=True)
    prepare()
    from nestviz.ui.live.server import serve
    from nestviz.ui.results.places import PLACES

    if sessions is not None:
        PLACES.limit = sessions

    host = f"[{address}]" if ":" in address else address
    port = listening.getsockname()[1]
    print(f"nestviz {__version__} is at http://{host}:{port} (Ctrl+C stops it)", flush=True)
    serve(app_dir() / "app.py", listening, headless=headless, embed_in=embed_in)
    return 0


def prepare() -> None:
    """Set up this process before the first visit; compile what is not yet compiled."""
    _one_thread_per_call()
    _forget_the_pages_folder()
    let_messages_wait()
    if not is_compiled():
        compile_all()
    threading.Thread(target=warm_up, daemon=True).start()


def _is_this_machine(address: str) -> bool:
    """Return whether only programs of this machine can reach an address."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


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


def warm_up() -> None:
    """Load what the first page needs before the first visit, and then start a worker."""
    import nestviz.drawing.small  # noqa: F401 - matplotlib, for the pictures of the start page
    from nestviz.ui.compute.first_fit import fit_a_few_points
    from nestviz.ui.results.jobs import RUNNER

    fit_a_few_points()
    RUNNER.start_ahead()


def _bound(address: str, port: int | None) -> socket.socket | None:
    """Return a socket bound to a port, or to the first free one; None if it is in use."""
    first = FIRST_PORT if port is None else port
    for number in range(first, first + (PORTS_TO_TRY if port is None else 1)):
        found = _new_socket(address)
        try:
            found.bind((address, number))
        except OSError:
            found.close()
        else:
            found.listen()  # a browser that is opened early waits
            return found
    return None


def _new_socket(address: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # The event loop sends small answers at once only where a socket names its protocol; else they
    # wait up to 40 ms for the browser to confirm the answer before.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # "::" is all addresses
    if sys.platform != "win32":
        # A port in TIME_WAIT is free for a server; Windows would share a busy one.
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return made
