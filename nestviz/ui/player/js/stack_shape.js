// The sets as a stack in space: heights, outlines and projection. Needs no DOM.

/** @import { Box, View } from "../../components/js/plot.js" */
/** @import { Lattice } from "./field.js" */
/** @import { Rings } from "./rings.js" */
/** @import { Scale } from "./scale.js" */
import { ringsOf, withoutSpecks } from "./rings.js";
import { positionAt } from "./scale.js";

/** @typedef {{ level: number, field: Float32Array, lattice: Lattice }} Sheet */
/**
 * @typedef {object} TracedSheet
 * @property {number} level
 * @property {number} height 0 for the largest set, on the floor; 1 for the smallest.
 * @property {Rings} rings
 * @property {Rings | null} overhang Around what is outside at one of the sheets below.
 * @property {Float32Array} least The least field of this sheet and those below.
 */
/** @typedef {{ sheets: TracedSheet[], scale: Scale }} Stack Sheets from the floor to the top. */
/** @typedef {{ turn: number, tilt: number }} Angle Radians; a tilt of 0 looks down on the floor. */
/**
 * (x, y) = (a u + c v + e, b u + d v + f − rise × height).
 * @typedef {{ a: number, b: number, c: number, d: number, e: number, f: number, rise: number }} Projection
 */

/** Height of the stack in longer sides of the floor. */
const STACK_HEIGHT = 0.85;
/** Of the lattice: smaller overhangs come from the grid. */
const OVERHANG_PIXELS = 3;

/** @param {Scale} scale @param {number} level @returns {number} */
export function heightOf(scale, level) {
  return 1 - positionAt(scale, level) / Math.max(1, scale.levels.length - 1);
}

/**
 * @param {Sheet} sheet
 * @param {Scale} scale
 * @param {Float32Array | null} below The least field of the sheets below; null on the floor.
 * @returns {TracedSheet}
 */
function traceSheet({ level, field, lattice }, scale, below) {
  const traced = { level, height: heightOf(scale, level), rings: ringsOf(field, lattice) };
  if (!below) return { ...traced, overhang: null, least: field };
  const over = field.map((value, k) => Math.min(value, -below[k]));
  const area = Math.abs(OVERHANG_PIXELS * lattice.du * lattice.dv);
  const rings = withoutSpecks(ringsOf(over, lattice), area);
  return {
    ...traced,
    overhang: rings.ends.length ? rings : null,
    least: field.map((value, k) => Math.min(value, below[k])),
  };
}

/**
 * Traces each sheet once; turning the stack only projects the outlines. All sheets have the same
 * lattice, and their fields must not change afterwards.
 * @param {Sheet[]} sheets
 * @param {Scale} scale
 * @returns {Stack}
 */
export function makeStack(sheets, scale) {
  /** @type {TracedSheet[]} */
  const traced = [];
  const upwards = [...sheets].sort((a, b) => heightOf(scale, a.level) - heightOf(scale, b.level));
  for (const sheet of upwards) traced.push(traceSheet(sheet, scale, traced.at(-1)?.least ?? null));
  return { sheets: traced, scale };
}

/**
 * Traces the set at the present level, which need not be one of the stack's.
 * @param {Sheet} sheet
 * @param {Stack} stack
 * @returns {TracedSheet}
 */
export function presentSheet(sheet, { sheets, scale }) {
  const height = heightOf(scale, sheet.level);
  const below = sheets.findLast((other) => other.height < height);
  return traceSheet(sheet, scale, below?.least ?? null);
}

/**
 * Returns the parallel projection that shows a stack as large as a box permits at every turn.
 * @param {Box} box
 * @param {View} view
 * @param {Angle} angle
 * @returns {Projection}
 */
export function projectionOf({ x, y, w, h }, [xmin, xmax, ymin, ymax], { turn, tilt }) {
  const [wide, deep] = [xmax - xmin, ymax - ymin];
  const diagonal = Math.hypot(wide, deep);
  const tall = STACK_HEIGHT * Math.max(wide, deep) * Math.sin(tilt);
  const unit = Math.min(w / diagonal, h / (diagonal * Math.cos(tilt) + tall));
  const [along, across] = [unit * Math.cos(turn), unit * Math.sin(turn)];
  const flat = Math.cos(tilt);
  const [a, b, c, d] = [along, -across * flat, -across, -along * flat];
  const [u, v] = [(xmin + xmax) / 2, (ymin + ymax) / 2];
  const rise = unit * tall;
  return {
    a, b, c, d, rise,
    e: x + w / 2 - a * u - c * v,
    f: y + h / 2 + rise / 2 - b * u - d * v,
  };
}

/**
 * @param {Projection} projection
 * @param {number} u
 * @param {number} v
 * @param {number} height
 * @returns {[x: number, y: number]}
 */
export function project({ a, b, c, d, e, f, rise }, u, v, height) {
  return [a * u + c * v + e, b * u + d * v + f - rise * height];
}

/**
 * Returns the corners of the floor in turn: the rearmost, its neighbour on the left, the one in
 * front, its neighbour on the right.
 * @param {Projection} projection
 * @param {View} view
 * @returns {[u: number, v: number][]}
 */
export function cornersFromRear(projection, [xmin, xmax, ymin, ymax]) {
  /** @type {[number, number][]} */
  const corners = [[xmin, ymin], [xmax, ymin], [xmax, ymax], [xmin, ymax]];
  const seen = corners.map(([u, v]) => project(projection, u, v, 0));
  let rear = 0;
  // Of two that are equally far the left one counts, so that the order does not flicker.
  seen.forEach(([x, y], k) => {
    const nearer = y - seen[rear][1];
    if (nearer < -1e-6 || (nearer <= 1e-6 && x < seen[rear][0])) rear = k;
  });
  const [next, before] = [(rear + 1) % 4, (rear + 3) % 4];
  const [left, right] = seen[next][0] <= seen[before][0] ? [next, before] : [before, next];
  return [rear, left, (rear + 2) % 4, right].map((k) => corners[k]);
}
