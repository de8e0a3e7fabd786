// Keys that zoom, move and turn the picture.

/** @import { GestureHost } from "./gestures.js" */

const KEY_ZOOM = 1.25;
const KEY_PAN = 40;

/**
 * Returns whether the focused element needs a key itself.
 * @param {EventTarget | undefined} focus
 * @param {string} key
 * @returns {boolean}
 */
function needsKey(focus, key) {
  if (focus instanceof HTMLSelectElement || focus instanceof HTMLTextAreaElement) return true;
  if (!(focus instanceof HTMLInputElement)) return false;
  return focus.type !== "range" || key.startsWith("Arrow");
}

/**
 * Returns what a key does, or undefined.
 * @param {KeyboardEvent} event
 * @param {GestureHost} host
 * @param {number} panel
 * @returns {(() => void) | undefined}
 */
export function keyAction(event, host, panel) {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || needsKey(event.composedPath()[0], key)) return undefined;
  /** @type {(factor: number) => () => void} */
  const zoom = (factor) => () => host.zoomAt(panel, ...host.centreOf(panel), factor);
  /** @type {(dx: number, dy: number) => () => void} */
  const go = (dx, dy) => () => {
    if (host.mode === "turn") host.turn(-dx, -dy);
    else host.pan(panel, dx, dy);
  };
  /** @type {Record<string, () => void>} */
  const keys = {
    "+": zoom(KEY_ZOOM), "=": zoom(KEY_ZOOM), "-": zoom(1 / KEY_ZOOM), "−": zoom(1 / KEY_ZOOM),
    0: () => host.resetView(),
  };
  /** @type {Record<string, () => void>} */
  const withShift = {
    ArrowLeft: go(KEY_PAN, 0), ArrowRight: go(-KEY_PAN, 0),
    ArrowUp: go(0, KEY_PAN), ArrowDown: go(0, -KEY_PAN),
  };
  return shiftKey && key in withShift ? withShift[key] : keys[key];
}
