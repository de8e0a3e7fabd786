// The sets of a family in the plane, from one map of entry levels. Needs no DOM.

/** @import { Lattice } from "../../player/js/field.js" */
/**
 * The entry level of each pixel; steps across the view, as all of the plane.
 * @typedef {Lattice & { entry: Float32Array }} EntryMap
 */
/**
 * The map as plane.py sends it: codes from 1, at the level `low`, to 65535, at `high`, even in the
 * logarithm of the level; 0 is outside every set. Two bytes each, the lower one first, as base64.
 * @typedef {Lattice & { low: number, high: number, codes: string }} PackedMap
 */

const MOST_CODE = 65534;

/** @param {PackedMap} packed @returns {EntryMap} */
export function readEntryMap({ low, high, codes, ...lattice }) {
  const bytes = atob(codes);
  const entry = new Float32Array(bytes.length / 2);
  const slope = Math.log(high / low) / MOST_CODE;
  for (let k = 0; k < entry.length; k += 1) {
    const code = bytes.charCodeAt(2 * k) + 256 * bytes.charCodeAt(2 * k + 1);
    entry[k] = code ? low * Math.exp(slope * (code - 1)) : 0;
  }
  return { ...lattice, entry };
}

/**
 * Returns a field that is not negative inside the set at a level, as `entry_field` of Python does.
 * @param {EntryMap} map
 * @param {number} level
 * @returns {Float32Array}
 */
export function fieldAtLevel({ entry }, level) {
  return entry.map((value) => Math.min(Math.max(value - level, -level), level));
}

/**
 * Returns the field with only those connected parts of the set that hold one of some locations;
 * pixels are connected along sides and corners.
 * @param {Float32Array} field
 * @param {Lattice} lattice
 * @param {[u: number, v: number][]} locations
 * @param {number} outside Value of the other parts; negative.
 * @returns {Float32Array}
 */
export function partsAround(field, lattice, locations, outside) {
  const { columns, rows } = lattice;
  const kept = new Uint8Array(field.length);
  const queue = locations.flatMap(([u, v]) => pixelsAround(lattice, u, v))
    .filter((pixel) => field[pixel] >= 0);
  for (const pixel of queue) kept[pixel] = 1;
  for (let pixel = queue.pop(); pixel !== undefined; pixel = queue.pop()) {
    const [x, y] = [pixel % columns, Math.floor(pixel / columns)];
    for (let row = Math.max(0, y - 1); row <= Math.min(rows - 1, y + 1); row += 1) {
      for (let column = Math.max(0, x - 1); column <= Math.min(columns - 1, x + 1); column += 1) {
        const next = row * columns + column;
        if (field[next] < 0 || kept[next]) continue;
        kept[next] = 1;
        queue.push(next);
      }
    }
  }
  return field.map((value, k) => (value >= 0 && !kept[k] ? outside : value));
}

/** @param {Lattice} lattice @param {number} u @param {number} v @returns {number[]} The four pixels around a location. */
function pixelsAround({ u0, v0, du, dv, columns, rows }, u, v) {
  const [x, y] = [Math.floor((u - u0) / du), Math.floor((v - v0) / dv)];
  return [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]]
    .filter(([column, row]) => column >= 0 && row >= 0 && column < columns && row < rows)
    .map(([column, row]) => row * columns + column);
}
