// Moves in a tree: the range of heights in view, and from branch to branch. Needs no DOM.

/** @import { Branch } from "./branches_message.js" */
/** @typedef {readonly [low: number, high: number]} Range */

/** A range of heights is at most this many times smaller than the whole. */
const CLOSEST_RANGE = 1e5;
/** Share of a range that is left free beyond its first and last split. */
const AROUND_SPLITS = 0.2;
/** Share of the points that have left before the range in which most leave. */
const FEW_LEAVE = 0.05;

/**
 * Returns a range inside another one, moved rather than cut.
 * @param {Range} range
 * @param {Range} home
 * @returns {Range}
 */
export function keptInside([low, high], home) {
  const span = Math.min(high - low, home[1] - home[0]);
  const start = Math.min(Math.max(low, home[0]), home[1] - span);
  return [start, start + span];
}

/**
 * Returns a range around a height, which stays where it is on the screen.
 * @param {Range} range
 * @param {number} height
 * @param {number} factor Above 1 zooms in, below 1 out.
 * @param {Range} home
 * @returns {Range}
 */
export function zoomedRange([low, high], height, factor, home) {
  const whole = home[1] - home[0];
  const span = Math.min(Math.max((high - low) / factor, whole / CLOSEST_RANGE), whole);
  const share = span / (high - low);
  return keptInside([height + (low - height) * share, height + (high - height) * share], home);
}

/**
 * Returns the range in which branches split, or where none does, in which most points leave them;
 * null where there is neither.
 * @param {number[]} splits Heights.
 * @param {number[]} exits Heights.
 * @param {Range} home
 * @returns {Range | null}
 */
export function splitRange(splits, exits, home) {
  if (!splits.length) {
    const leaving = [...exits].sort((a, b) => a - b);
    return leaving.length ? keptInside([leaving[Math.floor(FEW_LEAVE * leaving.length)], home[1]], home) : null;
  }
  const [first, last] = [Math.min(...splits), Math.max(...splits)];
  // A single split is shown in a fifth of the whole.
  const margin = last > first ? AROUND_SPLITS * (last - first) : 0.1 * (home[1] - home[0]);
  return keptInside([first - margin, last + margin], home);
}

/**
 * Returns the branch that an arrow key leads to: up to the larger part, down to the branch it grows
 * from, to the side to the nearest one at the same height.
 * @param {Branch[]} branches
 * @param {number} from
 * @param {number} height
 * @param {string} key
 * @returns {number}
 */
export function nextBranch(branches, from, height, key) {
  const here = branches[from];
  if (key === "ArrowDown") return here.parent >= 0 ? here.parent : from;
  if (key === "ArrowUp") {
    const child = branches.findIndex((branch) => branch.parent === from);
    return child >= 0 ? child : from;
  }
  const turn = key === "ArrowLeft" ? -1 : 1;
  let [best, nearest] = [from, Infinity];
  for (const [k, branch] of branches.entries()) {
    const distance = turn * (branch.centre - here.centre);
    const beside = branch.bottom <= height && height <= branch.top;
    if ((beside || branch.parent === here.parent) && distance > 0 && distance < nearest) {
      [best, nearest] = [k, distance];
    }
  }
  return best;
}

/**
 * Returns the height at which a branch is entered by a key: its lower end, where all of its points
 * are in it.
 * @param {Branch} branch
 * @returns {number}
 */
export function entryHeight(branch) {
  return branch.bottom + 1e-3 * (branch.top - branch.bottom);
}
