// The message of branches.py.

/** @import { HeightScale } from "./height_scale.js" */
/** @import { PictureMessage } from "./pointing.js" */
/** @import { TreePoints } from "./tree_points.js" */
/** @typedef {[from: number, to: number, count: number]} Count Clusters between two heights. */
/**
 * @typedef {object} Branch
 * @property {number[]} outline x and y in turn; empty if extrapolated.
 * @property {number[][]} lines Of an extrapolated branch.
 * @property {number} centre
 * @property {number} bottom
 * @property {number} top
 * @property {number} colour
 * @property {number} shade Its stability as a share of the largest one.
 * @property {string} label
 * @property {boolean} bold Whether it is one of the clusters.
 * @property {string} text
 * @property {number} parent
 * @property {number} end Of the run of its descendants.
 */
/**
 * @typedef {object} BranchesFields
 * @property {[low: number, high: number]} heights
 * @property {string} height_name
 * @property {string} level_name
 * @property {HeightScale} scale
 * @property {number[]} splits Heights.
 * @property {string} stability Of the most stable branch, as a text; empty for no legend.
 * @property {Count[]} counts
 * @property {number | null} cut
 * @property {number | null} base Height below which nothing is to scale.
 * @property {string} note
 * @property {number[]} chosen
 * @property {Branch[]} nodes
 * @property {TreePoints} points
 * @property {string} link Of the pictures that light the same points.
 * @property {boolean} sets Whether a level has a set in the plane.
 */
/** @typedef {PictureMessage & BranchesFields} BranchesMessage */

export {};
