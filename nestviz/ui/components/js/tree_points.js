// The points of branches: which are in one at a height, and how wide some of them are. Needs no DOM.

/** @import { Branch } from "./branches_message.js" */
/**
 * The points of a tree.
 * @typedef {object} TreePoints
 * @property {number[]} node_of The last branch of each point, or −1.
 * @property {number[]} exits Height at which it leaves that branch.
 */

/**
 * Returns the rows of the points in a branch at a height.
 * @param {TreePoints} points
 * @param {number} k
 * @param {Branch} branch
 * @param {number} height
 * @returns {number[]}
 */
export function rowsAt({ node_of: nodeOf, exits }, k, branch, height) {
  const rows = [];
  for (let row = 0; row < nodeOf.length; row += 1) {
    if (nodeOf[row] >= k && nodeOf[row] < branch.end && (branch.lines.length || exits[row] >= height)) {
      rows.push(row);
    }
  }
  return rows;
}

/**
 * Returns some points as the part of each branch that they fill: closed outlines around the axis
 * of the branch, as wide as their share of all points, which narrow as points leave.
 * @param {TreePoints} points
 * @param {Branch[]} branches
 * @param {number[]} rows
 * @returns {{ index: number, outline: number[] }[]}
 */
export function filledParts({ node_of: nodeOf, exits }, branches, rows) {
  const parts = [];
  for (const [index, branch] of branches.entries()) {
    if (branch.lines.length) continue;
    const leaving = rows
      .filter((row) => nodeOf[row] >= index && nodeOf[row] < branch.end)
      .map((row) => Math.min(exits[row], branch.top))
      .filter((height) => height >= branch.bottom)
      .sort((a, b) => a - b);
    if (!leaving.length) continue;
    /** @type {number[]} */
    const up = [];
    /** @type {number[]} */
    const down = [];
    let low = branch.bottom;
    leaving.forEach((height, gone) => {
      const half = (leaving.length - gone) / nodeOf.length / 2;
      up.push(branch.centre - half, low, branch.centre - half, height);
      down.unshift(branch.centre + half, height, branch.centre + half, low);
      low = height;
    });
    parts.push({ index, outline: [...up, ...down] });
  }
  return parts;
}
