"""Work for tests of jobs: what a worker process imports and runs."""

import os
import signal
import time

from nestviz.data import DataError


def add(a, b, report):
    report(0.5, "half way")
    return a + b


def where(report):
    return os.getpid(), os.environ["OPENBLAS_NUM_THREADS"]


def print_something(report):
    print("this must not get in between the answers", flush=True)
    return "printed"


def until_told(flag, report):
    """Report until told to stop; then hand over how far it came."""
    steps = 0
    while not report(min(steps / 100, 0.9), f"step {steps}"):
        steps += 1
        open(flag, "w").close()
        time.sleep(0.01)
    return "as far as it came"


def step_by_step(folder, report):
    """Take each of three steps when there is a file for it; report how far it came."""
    for step in (1, 2, 3):
        while not os.path.exists(os.path.join(folder, f"go {step}")):
            if report(step / 4):
                return None
            time.sleep(0.01)
        report(step / 3, partial=step)
    return step


def deaf(flag, report):
    """Never listens, and never lets anybody else run."""
    report(0.3, "deaf", partial="early days")
    open(flag, "w").close()
    while True:
        sum(range(10_000_000))


def refuse(report):
    raise DataError("There is no such thing.", hint="Choose another.")


def break_down(report):
    raise ZeroDivisionError("a detail for the log")


class StubbornError(Exception):
    def __init__(self, one, two):
        super().__init__(one)


def fail_without_travelling(report):
    raise StubbornError(1, 2)


def answer_what_cannot_travel(report):
    return lambda: None


def die(report):
    os.kill(os.getpid(), signal.SIGKILL)
