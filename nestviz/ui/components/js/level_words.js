// What the tree and the plane show at a level, in words. Needs no DOM.

/** @import { BranchesMessage } from "./branches_message.js" */
/** @import { Light } from "./linked.js" */
/** @import { EntryMap } from "./plane_sets.js" */
import { partsInWords, partsOf } from "../../player/js/parts.js";
import { levelAt, levelText } from "./height_scale.js";
import { fieldAtLevel } from "./plane_sets.js";
import { rowsAt } from "./tree_points.js";

/** Branches that are named one by one. */
const NAMED = 5;

/** @param {number} count @param {string} one @returns {string} */
const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

/**
 * Says which branches a tree has at a height, and how many points each of them.
 * @param {Pick<BranchesMessage, "nodes" | "points" | "scale" | "level_name">} tree
 * @param {number} height
 * @returns {string}
 */
export function treeWords({ nodes, points, scale, level_name: name }, height) {
  const parts = nodes
    .map((node, k) => ({ node, count: rowsAt(points, k, node, height).length }))
    .filter(({ node }) => !node.lines.length && node.bottom <= height && height < node.top)
    .sort((a, b) => b.count - a.count);
  const at = `At ${name} = ${levelText(levelAt(scale, height), 3)}`;
  if (!parts.length) return `${at} there is no branch.`;
  const known = points.node_of.length > 0;
  const named = parts.slice(0, NAMED)
    .map(({ node, count }) => node.label + (known ? ` with ${counted(count, "point")}` : ""));
  if (parts.length > NAMED) named.push(`${parts.length - NAMED} more`);
  const outside = parts.reduce((left, { count }) => left - count, points.node_of.length);
  return `${at} there ${parts.length === 1 ? "is" : "are"} ${parts.length} branch${parts.length === 1 ? "" : "es"}: `
    + `${named.join(", ")}${known ? `; ${counted(outside, "point")} outside` : ""}.`;
}

/**
 * Says what a plane shows of the points that another picture lights.
 * @param {Light} light
 * @param {EntryMap | null} map
 * @returns {string}
 */
export function lightWords({ rows, level }, map) {
  const lit = `${counted(rows.length, "point")} ${rows.length === 1 ? "is" : "are"} lit.`;
  if (level === null || !map) return lit;
  const set = partsOf(fieldAtLevel(map, level), map, 0);
  return `${lit} ${partsInWords([{ title: `Level ${levelText(level, 3)}`, set, broken: null }])}`;
}
