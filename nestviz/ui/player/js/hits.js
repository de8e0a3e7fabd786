// What is at a location of the canvas.

/** @import { ScenePicture } from "./picture.js" */
import { nearestIndex } from "../../components/js/geometry.js";

/** @typedef {{ panel: number, index: number, x: number, y: number }} PointHit */

export const HOVER_REACH = 8;
const DIVIDER_REACH = 10;

/** @param {ScenePicture} picture @param {number} x @param {number} y @returns {number} The panel, or -1. */
export function panelAt({ slots }, x, y) {
  const found = slots.find(({ plot, from, to }) => plot.holds(x, y) && x >= from && x <= to);
  return found ? found.panel : -1;
}

/** @param {ScenePicture} picture @param {number} x @param {number} y @returns {boolean} */
export function atDivider({ swiping, slots }, x, y) {
  if (!swiping) return false;
  const [{ plot, to }] = slots;
  return Math.abs(x - to) <= DIVIDER_REACH && plot.holds(plot.x, y);
}

/**
 * Returns the point nearest to a location on the canvas, if one is near.
 * @param {ScenePicture} picture
 * @param {number} x
 * @param {number} y
 * @param {number} [reach]
 * @returns {PointHit | null}
 */
export function pointAt(picture, x, y, reach = HOVER_REACH) {
  const panel = panelAt(picture, x, y);
  if (panel < 0) return null;
  const positions = picture.positions[panel];
  const index = nearestIndex(positions, x, y, reach);
  return index < 0 ? null : { panel, index, x: positions[2 * index], y: positions[2 * index + 1] };
}
