// What is pointed at in one picture is lit in the others, without the server.
//
// Pictures are separate modules on one page, so what they say goes through an event of the window.
// Nothing is kept there: a picture that is drawn later starts without light.

/**
 * @typedef {object} Light
 * @property {string} link Pictures with the same name belong together.
 * @property {string} from The picture that speaks; it does not listen to itself.
 * @property {number[]} rows Of the lit points; none where nothing is pointed at.
 * @property {number | null} level Of the set to outline, if there is one.
 * @property {number} colour Index in the palette.
 */

const LIGHT_EVENT = "nestviz-light";

/** @param {Light} light */
export function shineLight(light) {
  if (light.link) window.dispatchEvent(new CustomEvent(LIGHT_EVENT, { detail: light }));
}

/**
 * Calls a function with what other pictures light, until the result is called.
 * @param {(light: Light) => void} listener
 * @returns {() => void}
 */
export function watchLight(listener) {
  /** @param {Event} event */
  const heard = (event) => { if (event instanceof CustomEvent) listener(event.detail); };
  window.addEventListener(LIGHT_EVENT, heard);
  return () => window.removeEventListener(LIGHT_EVENT, heard);
}
