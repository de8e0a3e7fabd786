"""A real server with simulated browsers, in a process of its own; prints what they saw as JSON.

Options: seconds after which a closed session is released, and seconds between two looks.
"""

import asyncio
import gc
import json
import os
import signal
import sys
import threading
import time
import traceback

from nestviz.data import Dataset
from nestviz.ui import launch
from nestviz.ui.live import server
from nestviz.ui.live.disconnected import DisconnectedSessions
from nestviz.ui.load.visitor import Visitor
from nestviz.ui.panels.live_scenes import EDITED
from nestviz.ui.results import cache
from nestviz.ui.results.places import PLACES

TTL, LOOK = sys.argv[1:]
POINTS = [(k * 0.7 % 1, k * 0.3 % 1) for k in range(40)]
LONGEST = 120.0


def own_data():
    return sum(type(one) is Dataset and EDITED in one.provenance for one in gc.get_objects())


async def until(condition):
    end = time.monotonic() + LONGEST
    start = time.monotonic()
    while not condition():
        assert time.monotonic() < end, "it never happened"
        await asyncio.sleep(0.1)
    return time.monotonic() - start


async def see(url):
    """Bring own data, come back, meet a full server, and leave."""
    PLACES.limit = 1
    mine = Visitor(url)
    await mine.open()
    await mine.edit(POINTS)
    await mine.turn(width=0.31)
    await mine.ask(width=0.32)
    seen = {"open": own_data(), "results": sum(map(bool, cache.STORE.owners))}
    await mine.close()
    session = mine.session
    await mine.open(session)
    seen["resumed"] = mine.session == session and own_data()
    other = Visitor(url)
    await other.open()
    seen["full"] = other.full
    await mine.turn(width=0.33)
    seen["served meanwhile"] = not mine.full
    DisconnectedSessions.newest.seconds = float(TTL)
    await mine.close()
    await until(lambda: PLACES.taken == 0)
    await other.turn_again()
    seen["full later"] = other.full
    await other.close()
    seen["seconds"] = await until(lambda: not own_data())
    seen["left"] = sum(map(bool, cache.STORE.owners))
    return seen


def browse():
    try:
        while server.REGISTRY.url is None or not found:
            time.sleep(0.05)
        print(json.dumps(asyncio.run(see(found[0]))), flush=True)
    except BaseException:
        traceback.print_exc()
    finally:
        os.kill(os.getpid(), signal.SIGTERM)


found = []
serve = server.serve


def remember(script, listening, **options):
    found.append(f"http://127.0.0.1:{listening.getsockname()[1]}")
    serve(script, listening, **options)


server.serve = remember
server.SWEEP_SECONDS = float(LOOK)
os.environ["STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL"] = str(int(LONGEST))  # to come back in time
threading.Thread(target=browse, daemon=True).start()
launch.launch(headless=True)
