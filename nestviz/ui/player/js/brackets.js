// Breakpoints around a level. Needs no DOM.

/** @import { LevelScan } from "./membership.js" */
/** @typedef {{ lower: number, upper: number, weight: number, beyond: boolean }} Bracket */

/** @param {Float64Array} levels @param {boolean} isOpen Whether the first one is an open end. */
export function limitsOf(levels, isOpen) {
  const limits = Uint8Array.from(levels, (level, j) => Number(level === levels[j + 1]));
  if (isOpen) limits[0] = 1;
  return limits;
}

/** Number of levels that are at most the given one. @param {Float64Array} levels @param {number} level */
export function countUpTo(levels, level) {
  let [low, high] = [0, levels.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (levels[middle] <= level) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the breakpoints around a level, and the weight of the upper one.
 * @param {Pick<LevelScan, "levels">} scan
 * @param {number} level
 * @param {boolean} [below] Whether to approach a jump from below.
 * @returns {Bracket}
 */
export function bracketOf({ levels }, level, below = false) {
  const last = levels.length - 1;
  let position = countUpTo(levels, level) - 1;
  if (below && position > 0 && levels[position] === level) {
    while (position > 0 && levels[position - 1] === level) position -= 1;
  }
  const lower = Math.max(position, 0);
  const upper = position < 0 ? 0 : Math.min(position + 1, last);
  const gap = levels[upper] - levels[lower];
  const weight = gap > 0 ? (level - levels[lower]) / gap : 0;
  return { lower, upper, weight, beyond: level < levels[0] || level > levels[last] };
}

/** @param {LevelScan} scan @param {Bracket} bracket @param {number} level */
export function offsetBetween({ levels, offsets, tail }, { lower, upper, weight, beyond }, level) {
  if (beyond) return offsets[lower] - tail * levels[lower] + tail * level;
  return (1 - weight) * offsets[lower] + weight * offsets[upper];
}
