// The small text beside the point at hand.

import { hintCorner } from "./geometry.js";

/**
 * @param {HTMLElement} element
 * @param {string} text
 * @param {{ x: number, y: number }} point
 * @param {{ width: number, height: number }} canvas
 */
export function showHint(element, text, point, canvas) {
  element.textContent = text;
  const size = { w: element.offsetWidth, h: element.offsetHeight };
  const { left, top } = hintCorner(point, size, canvas);
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
}
