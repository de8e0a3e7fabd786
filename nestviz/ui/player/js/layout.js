// Where the panels of a sweep go on the canvas. Needs no DOM.

/** @import { Box } from "../../components/js/plot.js" */

const SIDE_BY_SIDE = 720;
const MARGIN = { left: 50, right: 14, top: 32, bottom: 44 };

/**
 * Returns one box per panel: up to three in a row, four as two and two, one column where the
 * canvas is narrow.
 * @param {number} count
 * @param {number} width Of the canvas.
 * @param {number} height Of a panel with its margins; less on a narrow canvas.
 * @returns {{ boxes: Box[], height: number }} The boxes, and the height of the canvas.
 */
export function panelBoxes(count, width, height) {
  const beside = width >= SIDE_BY_SIDE;
  const columns = beside ? Math.min(count === 4 ? 2 : 3, count) : 1;
  const wide = width / columns;
  const high = beside ? height : Math.min(height, Math.max(260, width * 0.92));
  const boxes = Array.from({ length: count }, (_, k) => ({
    x: (k % columns) * wide + MARGIN.left,
    y: Math.floor(k / columns) * high + MARGIN.top,
    w: Math.max(40, wide - MARGIN.left - MARGIN.right),
    h: Math.max(40, high - MARGIN.top - MARGIN.bottom),
  }));
  return { boxes, height: high * Math.ceil(count / columns) };
}

/**
 * Returns the whole frames on both sides of a position, and the share of the later one.
 * @param {number} position
 * @param {number} last
 * @returns {{ low: number, high: number, share: number }}
 */
export function framesAround(position, last) {
  const low = Math.min(Math.floor(position), last);
  const high = Math.min(low + 1, last);
  return { low, high, share: high === low ? 0 : position - low };
}

/**
 * Returns the radius of a marker whose area follows its size at two frames.
 * @param {number} base
 * @param {number} from Size at the first frame, from 0 to 255.
 * @param {number} to
 * @param {number} share Of the second frame.
 * @returns {number}
 */
export function sizedRadius(base, from, to, share) {
  return base * (0.55 + 1.75 * Math.sqrt((from * (1 - share) + to * share) / 255));
}
