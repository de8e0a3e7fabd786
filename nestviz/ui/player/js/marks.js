// Marked points are sent apart from the sweep: a new mark must not send the whole sweep again.
//
// Contract. The player and the marker are separate modules on one page, so what they share is on
// the window: `nestvizMarks` maps the id of a player to the marked rows, the one whose details are
// shown first. The marker (Python) and the player (a click) write it by `setMarks`, which sends
// the event "nestviz-marks" with the id as its detail; the player reads it by `marksOf`. No other
// code touches the table. A player without an entry is on a page that marks nothing.

/** @typedef {Window & { nestvizMarks?: Map<string, number[]> }} MarkedWindow */

const MARKS_EVENT = "nestviz-marks";

/** @returns {Map<string, number[]>} */
function markTable() {
  /** @type {MarkedWindow} */
  const page = window;
  page.nestvizMarks ??= new Map();
  return page.nestvizMarks;
}

/** @param {string} id @returns {number[] | null} */
export function marksOf(id) {
  return markTable().get(id) ?? null;
}

/** @param {string} id @param {number[]} rows */
export function setMarks(id, rows) {
  markTable().set(id, rows);
  window.dispatchEvent(new CustomEvent(MARKS_EVENT, { detail: id }));
}

/**
 * Calls a function with the id of each player whose marks change, until the result is called.
 * @param {(id: string) => void} listener
 * @returns {() => void}
 */
export function watchMarks(listener) {
  /** @param {Event} event */
  const heard = (event) => { if (event instanceof CustomEvent) listener(event.detail); };
  window.addEventListener(MARKS_EVENT, heard);
  return () => window.removeEventListener(MARKS_EVENT, heard);
}
