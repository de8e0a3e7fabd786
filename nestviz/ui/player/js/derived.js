// Fields of families that were made nested by a rule: the twins of UnionFamily and
// IntersectionFamily. Needs no DOM.

/** @import { LevelScan } from "./membership.js" */
import { countUpTo } from "./brackets.js";
import { VOID } from "./membership.js";

/** Whether all sets below the first breakpoint are the same. @param {LevelScan} scan */
export function constantBelow({ tail, low, levels }) {
  return tail === 0 && low < levels[0];
}

/**
 * Returns the largest field over each breakpoint and all on its small side.
 * @param {LevelScan} scan
 * @param {Float64Array} values Field of the base.
 */
export function unionValues(scan, values) {
  const { levels, limits, orientation } = scan;
  /** @param {number} j */
  const negative = (j) => values[j] < 0 && values[j] !== VOID;
  // A limit on the boundary counts only if the field next to it is not negative.
  const reached = values.map((value, j) => {
    if (!limits[j] || value !== 0) return value;
    if (j > 0) return negative(j - 1) ? VOID : value;
    if (constantBelow(scan)) return value;
    const kept = levels.length > 1 && levels[1] > levels[0] && !negative(1);
    return kept ? value : VOID;
  });
  return accumulated(reached, orientation, Math.max);
}

/**
 * Returns the smallest field over each breakpoint and all on its large side.
 * @param {LevelScan} scan
 * @param {Float64Array} values
 */
export function intersectionValues({ orientation }, values) {
  return accumulated(values, -orientation, Math.min);
}

/**
 * @param {Float64Array} values
 * @param {number} direction 1 from the first to the last.
 * @param {(a: number, b: number) => number} choose
 */
function accumulated(values, direction, choose) {
  const out = values.slice();
  const n = out.length;
  for (let k = 1; k < n; k += 1) {
    const j = direction === 1 ? k : n - 1 - k;
    out[j] = choose(out[j], out[j - direction]);
  }
  return out;
}

/**
 * Returns the last breakpoint that a union at a level includes, -1 if none.
 * @param {LevelScan} scan
 * @param {number} level
 */
export function unionIndex({ levels, orientation }, level) {
  const after = countUpTo(levels, level);
  if (orientation === 1) return after - 1;
  // At a jump the limit from below is on the large side.
  const index = after > 0 && levels[after - 1] === level ? after - 1 : after;
  return index === levels.length ? -1 : index;
}
