// Distances, hit tests and colour mixing. Needs no DOM.

/** @import { Plot } from "./plot.js" */

/** @typedef {{ moveTo(x: number, y: number): void, lineTo(x: number, y: number): void }} Pen */

/**
 * Returns the index of the position nearest to (x, y), or -1 if none is within reach.
 * Of equally near ones the last wins: it is drawn on top.
 * @param {ArrayLike<number>} positions x and y in turn.
 * @param {number} x
 * @param {number} y
 * @param {number} reach
 * @returns {number}
 */
export function nearestIndex(positions, x, y, reach) {
  let [index, nearest] = [-1, reach ** 2];
  for (let k = 0; k < positions.length; k += 2) {
    const distance = (positions[k] - x) ** 2 + (positions[k + 1] - y) ** 2;
    if (distance <= nearest) [index, nearest] = [k / 2, distance];
  }
  return index;
}

/**
 * @param {[number, number][]} polygon
 * @param {number} x
 * @param {number} y
 * @returns {boolean}
 */
export function insidePolygon(polygon, x, y) {
  let inside = false;
  for (let k = 0, m = polygon.length - 1; k < polygon.length; m = k++) {
    const [[ax, ay], [bx, by]] = [polygon[k], polygon[m]];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/**
 * Returns the distance, in pixels, from (x, y) to the nearest of some axis-parallel lines.
 * @param {number[][]} lines x and y in turn, in the units of the plot.
 * @param {Plot} plot
 * @param {number} x
 * @param {number} y
 * @returns {number}
 */
export function distanceToLines(lines, plot, x, y) {
  let nearest = Infinity;
  for (const line of lines) {
    for (let k = 2; k < line.length; k += 2) {
      const [ax, bx] = [line[k - 2], line[k]].map(plot.toX).sort((a, b) => a - b);
      const [ay, by] = [line[k - 1], line[k + 1]].map(plot.toY).sort((a, b) => a - b);
      nearest = Math.min(nearest, Math.hypot(Math.max(ax - x, 0, x - bx), Math.max(ay - y, 0, y - by)));
    }
  }
  return nearest;
}

/**
 * Adds an open line to a path.
 * @param {Pen} pen
 * @param {number[]} line x and y in turn, in the units of the plot.
 * @param {Plot} plot
 */
export function traceLine(pen, line, plot) {
  for (let k = 0; k < line.length; k += 2) {
    const [x, y] = [plot.toX(line[k]), plot.toY(line[k + 1])];
    if (k === 0) pen.moveTo(x, y);
    else pen.lineTo(x, y);
  }
}

/**
 * Adds closed rings to a path.
 * @param {Pen & { closePath(): void }} pen
 * @param {number[][]} rings
 * @param {Plot} plot
 */
export function traceRings(pen, rings, plot) {
  for (const ring of rings) {
    traceLine(pen, ring, plot);
    pen.closePath();
  }
}

/**
 * Mixes two colours written as #rrggbb.
 * @param {string} from
 * @param {string} to
 * @param {number} share Of the second colour, from 0 to 1.
 * @returns {string}
 */
export function blend(from, to, share) {
  /** @type {(color: string, k: number) => number} */
  const part = (color, k) => parseInt(color.slice(1 + 2 * k, 3 + 2 * k), 16);
  const mixed = [0, 1, 2].map((k) => Math.round(part(from, k) * (1 - share) + part(to, k) * share));
  return `rgb(${mixed.join(",")})`;
}

/**
 * Returns the upper left corner of a hint beside a point, on the side with enough space.
 * @param {{ x: number, y: number }} point
 * @param {{ w: number, h: number }} hint
 * @param {{ width: number, height: number }} canvas
 * @returns {{ left: number, top: number }}
 */
export function hintCorner({ x, y }, { w, h }, { width, height }) {
  return {
    left: x + 14 + w <= width ? x + 14 : Math.max(0, x - 14 - w),
    top: Math.min(Math.max(0, y - h / 2), Math.max(0, height - h)),
  };
}
