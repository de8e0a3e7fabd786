// The sum of kernels along a line, in units of the level: the set is where it reaches 1. Needs no DOM.

/** @import { View } from "../../components/js/plot.js" */
/** @import { Family } from "./family.js" */
/** @import { Scale } from "./scale.js" */
import { coefficientsAt, firstLevelAt, kernelAt, offsetAt } from "./family.js";
import { levelAt } from "./scale.js";

/** @typedef {[number, number]} Location */
/**
 * A line through the picture.
 * @typedef {object} Line
 * @property {Location} from
 * @property {Location} to
 * @property {number} length
 * @property {number} pin How far the pin is from its beginning.
 */
/**
 * @typedef {object} Profile
 * @property {Family} family
 * @property {Float64Array[]} kernels k(x_i, x) at each of the sampled locations.
 * @property {Float64Array} first The level at which each of them first enters.
 * @property {number} entry The level at which the pin first enters.
 * @property {Float64Array} pinKernel k(x_i, x) at the pin.
 */

const RANGE_STOPS = 24;
/** Levels at which hardly any coefficient is left say nothing about the others. */
const LARGEST_RATIO = 2;

/**
 * Returns the line through two locations as far as the picture reaches; level if they are the same.
 * @param {Location} centre
 * @param {Location} pin
 * @param {View} view
 * @returns {Line}
 */
export function lineThrough(centre, pin, [xmin, xmax, ymin, ymax]) {
  let [du, dv] = [pin[0] - centre[0], pin[1] - centre[1]];
  const size = Math.hypot(du, dv);
  if (size > 1e-9 * (xmax - xmin)) [du, dv] = [du / size, dv / size];
  else [du, dv] = [1, 0];
  // How far one can go from the pin in both directions before the frame is reached.
  let [back, ahead] = [-Infinity, Infinity];
  for (const [at, step, low, high] of [[pin[0], du, xmin, xmax], [pin[1], dv, ymin, ymax]]) {
    if (Math.abs(step) < 1e-12) continue;
    const ends = [(low - at) / step, (high - at) / step].sort((a, b) => a - b);
    [back, ahead] = [Math.max(back, ends[0]), Math.min(ahead, ends[1])];
  }
  // Read from left to right, as the picture is.
  if (du < 0) [du, dv, back, ahead] = [-du, -dv, -ahead, -back];
  return {
    from: [pin[0] + back * du, pin[1] + back * dv],
    to: [pin[0] + ahead * du, pin[1] + ahead * dv],
    length: ahead - back,
    pin: -back,
  };
}

/**
 * Prepares the profile of a family along a line.
 * @param {Family} family
 * @param {Line} line
 * @param {Location} pin
 * @param {number} count
 * @returns {Profile}
 */
export function profileOf(family, { from, to }, pin, count) {
  const kernels = [];
  const first = new Float64Array(count);
  for (let k = 0; k < count; k += 1) {
    const share = k / (count - 1);
    const [u, v] = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
    kernels.push(kernelAt(family, u, v));
    first[k] = firstLevelAt(family, u, v);
  }
  return { family, kernels, first, entry: firstLevelAt(family, ...pin), pinKernel: kernelAt(family, ...pin) };
}

/**
 * Returns the sums along the line as shares of the level.
 * @param {Pick<Profile, "family" | "kernels">} profile
 * @param {number} level
 * @returns {Float64Array}
 */
export function ratiosAt({ family, kernels }, level) {
  const coefficients = coefficientsAt(family, level);
  const offset = offsetAt(family, level);
  return Float64Array.from(kernels, (kernel) => {
    let sum = 0;
    for (let i = 0; i < kernel.length; i += 1) sum += coefficients[i] * kernel[i];
    return sum / offset;
  });
}

/**
 * Returns whether each location of the line was inside at a smaller set and is outside now.
 * @param {Profile} profile
 * @param {Float64Array} ratios At the level.
 * @param {number} level
 * @returns {boolean[]}
 */
export function givenUp({ family: { orientation }, first }, ratios, level) {
  return Array.from(ratios, (ratio, k) => ratio < 1 && Number.isFinite(first[k]) && orientation * (level - first[k]) > 0);
}

/**
 * Returns the smallest and the largest value that a chart of ratios has to show.
 * @param {Iterable<number>} ratios
 * @returns {[number, number]}
 */
export function ratioRange(ratios) {
  let [low, high] = [0.95, 1.05];
  for (const ratio of ratios) {
    if (Number.isNaN(ratio)) continue;
    low = Math.min(low, ratio);
    high = Math.max(high, Math.min(ratio, LARGEST_RATIO));
  }
  const pad = 0.06 * (high - low);
  return [Math.max(0, low - pad), high + pad];
}

/**
 * Returns the range of a profile over all levels, so that its axis stands still.
 * @param {Profile} profile
 * @param {Scale} scale
 * @returns {[number, number]}
 */
export function profileRange(profile, scale) {
  const last = scale.levels.length - 1;
  const all = Array.from({ length: RANGE_STOPS }, (_, k) => (
    [...ratiosAt(profile, levelAt(scale, (k * last) / (RANGE_STOPS - 1)))]
  ));
  return ratioRange(all.flat());
}
