// Outlines kept in plane coordinates, so that they are traced once and drawn at any view or angle.
// Needs no DOM.

/** @import { Plot } from "../../components/js/plot.js" */
/** @import { RingPen } from "./contour.js" */
/** @import { Lattice } from "./field.js" */
import { traceSet } from "./contour.js";

/**
 * Closed rings one after the other; a ring ends before the corner of its entry in `ends`.
 * @typedef {{ corners: Float64Array, ends: number[] }} Rings
 */

/**
 * Returns the rings around the pixels of a field that are not negative.
 * @param {Float32Array} field
 * @param {Lattice} lattice
 * @returns {Rings}
 */
export function ringsOf(field, lattice) {
  /** @type {number[]} */
  const corners = [];
  /** @type {number[]} */
  const ends = [];
  const add = (/** @type {number} */ u, /** @type {number} */ v) => { corners.push(u, v); };
  const pen = { moveTo: add, lineTo: add, closePath: () => { ends.push(corners.length / 2); } };
  traceSet(field, lattice, pen, (u) => u, (v) => v);
  return { corners: Float64Array.from(corners), ends };
}

/**
 * Leaves out rings around less than an area: these come from the grid, not from the sets.
 * @param {Rings} rings
 * @param {number} least In units of the plane.
 * @returns {Rings}
 */
export function withoutSpecks({ corners, ends }, least) {
  /** @type {number[]} */
  const kept = [];
  /** @type {number[]} */
  const keptEnds = [];
  ends.forEach((end, ring) => {
    const start = ring === 0 ? 0 : ends[ring - 1];
    let twice = 0;
    for (let k = start, before = end - 1; k < end; before = k++) {
      twice += corners[2 * before] * corners[2 * k + 1] - corners[2 * k] * corners[2 * before + 1];
    }
    if (Math.abs(twice) / 2 < least) return;
    for (let k = 2 * start; k < 2 * end; k++) kept.push(corners[k]);
    keptEnds.push(kept.length / 2);
  });
  return { corners: Float64Array.from(kept), ends: keptEnds };
}

/**
 * Adds rings to a path, each corner moved by an affine map: (x, y) = (a u + c v + e, b u + d v + f).
 * @param {RingPen} pen
 * @param {Rings} rings
 * @param {readonly number[]} map a, b, c, d, e and f, in the canvas's order.
 */
export function placeRings(pen, { corners, ends }, [a, b, c, d, e, f]) {
  let k = 0;
  for (const end of ends) {
    for (let first = true; k < end; k++, first = false) {
      const [u, v] = [corners[2 * k], corners[2 * k + 1]];
      if (first) pen.moveTo(a * u + c * v + e, b * u + d * v + f);
      else pen.lineTo(a * u + c * v + e, b * u + d * v + f);
    }
    pen.closePath();
  }
}

/**
 * Returns the map from plane coordinates to the canvas for a flat plot.
 * @param {Pick<Plot, "toX" | "toY">} plot
 * @returns {number[]}
 */
export function flatMap({ toX, toY }) {
  return [toX(1) - toX(0), 0, 0, toY(1) - toY(0), toX(0), toY(0)];
}
