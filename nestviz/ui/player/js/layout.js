// Where the panels of a scene go on the canvas. Needs no DOM.

/** @import { Box, View } from "../../components/js/plot.js" */

/** Least width of panels side by side, and beside a story. */
export const SIDE_BY_SIDE = 640;
export const BESIDE_STORY = 480;
export const PANEL_MARGIN = { left: 50, right: 14, top: 32, bottom: 44 };

/**
 * Returns one box per panel, to scale: up to three in a row, four as two and two, one column where
 * the canvas is narrow. The height follows the view, up to a limit; then boxes are narrower.
 * @param {number} count
 * @param {number} width Of the canvas.
 * @param {number} most Largest height of a panel with its margins.
 * @param {View} view
 * @param {number} [grown] Factor of the margins, for large type.
 * @param {boolean} [together] Whether the largest height is that of all panels.
 * @param {number} [least] Least width of panels side by side.
 * @returns {{ boxes: Box[], height: number }} The boxes, and the height of the canvas.
 */
export function panelBoxes(count, width, most, [xmin, xmax, ymin, ymax], grown = 1, together = false, least = SIDE_BY_SIDE) {
  const { left, right, top, bottom } = PANEL_MARGIN;
  const [beside, above] = [grown * (left + right), grown * (top + bottom)];
  const columns = width >= least ? Math.min(count === 4 ? 2 : 3, count) : 1;
  const wide = width / columns;
  const rows = Math.ceil(count / columns);
  const slope = (ymax - ymin) / (xmax - xmin);
  const across = Math.max(40, wide - beside);
  const h = Math.min(Math.max(40, (together ? most / rows : most) - above), across * slope);
  const w = Math.min(across, h / slope);
  const high = h + above;
  const boxes = Array.from({ length: count }, (_, k) => ({
    x: (k % columns) * wide + grown * left + (across - w) / 2,
    y: Math.floor(k / columns) * high + grown * top,
    w,
    h,
  }));
  return { boxes, height: high * rows };
}

/**
 * Returns the radius of a marker whose area follows its size.
 * @param {number} base
 * @param {number} size From 0 to 1.
 * @returns {number}
 */
export function sizedRadius(base, size) {
  return base * (0.55 + 1.75 * Math.sqrt(Math.min(size, 1)));
}

const [SMALLEST, LARGEST, OF_MEAN] = [0.7, 14, 0.62];

/**
 * Returns the radius of a marker whose area follows its weight; the smallest stay visible.
 * @param {number} base
 * @param {number} weight Its mean is 1.
 * @returns {number}
 */
export function weightedRadius(base, weight) {
  return Math.min(Math.max(OF_MEAN * base * Math.sqrt(weight), SMALLEST), LARGEST);
}
