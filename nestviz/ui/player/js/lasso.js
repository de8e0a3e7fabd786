// The line of a lasso, and the points inside it. Needs no DOM.

import { insidePolygon } from "../../components/js/geometry.js";

const LASSO_STEP = 3;

/**
 * Adds a vertex to the line, unless it is as good as at the last one.
 * @param {[number, number][]} line In pixels.
 * @param {number} x
 * @param {number} y
 * @returns {boolean} Whether the line has changed.
 */
export function extendLasso(line, x, y) {
  const last = line.at(-1);
  if (last && Math.hypot(x - last[0], y - last[1]) < LASSO_STEP) return false;
  line.push([x, y]);
  return true;
}

/**
 * Returns the indices of the positions that a closed line surrounds, in ascending order.
 * @param {[number, number][]} line
 * @param {ArrayLike<number>} positions x and y in turn, in the unit of the line.
 * @returns {number[]}
 */
export function lassoed(line, positions) {
  if (line.length < 3) return [];
  const across = line.map(([x]) => x);
  const down = line.map(([, y]) => y);
  const [left, right, top, bottom] = [
    Math.min(...across), Math.max(...across), Math.min(...down), Math.max(...down),
  ];
  const found = [];
  for (let k = 0; 2 * k < positions.length; k++) {
    const [x, y] = [positions[2 * k], positions[2 * k + 1]];
    const near = x >= left && x <= right && y >= top && y <= bottom;
    if (near && insidePolygon(line, x, y)) found.push(k);
  }
  return found;
}
