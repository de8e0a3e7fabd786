// The ranks of points by the first set that holds them, and by the set from which they stay. Needs no DOM.

/** @import { Panel, PointIntervals } from "./decode.js" */

/** @typedef {{ first: number, last: number, leaves: boolean }} PointRanks Ranks from 1, by the smallest sets. */

/**
 * Returns the levels at which a point first enters, and from which on it stays inside.
 * @param {PointIntervals} intervals
 * @param {number} point
 * @param {number} orientation
 * @param {number} end The end of the levels on the side of large sets.
 * @returns {[number, number]} Higher is more typical; −Infinity if that is never so.
 */
function entryLevels({ starts, lower, upper }, point, orientation, end) {
  const [from, to] = [starts[point], starts[point + 1]];
  if (from === to) return [-Infinity, -Infinity];
  if (orientation > 0) {
    const stays = upper[to - 1] >= end;
    return [-lower[from], stays ? -lower[to - 1] : -Infinity];
  }
  const stays = lower[from] <= end;
  return [upper[to - 1], stays ? upper[from] : -Infinity];
}

/** Ranks from 1 for the highest score; equal scores share the middle of their ranks. @param {number[]} scores */
function ranksOf(scores) {
  const order = scores.map((_, k) => k).sort((a, b) => (scores[b] === scores[a] ? a - b : scores[b] > scores[a] ? 1 : -1));
  const ranks = new Array(scores.length);
  for (let k = 0; k < order.length;) {
    let end = k;
    while (end + 1 < order.length && scores[order[end + 1]] === scores[order[k]]) end += 1;
    for (let j = k; j <= end; j += 1) ranks[order[j]] = 1 + (k + end) / 2;
    k = end + 1;
  }
  return ranks;
}

/**
 * Returns the two ranks of each point; null where its levels are not known.
 * @param {Panel} panel
 * @returns {PointRanks[] | null}
 */
export function rankLines({ intervals, classes, family }) {
  if (!intervals) return null;
  const end = family.orientation > 0 ? family.high : family.low;
  const found = [...classes.keys()].map((point) => entryLevels(intervals, point, family.orientation, end));
  const first = ranksOf(found.map(([entry]) => entry));
  const last = ranksOf(found.map(([, stays]) => stays));
  return found.map(([entry, stays], k) => ({ first: first[k], last: last[k], leaves: entry !== stays }));
}
