"""Make sure that there is a browser for the tests: the machine's own, Debian's, or Playwright's.

Never fails the set-up: where no browser can be had, the browser tests say so themselves.
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def on_path() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def run(*command: str) -> bool:
    print("  " + " ".join(command))
    return subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0


def from_debian() -> bool:
    may = shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0
    if not may:
        return False
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    return run("apt-get", "update", "-qq") and run("apt-get", "install", "-y", "-qq", "chromium")


def main() -> None:
    if found := on_path():
        print(f"Browser for the tests: {found}")
        return
    print("No Chromium on the PATH; installing one for the browser tests.")
    # The set-up asks for Debian's while pip brings Playwright, and then again without the option.
    if from_debian() or "--debian-only" in sys.argv:
        return
    if run(sys.executable, "-m", "playwright", "install", "chromium"):
        return
    print("No browser could be installed; the browser tests will be skipped.")


if __name__ == "__main__":
    main()
