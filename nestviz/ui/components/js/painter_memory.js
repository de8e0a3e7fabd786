// The drawing itself: points, strokes to undo, and whether Python or the browser changed it last.

/** @import { Plot } from "./plot.js" */

/** @typedef {[x: number, y: number, kind: number]} Point */
/**
 * Arrays of points are replaced, never changed: the past keeps them as they were.
 * @typedef {object} Drawing
 * @property {string} base Name of the points that Python set last.
 * @property {Point[]} points
 * @property {Point[]} reported
 * @property {Point[][]} past
 * @property {() => number} random
 * @property {number} turn Number of reports to Python.
 * @property {number} tool Class of new points, +1 or -1; 0 erases.
 * @property {number} radius
 * @property {number} rate
 */

const UNDO_DEPTH = 200;

/**
 * By painter id: the drawing is still there after the page was left and entered again.
 * @type {Map<string, Drawing>}
 */
const drawings = new Map();

/**
 * Returns a small seeded generator (mulberry32): the same strokes give the same scatter.
 * @param {number} seed
 * @returns {() => number}
 */
export function randomSource(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Returns two independent normal numbers.
 * @param {() => number} random
 * @returns {[number, number]}
 */
export function normalPair(random) {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  const angle = 2 * Math.PI * random();
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/**
 * Returns the drawing of a painter. Python names each set of points it passes: a known name means
 * that all changes since then were made here, a new name that Python changed the points last.
 * @param {{ id: string, base: string, points: Point[], seed: number }} data
 * @returns {Drawing}
 */
export function recallDrawing({ id, base, points, seed }) {
  const known = drawings.get(id);
  if (known?.base === base) return known;
  const fresh = { base, points, reported: points, past: [] };
  const settings = known ?? { random: randomSource(seed), turn: 0, tool: 1, radius: 24, rate: 40 };
  const drawing = Object.assign(settings, fresh);
  drawings.set(id, drawing);
  return drawing;
}

/** Keeps the present points, to return to them. @param {Drawing} drawing */
export function remember(drawing) {
  drawing.past.push(drawing.points);
  if (drawing.past.length > UNDO_DEPTH) drawing.past.shift();
}

/** Forgets the last stroke if it changed nothing. @param {Drawing} drawing @returns {boolean} */
export function endStroke(drawing) {
  const changed = drawing.past.at(-1) !== drawing.points;
  if (!changed) drawing.past.pop();
  return changed;
}

/** Returns whether there was a stroke to undo. @param {Drawing} drawing @returns {boolean} */
export function undoStroke(drawing) {
  const before = drawing.past.pop();
  if (before) drawing.points = before;
  return before !== undefined;
}

/**
 * Adds a point at a location on the canvas, unless it lies outside or there are too many.
 * @param {Drawing} drawing
 * @param {Plot} plot
 * @param {{ x: number, y: number }} location
 * @param {number} cap
 */
export function addPoint(drawing, plot, { x, y }, cap) {
  if (drawing.points.length >= cap || !plot.holds(x, y)) return;
  const [xmin, xmax, ymin, ymax] = plot.view;
  // Five digits of the view are finer than a pixel, and keep messages short.
  /** @type {(value: number, span: number) => number} */
  const tidy = (value, span) => Number(value.toFixed(Math.max(0, 5 - Math.ceil(Math.log10(span)))));
  const [u, v] = [tidy(plot.fromX(x), xmax - xmin), tidy(plot.fromY(y), ymax - ymin)];
  drawing.points = [...drawing.points, [u, v, drawing.tool]];
}

/**
 * Removes the points within reach of a location on the canvas.
 * @param {Drawing} drawing
 * @param {Plot} plot
 * @param {{ x: number, y: number }} location
 * @param {number} reach
 */
export function erasePoints(drawing, plot, { x, y }, reach) {
  const kept = drawing.points.filter(([px, py]) => (
    (plot.toX(px) - x) ** 2 + (plot.toY(py) - y) ** 2 > reach ** 2
  ));
  if (kept.length < drawing.points.length) drawing.points = kept;
}
