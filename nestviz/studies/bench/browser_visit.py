"""A browser page at the app: what the user does, and when its pictures change."""

from __future__ import annotations

import base64
import json
import time
from dataclasses import dataclass
from typing import Any

PICTURES = "[data-frame], .js-plotly-plot, canvas[role=img]"
SETTLED = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  return app && app.dataset.testConnectionState === "CONNECTED"
    && app.dataset.testScriptState === "notRunning" && window.nestvizWatch.open === 0;
}"""
# Looks at the pictures in every animation frame: a change is seen in the frame that shows it.
# Components are in shadow roots, which a plain query does not enter. A player counts its answers; a
# few pixels of other pictures are compared.
WATCH = """
const watch = { inputs: [], pictures: [], questions: [], gaps: [], open: 0, pixels: false };
window.nestvizWatch = watch;
const collect = (node, found) => {
  for (const element of node.querySelectorAll("*")) {
    if (element.matches(".player")) found.player = element;
    if (element.matches("canvas[role=img], path.js-line")) found.drawn.push(element);
    if (element.shadowRoot) collect(element.shadowRoot, found);
  }
  return found;
};
const small = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
const brush = small.getContext("2d", { willReadFrequently: true });
const look = (element) => {
  if (element.matches("path")) return element.getAttribute("d") ?? "";
  if (!element.width || !element.height) return "";
  brush.clearRect(0, 0, 64, 64);
  brush.drawImage(element, 0, 0, 64, 64);
  let sum = 0;
  for (const value of brush.getImageData(0, 0, 64, 64).data) sum = (31 * sum + value) % 4294967291;
  return String(sum);
};
let found = { player: null, drawn: [] };
const state = () => {
  if (!found.player?.isConnected) found = collect(document, { player: null, drawn: [] });
  if (watch.pixels) return found.drawn.slice(0, 6).map(look).join(" ");
  return found.player ? `${found.player.dataset.answers} ${found.player.dataset.level}` : "";
};
let [before, seen] = [0, ""];
const frame = (now) => {
  if (before) watch.gaps.push(now - before);
  before = now;
  const present = state();
  if (present !== seen) watch.pictures.push(performance.now());
  seen = present;
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
for (const name of ["keydown", "pointerdown"]) {
  addEventListener(name, (event) => watch.inputs.push(event.timeStamp), { capture: true });
}
const send = window.fetch.bind(window);
window.fetch = async (...request) => {
  if (!String(request[0]).includes("nestviz/live")) return send(...request);
  const question = { sent: performance.now(), done: 0, bytes: 0, body: request[1].body };
  watch.questions.push(question);
  watch.open += 1;
  try {
    const response = await send(...request);
    const whole = response.arrayBuffer.bind(response);
    response.arrayBuffer = async () => {
      const content = await whole();
      Object.assign(question, { done: performance.now(), bytes: content.byteLength });
      return content;
    };
    return response;
  } finally {
    watch.open -= 1;
  }
};
"""
CLEAR = """(pixels) => {
  const { nestvizWatch } = window;
  for (const name of ["inputs", "pictures", "questions", "gaps"]) nestvizWatch[name] = [];
  nestvizWatch.pixels = pixels;
}"""


@dataclass(frozen=True)
class Answer:
    """An answer of the server to the player; times in milliseconds."""

    sent: float
    done: float
    size: int  # In bytes
    width: float  # Of the sets in it
    is_whole: bool  # Whether it has all panels


@dataclass(frozen=True)
class Seen:
    """What followed an input; times in milliseconds after it."""

    pictures: tuple[float, ...]  # When pictures changed
    answers: tuple[Answer, ...]
    page_bytes: int  # Size of all messages of the page's run
    gaps: tuple[float, ...]  # Between animation frames
    width: float  # The value of the slider at the end
    busy: float  # CPU time of the browser's main thread, which depends little on other processes

    @property
    def first(self) -> float:
        """When the first picture changed."""
        return self.pictures[0]

    @property
    def complete(self) -> float:
        """When all panels were shown for the value of the slider, or all pictures of a page."""
        whole = [at.done for at in self.answers if at.is_whole and at.width == self.width]
        return min(
            (moment for moment in self.pictures if whole and moment >= whole[0]),
            default=self.pictures[-1],
        )


class Visit:
    """A browser page at the app, with the messages received.

    Parameters
    ----------
    page : playwright.sync_api.Page
        An empty page.
    url : str
        The address of the app.
    """

    def __init__(self, page: Any, url: str) -> None:
        self._page, self._url = page, url
        self._received: list[int] = []
        page.add_init_script(WATCH)
        self._wire = page.context.new_cdp_session(page)
        self._wire.send("Network.enable")
        self._wire.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._wire.on("Network.webSocketFrameReceived", self._keep)
        self._begun = 0.0

    def _keep(self, event: dict[str, Any]) -> None:
        response = event["response"]
        payload = response["payloadData"]
        binary = response["opcode"] == 2
        self._received.append(len(base64.b64decode(payload)) if binary else len(payload))

    @property
    def has_player(self) -> bool:
        """Whether the page has a player with a slider for the width."""
        inside = self._page.locator(".player").get_by_role("slider", name="Width")
        return bool(inside.count())

    def open(self, path: str) -> float:
        """Go to a page; return milliseconds until it shows its picture."""
        start = time.perf_counter()
        self._page.goto(f"{self._url}/{path}")
        self._page.get_by_test_id("stMain").locator(PICTURES).first.wait_for()
        taken = time.perf_counter() - start
        self.settle()
        return 1e3 * taken

    def press(self, *keys: str, pause: float = 0.0) -> Seen:
        """Press keys on the slider of the width; times count from the last of them."""
        self._width.focus()
        self._clear()
        for key in keys:
            self._page.keyboard.press(key)
            self._page.wait_for_timeout(pause)
        return self._seen()

    def point(self, share: float) -> Seen:
        """Click on the slider of the width, at a share of its length."""
        self._width.scroll_into_view_if_needed()
        self._page.mouse.move(*self._on_slider(share))
        self._clear()
        self._page.mouse.down()
        self._page.mouse.up()
        return self._seen()

    def drag(self, start: float, end: float, seconds: float) -> Seen:
        """Drag the width from one share of its slider to another; it does not come to rest."""
        self._width.scroll_into_view_if_needed()
        self._page.mouse.move(*self._on_slider(start))
        self._page.mouse.down()
        self._page.wait_for_timeout(500)
        self._clear()
        (left, y), (right, _) = self._on_slider(start), self._on_slider(end)
        begin = time.perf_counter()
        while (spent := time.perf_counter() - begin) < seconds:
            self._page.mouse.move(left + (right - left) * spent / seconds, y)
        seen = self._read(origin=0.0)
        self._page.mouse.up()
        self.settle()
        return seen

    def play(self, seconds: float) -> Seen:
        """Play the sweep."""
        # The page's own loop draws in the same frames that are counted.
        self._page.emulate_media(reduced_motion="no-preference")
        self._page.get_by_role("button", name="Play", exact=True).click()
        self._page.wait_for_timeout(500)
        self._clear()
        self._page.wait_for_timeout(1000 * seconds)
        seen = self._read(origin=0.0)
        self._page.get_by_role("button", name="Pause", exact=True).click()
        self._page.emulate_media(reduced_motion="reduce")
        self.settle()
        return seen

    def faults(self) -> int:
        """Return the number of errors that the page shows."""
        shown = '[data-testid="stException"], [role="dialog"], .trouble:not([hidden])'
        return int(self._page.locator(shown).count())

    def settle(self) -> None:
        """Wait until the page is idle and nothing has come for a while, solved ahead or not."""
        self._page.wait_for_function(SETTLED)
        count = (-1, -1)
        while count != (now := (len(self._received), self._asked())):
            count = now
            self._page.wait_for_timeout(600)
            self._page.wait_for_function(SETTLED)

    def _asked(self) -> int:
        return int(self._page.evaluate("() => window.nestvizWatch.questions.length"))

    @property
    def _width(self) -> Any:
        return self._page.get_by_role("slider", name="Width").first

    def _on_slider(self, share: float) -> tuple[float, float]:
        box = self._width.bounding_box()
        return box["x"] + share * box["width"], box["y"] + box["height"] / 2

    def _main_thread(self) -> float:
        found = self._wire.send("Performance.getMetrics")["metrics"]
        return next(1e3 * one["value"] for one in found if one["name"] == "TaskDuration")

    def _clear(self) -> None:
        self._received.clear()
        self._page.evaluate(CLEAR, not self.has_player)
        self._page.wait_for_timeout(50)
        self._page.evaluate("() => { window.nestvizWatch.pictures = []; }")
        self._begun = self._main_thread()

    def _seen(self) -> Seen:
        """Wait for a picture and for rest, and return what followed the last input."""
        self._page.wait_for_function("() => window.nestvizWatch.pictures.length > 0")
        self.settle()
        return self._read(self._page.evaluate("() => window.nestvizWatch.inputs.at(-1)"))

    def _read(self, origin: float) -> Seen:
        watch = self._page.evaluate("() => window.nestvizWatch")
        width = self._width.evaluate("(slider) => slider.closest('.knob').dataset.value")
        return Seen(
            tuple(moment - origin for moment in watch["pictures"] if moment > origin),
            tuple(_answer(asked, origin) for asked in watch["questions"] if asked["bytes"]),
            sum(self._received),
            tuple(watch["gaps"]),
            float(width),
            self._main_thread() - self._begun,
        )


def _answer(asked: dict[str, Any], origin: float) -> Answer:
    body = json.loads(asked["body"])
    return Answer(
        asked["sent"] - origin,
        asked["done"] - origin,
        int(asked["bytes"]),
        float(body["knobs"].get("width", "nan")),
        "panels" not in body,
    )
