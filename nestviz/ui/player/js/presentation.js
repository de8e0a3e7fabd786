// The player on the whole screen, with large type and its own choice of light or dark.

import { svgElement } from "../../components/js/dom.js";
import { PRESENT_PLAYER, isPagePresented } from "../../components/js/presented.js";
import { THEMES } from "../../components/js/palette.js";
import { readTheme } from "../../components/js/theme.js";

/** @typedef {{ presenting: boolean }} PresentationState */
/** @typedef {{ onChange: (state: PresentationState) => void }} PresentationCalls */
/**
 * @typedef {object} Presentation
 * @property {() => void} onChange
 * @property {HTMLElement | null} focus What had the focus before.
 * @property {HTMLElement} bar
 * @property {AbortController} listening
 */

/** How much larger the type on the canvas is. */
export const PRESENTED_TYPE = 1.5;

const FOCUSABLE = "button, select, input, a[href], [tabindex='0']";
const BRIGHTNESS = "M12 4a8 8 0 0 0 0 16zM12 4a8 8 0 0 1 0 16";
const CROSS = "M6 6l12 12M18 6L6 18";

/** By player; as long as it is presented. @type {WeakMap<HTMLElement, Presentation>} */
const presentations = new WeakMap();

/** @param {HTMLElement} root @returns {boolean} */
export function isPresenting(root) {
  return presentations.has(root);
}

/**
 * Fills the screen with the player. Where the browser refuses that, it fills the window.
 * @param {HTMLElement} root
 * @param {PresentationCalls} calls Called on entering, on leaving, and for another theme.
 * @returns {Promise<void>}
 */
export async function enterPresentation(root, calls) {
  if (isPresenting(root)) return;
  const { activeElement } = /** @type {Document | ShadowRoot} */ (root.getRootNode());
  const listening = new AbortController();
  const presentation = {
    onChange: () => calls.onChange({ presenting: isPresenting(root) }),
    focus: activeElement instanceof HTMLElement ? activeElement : null,
    bar: presentationBar(root),
    listening,
  };
  presentations.set(root, presentation);
  try {
    await root.requestFullscreen({ navigationUI: "hide" });
  } catch {
    // Not allowed in this frame, or no such function. A popover is above all else in the window,
    // also where an element around the player is transformed and would keep it inside.
    if (presentations.get(root) !== presentation) return;
    root.popover = "manual";
    root.showPopover?.();
  }
  if (presentations.get(root) !== presentation) {
    // It was left before the browser had agreed.
    if (root.matches(":fullscreen")) void document.exitFullscreen();
    return;
  }
  root.classList.add("presenting");
  (root.querySelector(".controls") ?? root).append(presentation.bar);
  const { signal } = listening;
  root.addEventListener("keydown", (event) => onPresentationKey(root, event), { signal });
  root.addEventListener("fullscreenchange", () => {
    if (!root.matches(":fullscreen")) leavePresentation(root);
  }, { signal });
  root.focus({ preventScroll: true });
  presentation.onChange();
}

/** Returns the player to the page, and the focus to where it was. @param {HTMLElement} root */
export function leavePresentation(root) {
  const presentation = presentations.get(root);
  if (!presentation) return;
  presentations.delete(root);
  presentation.listening.abort();
  presentation.bar.remove();
  if (root.matches(":fullscreen")) void document.exitFullscreen();
  if (root.popover) {
    root.hidePopover?.();
    root.popover = null;
  }
  root.classList.remove("presenting");
  for (const name of Object.keys(themeVariables(false))) root.style.removeProperty(name);
  root.dataset.theme = readTheme(root).dark ? "dark" : "light";
  presentation.focus?.focus({ preventScroll: true });
  presentation.onChange();
}

/** @param {HTMLElement} root @param {PresentationCalls} calls */
export function togglePresentation(root, calls) {
  if (isPresenting(root)) leavePresentation(root);
  else void enterPresentation(root, calls);
}

/**
 * Lets the key F present the player, and return from it.
 * @param {HTMLElement} root
 * @param {PresentationCalls} calls
 * @returns {() => void} Ends it.
 */
export function offerPresentation(root, calls) {
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || event.repeat || key.toLowerCase() !== "f") return;
    // F returns from a page that is presented.
    if (isPagePresented() && !isPresenting(root)) return;
    // In a list, a letter chooses the entry that begins with it.
    if (event.composedPath()[0] instanceof HTMLSelectElement) return;
    event.preventDefault();
    togglePresentation(root, calls);
  };
  /** The page offers its whole screen to the first player that is to be seen. @param {Event} event */
  const onOffer = (event) => {
    if (event.defaultPrevented || !root.checkVisibility()) return;
    event.preventDefault();
    togglePresentation(root, calls);
  };
  root.addEventListener("keydown", onKey);
  document.addEventListener(PRESENT_PLAYER, onOffer);
  return () => {
    document.removeEventListener(PRESENT_PLAYER, onOffer);
    root.removeEventListener("keydown", onKey);
    leavePresentation(root);
  };
}

/** @param {boolean} dark @returns {Record<string, string>} */
function themeVariables(dark) {
  const { background, surface, text, primary } = THEMES[dark ? "dark" : "light"];
  return {
    "--st-background-color": background,
    "--st-secondary-background-color": surface,
    "--st-text-color": text,
    "--st-primary-color": primary,
  };
}

/**
 * Changes between light and dark, for the player alone and until it returns.
 * @param {HTMLElement} root
 */
export function switchTheme(root) {
  const dark = !readTheme(root).dark;
  for (const [name, value] of Object.entries(themeVariables(dark))) {
    root.style.setProperty(name, value);
  }
  root.dataset.theme = dark ? "dark" : "light";
  presentations.get(root)?.onChange();
}

/** @param {HTMLElement} root @returns {HTMLElement} */
function presentationBar(root) {
  /** @type {(action: string, label: string, path: string, act: () => void) => HTMLButtonElement} */
  const button = (action, label, path, act) => {
    const element = document.createElement("button");
    Object.assign(element, { type: "button", className: "icon", title: label });
    element.dataset.action = action;
    element.setAttribute("aria-label", label);
    element.append(svgElement(
      "svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svgElement("path", { d: path }),
    ));
    element.addEventListener("click", act);
    return element;
  };
  const bar = document.createElement("div");
  bar.className = "presentation-bar";
  bar.append(
    button("theme", "Light or dark", BRIGHTNESS, () => switchTheme(root)),
    button("leave", "Back to the page (Esc)", CROSS, () => leavePresentation(root)),
  );
  return bar;
}

/** @param {HTMLElement} root @param {KeyboardEvent} event */
function onPresentationKey(root, event) {
  if (event.key === "Escape") {
    event.preventDefault();
    event.stopPropagation();
    leavePresentation(root);
  } else if (event.key === "Tab") keepFocus(root, event);
}

/**
 * Keeps the Tab key inside: the page behind cannot be seen.
 * @param {HTMLElement} root
 * @param {KeyboardEvent} event
 */
function keepFocus(root, event) {
  const stops = [...root.querySelectorAll(FOCUSABLE)].filter((element) => (
    element instanceof HTMLElement && element.checkVisibility() && !element.matches(":disabled")
  ));
  const [focus] = event.composedPath();
  const end = event.shiftKey ? stops[0] : stops.at(-1);
  const begin = event.shiftKey ? stops.at(-1) : stops[0];
  const leaves = focus === end || (event.shiftKey && focus === root);
  if (!leaves || !(begin instanceof HTMLElement)) return;
  event.preventDefault();
  begin.focus();
}
