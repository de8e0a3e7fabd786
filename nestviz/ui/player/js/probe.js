// What each method says about one location: at which levels it is inside. Needs no DOM.

/** @import { Family } from "./family.js" */
/** @import { Scale } from "./scale.js" */
import { curveAt, firstLevelAt, intervalsAt } from "./family.js";
import { labelAt, positionAt } from "./scale.js";

/** @typedef {[from: number, to: number]} Stretch Two levels, ascending. */
/**
 * @typedef {object} Probe
 * @property {number} first Level of the smallest set that contains the location; not finite if none.
 * @property {Stretch[]} intervals Levels at which it is inside, of those that are shown.
 * @property {Stretch[]} broken Levels at which it is outside, after it was inside at a smaller set.
 * @property {{ levels: Float64Array, values: Float64Array }} curve g against the level.
 */
/** @typedef {{ title: string, probe: Probe, color: string }} NamedProbe */

const NAMED_GAPS = 2;

/**
 * @param {Family} family
 * @param {number} u
 * @param {number} v
 * @param {number} low Levels shown.
 * @param {number} high
 * @returns {Probe}
 */
export function probeOf(family, u, v, low, high) {
  const intervals = intervalsAt(family, u, v);
  return {
    first: firstLevelAt(family, u, v),
    intervals: cutStretches(intervals, low, high),
    broken: brokenStretches(intervals, family.orientation, low, high),
    curve: curveAt(family, u, v, low, high),
  };
}

/**
 * @param {Stretch[]} stretches
 * @param {number} low
 * @param {number} high
 * @returns {Stretch[]}
 */
function cutStretches(stretches, low, high) {
  return stretches
    .filter(([from, to]) => to >= low && from <= high)
    .map(([from, to]) => [Math.max(from, low), Math.min(to, high)]);
}

/**
 * Returns the levels at which a location is outside, after it was inside at a smaller set. Smaller
 * sets than those shown count as well.
 * @param {Stretch[]} intervals Levels at which it is inside, ascending.
 * @param {number} orientation 1 if the sets grow with the level, −1 if they shrink.
 * @param {number} low
 * @param {number} high
 * @returns {Stretch[]}
 */
export function brokenStretches(intervals, orientation, low, high) {
  const starts = intervals.map(([from]) => from);
  const stops = intervals.map(([, to]) => to);
  if (orientation > 0) starts.push(Infinity);
  else stops.unshift(-Infinity);
  const shift = orientation > 0 ? 1 : 0;
  const gaps = intervals.map((_, k) => /** @type {Stretch} */ ([stops[k], starts[k + shift]]));
  return cutStretches(gaps, low, high).filter(([from, to]) => to > from);
}

/**
 * Returns the value of a curve that is linear between its levels; NaN beyond its ends.
 * @param {Probe["curve"]} curve
 * @param {number} level
 * @returns {number}
 */
export function curveValue({ levels, values }, level) {
  const last = levels.length - 1;
  if (!(level >= levels[0] && level <= levels[last])) return NaN;
  let [low, high] = [0, last];
  // A level given twice is a jump: the last of the two holds, so equal levels go to the right.
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (levels[middle] <= level) low = middle;
    else high = middle;
  }
  if (low === high || levels[high] === level) return values[high];
  const share = (level - levels[low]) / (levels[high] - levels[low]);
  return values[low] + share * (values[high] - values[low]);
}

/** @param {Probe} probe @param {number} level @returns {boolean} */
export function insideAt({ intervals }, level) {
  return intervals.some(([from, to]) => level >= from && level <= to);
}

/**
 * Returns a stretch of levels as positions on the scale, from the smaller sets to the larger ones.
 * @param {Scale} scale
 * @param {Stretch} stretch
 * @returns {[number, number]}
 */
export function positionsOf(scale, [from, to]) {
  const [a, b] = [positionAt(scale, from), positionAt(scale, to)];
  return a <= b ? [a, b] : [b, a];
}

/** @param {Scale} scale @param {Stretch[]} stretches @returns {[number, number][]} */
function inOrder(scale, stretches) {
  return stretches.map((stretch) => positionsOf(scale, stretch)).sort((a, b) => a[0] - b[0]);
}

/** @param {Probe} probe @param {number} level @param {Scale} scale @returns {string} */
function courseText(probe, level, scale) {
  const last = scale.levels.length - 1;
  const { numbers } = scale;
  const onwards = numbers[last] < numbers[0] ? "down" : "up";
  const inside = inOrder(scale, probe.intervals);
  const gaps = inOrder(scale, probe.broken);
  if (!inside.length) return "outside at every level shown";
  const [start] = inside[0];
  if (start <= 0 && !gaps.length) return "inside at every level shown";
  const now = insideAt(probe, level) ? "inside now" : "outside now";
  const from = start <= 0 ? "the smallest set on" : `${scale.name} = ${labelAt(scale, start)} ${onwards}`;
  const text = `${now}; inside from ${from}`;
  if (!gaps.length) return text;
  const named = gaps.slice(0, NAMED_GAPS).map(([left, right]) => {
    const [a, b] = [labelAt(scale, left), labelAt(scale, right)];
    if (right >= last) return `from ${a} ${onwards}`;
    return a === b ? `near ${a}` : `between ${a} and ${b}`;
  });
  const more = gaps.length - named.length;
  if (more) named.push(`in ${more} more ${more === 1 ? "stretch" : "stretches"}`);
  const list = [named.slice(0, -1).join(", "), named[named.length - 1]].filter(Boolean).join(" and ");
  return `${text}, but outside again ${list}`;
}

/**
 * Returns one sentence for each method, for screen readers and exports.
 * @param {Pick<NamedProbe, "title" | "probe">[]} probes
 * @param {number} level
 * @param {Scale} scale
 * @returns {string}
 */
export function probeText(probes, level, scale) {
  return probes.map(({ title, probe }) => `${title}: ${courseText(probe, level, scale)}.`).join(" ");
}
