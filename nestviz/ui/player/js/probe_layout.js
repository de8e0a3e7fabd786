// Where the parts of a probe's card go. Needs no DOM.

/** @import { Box } from "../../components/js/plot.js" */
/** @import { Probe } from "./probe.js" */
/** @import { Scale } from "./scale.js" */
import { formatNumber } from "../../components/js/plot.js";
import { positionsOf } from "./probe.js";
import { positionAt } from "./scale.js";

/** How far below zero the curve is shown, in largest values above zero. */
const CURVE_DEPTH = 1.5;
/** Pixels: shorter stretches of levels are drawn as wide as this. */
const LEAST_STRETCH = 2;

/**
 * Returns the map from a level to the canvas: small sets on the left, as on the scrubber.
 * @param {Box} box
 * @param {Scale} scale
 * @returns {(level: number) => number}
 */
export function levelAxis({ x, w }, scale) {
  const last = Math.max(1, scale.levels.length - 1);
  return (level) => x + (positionAt(scale, level) / last) * w;
}

/**
 * Returns the left end and the width of a stretch of levels, never too thin to be seen.
 * @param {Box} box
 * @param {Scale} scale
 * @param {[number, number]} stretch
 * @returns {[left: number, width: number]}
 */
export function stretchSpan({ x, w }, scale, stretch) {
  const last = Math.max(1, scale.levels.length - 1);
  const [from, to] = positionsOf(scale, stretch).map((position) => (position / last) * w);
  const width = Math.max(LEAST_STRETCH, to - from);
  return [x + Math.min(Math.max(0, (from + to - width) / 2), w - width), width];
}

/**
 * Returns the values of g between which a curve is drawn. Far below zero it is cut off.
 * @param {Probe["curve"]} curve
 * @returns {[bottom: number, top: number]}
 */
export function curveRange({ values }) {
  let [least, most] = [0, 0];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (most > 0) return [Math.max(least, -CURVE_DEPTH * most), most];
  return [least || -1, Math.max(most, -0.1 * (least || -1))];
}

/** @param {number} value @returns {number} Shows small values beside large ones, with their sign. */
export function signedRoot(value) {
  return Math.sign(value) * Math.sqrt(Math.abs(value));
}

/** @param {number} value @returns {string} With two digits that count. */
export function valueText(value) {
  if (Number.isNaN(value)) return "";
  const power = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  return `g = ${formatNumber(value, 10 ** (power - 1))}`;
}
