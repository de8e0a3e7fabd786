"""How long a piece of work keeps the other threads of its process from running."""

import threading
import time


def longest_hold(work):
    """Return the longest CPU time of this process in which another thread could not run."""
    thread = threading.Thread(target=work)
    longest, last = 0.0, time.process_time()
    thread.start()
    while thread.is_alive():
        time.sleep(0.002)
        now = time.process_time()
        longest, last = max(longest, now - last), now
    return longest
