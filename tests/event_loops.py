"""Run coroutines where a browser test of the same worker has left a running loop."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run_in_loop(coroutine):
    """Return the result of a coroutine, which runs in a loop of its own thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
