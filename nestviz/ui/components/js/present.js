// Presents the page or its player: by a button in the heading, or by the key F anywhere. It is on
// every page, so it also reports that the reader has changed the theme.

/** @import { Component } from "./dom.js" */
import { find } from "./dom.js";
import { PRESENT_PLAYER, isPagePresented, setPagePresented } from "./presented.js";
import { readTheme } from "./theme.js";

/** @typedef {{ player: boolean, presented: boolean, back: string, forward: string }} PresentMessage */

/** Where a letter is text, or chooses an entry. */
const LETTERS = "textarea, select, [role=combobox], [role=textbox], [role=listbox], [contenteditable]"
  + ", input:not([type=range], [type=radio], [type=checkbox])";
/** What Escape closes first. */
const ABOVE = "[data-testid=stPopoverBody], [role=dialog], [role=listbox]";

/** @param {KeyboardEvent} event @returns {boolean} */
function isTyped(event) {
  const [focus] = event.composedPath();
  return focus instanceof Element && focus.matches(LETTERS);
}

/**
 * Returns what a key does on a page; null leaves it to others.
 * @param {KeyboardEvent} event
 * @param {{ presented: boolean, covered: boolean }} page
 * @returns {"toggle" | "leave" | "back" | "forward" | null}
 */
export function presentationAct({ key, ctrlKey, metaKey, altKey, repeat }, { presented, covered }) {
  if (ctrlKey || metaKey || altKey || repeat) return null;
  if (key.toLowerCase() === "f") return "toggle";
  if (!presented) return null;
  if (key === "Escape") return covered ? null : "leave";
  if (key === "PageUp") return "back";
  return key === "PageDown" ? "forward" : null;
}

class PagePresentation {
  /** @param {HTMLButtonElement} button @param {Component<PresentMessage>} component @param {AbortSignal} signal */
  constructor(button, component, signal) {
    this.button = button;
    this.component = component;
    this.message = component.data;
    this.reported = component.data.presented;
    button.addEventListener("click", () => this.toggle(), { signal });
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
    document.addEventListener("fullscreenchange", () => this.onFullscreen(), { signal });
    this.full = document.fullscreenElement === document.documentElement;
    button.hidden = false;
    this.show();
  }

  show() {
    const presented = isPagePresented();
    this.button.title = presented ? "Back to the page (Esc)" : "Fill the screen (F)";
    find(this.button, "span", HTMLElement).textContent = presented ? "Leave" : "Present";
    // Charts are drawn anew, in large type. Python may have forgotten it with the page before.
    if (presented === this.reported) return;
    this.reported = presented;
    this.component.setStateValue("presented", presented);
  }

  toggle() {
    if (isPagePresented()) this.leave();
    else if (!this.message.player || !this.askPlayer()) void this.enter();
  }

  /** @returns {boolean} Whether a player has filled the screen. */
  askPlayer() {
    return !document.dispatchEvent(new CustomEvent(PRESENT_PLAYER, { cancelable: true }));
  }

  async enter() {
    setPagePresented(true);
    this.show();
    try {
      await document.documentElement.requestFullscreen({ navigationUI: "hide" });
      this.full = true;
    } catch {
      // Not allowed in this frame: the page fills the window.
    }
  }

  leave() {
    setPagePresented(false);
    this.show();
    if (document.fullscreenElement === document.documentElement) void document.exitFullscreen();
  }

  /** The browser's own Escape ends the full screen, and no key is reported. */
  onFullscreen() {
    const { fullscreenElement } = document;
    if (this.full && !fullscreenElement && isPagePresented()) this.leave();
    this.full = fullscreenElement === document.documentElement;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.defaultPrevented || isTyped(event)) return;
    const covered = document.querySelector(ABOVE) !== null;
    const act = presentationAct(event, { presented: isPagePresented(), covered });
    if (!act) return;
    if (act === "toggle") this.toggle();
    else if (act === "leave") this.leave();
    else {
      const target = this.message[act] && document.querySelector(this.message[act]);
      if (!(target instanceof HTMLElement)) return;
      target.click();
    }
    event.preventDefault();
  }
}

/** The theme in which this page was last mounted; it lasts over other pages. @type {boolean | null} */
let dark = null;

/** Milliseconds between two looks at the theme: its colours may come after the last call. */
const LOOK = 400;

/** Reports another theme: Streamlit runs no page again for it. @param {Component<PresentMessage>} component @param {Element} element */
function reportTheme(component, element) {
  const now = readTheme(element).dark;
  if (dark !== null && dark !== now) component.setStateValue("theme", now ? "dark" : "light");
  dark = now;
}

/** What listens for each button. @type {WeakMap<HTMLButtonElement, AbortController>} */
const listening = new WeakMap();

/** @param {Component<PresentMessage>} component @returns {() => void} */
export default function mountPresent(component) {
  const button = find(component.parentElement, "button", HTMLButtonElement);
  listening.get(button)?.abort();
  const listener = new AbortController();
  listening.set(button, listener);
  reportTheme(component, button);
  const looks = setInterval(() => reportTheme(component, button), LOOK);
  listener.signal.addEventListener("abort", () => clearInterval(looks));
  new PagePresentation(button, component, listener.signal);
  return () => listener.abort();
}
