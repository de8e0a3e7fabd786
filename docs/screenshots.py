"""Take pictures of every page, light and dark, wide and narrow, and make the film of the README.

Run from the project's folder: ``.venv/bin/python docs/screenshots.py``. All pictures go to
``docs/_screenshots``, which is not committed; the few that the manual shows also go to
``docs/images``. Names of pages after the command take only these pages.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from streamlit.testing.v1 import AppTest

from nestviz.resources import app_dir
from nestviz.studies.bench.browser_session import AppServer
from nestviz.ui.export import movie
from nestviz.ui.player import player
from nestviz.ui.scene.message import read_header
from nestviz.ui.session.view_state import STEPS

IMAGES = Path(__file__).parent / "images"
SCREENSHOTS = Path(__file__).parent / "_screenshots"
SHOWN = {
    "home-light", "one-class-light", "bandwidth-light", "cluster-tree-dark", "outliers-light",
    "error-control-dark",
}  # fmt: skip
WIDE, NARROW = {"width": 1280, "height": 860}, {"width": 400, "height": 860}
PAGES = {
    "home": "?step=profile",
    **{f"story-{name}": f"?step={name}" for name in STEPS},
    "data": "data",
    "draw": "data?from=Draw",
    "one-class": "one-class?data=banana&frame=50&point=12",
    "probe": "one-class?data=banana&frame=50&probe=0.5,1.2",
    "hill": "one-class?data=banana&frame=50&view=outline.hill",
    "stack": "one-class?data=banana&frame=50&view=stack",
    "swipe": "one-class?data=banana&frame=50&view=outline.fill.overlay.swipe",
    "two-classes": "two-classes?data=banana&frame=30",
    "solution-path": "solution-path?data=banana&point=12",
    "compare": "compare?data=ring&width=0.4&frame=44",
    "bandwidth": "bandwidth?data=multi",
    "cluster-tree": "cluster-tree?data=multi",
    "outliers": "outliers?data=outliers&width=0.3&point=106",
    "quantiles": "quantiles?data=banana",
    "error-control": "error-control?data=banana",
    "theory": "theory?chapter=Crossing",
    "results": "results",
}


def main() -> None:
    SCREENSHOTS.mkdir(exist_ok=True)
    (IMAGES / "nesting.gif").write_bytes(film())
    with AppServer() as server:
        take_all(server.url)


def film() -> bytes:
    """The picture of the start page outside its story, as its own export writes it."""
    app = AppTest.from_file(str(app_dir() / "app.py"), default_timeout=60)
    app.query_params["step"], app.query_params["data"] = "free", "banana"
    app.run()
    sent = next(
        found.proto.bytes
        for found in app.get("bidi_component")
        if found.proto.component_name.endswith("nestviz_player")
    )
    header = read_header(sent)
    own = header["player"], header["live"]
    return movie.gif(next(s for s, m in player.MESSAGES.items() if m.message(*own) == sent))


def take_all(url: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        wanted = sys.argv[1:] or list(PAGES)
        for name, path in ((name, PAGES[name]) for name in wanted):
            for theme in ("light", "dark"):
                for size, suffix in ((WIDE, ""), (NARROW, "-narrow")):
                    context = browser.new_context(
                        viewport=size, color_scheme=theme, reduced_motion="reduce"
                    )
                    page = context.new_page()
                    page.goto(f"{url}/{path}")
                    settle(page)
                    file = SCREENSHOTS / f"{name}-{theme}{suffix}.png"
                    page.screenshot(path=file)
                    if file.stem in SHOWN:
                        shutil.copy(file, IMAGES)
                    context.close()
        browser.close()


def settle(page: Page) -> None:
    page.get_by_role("heading", level=1).wait_for()
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.get_by_role("button", name="Cancel").wait_for(state="detached", timeout=600_000)
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.get_by_test_id("stSkeleton").first.wait_for(state="detached")
    page.wait_for_timeout(3000)


if __name__ == "__main__":
    main()
