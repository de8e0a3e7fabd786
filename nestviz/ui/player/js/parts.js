// The connected parts of a set on a lattice, and words for them. Needs no DOM.

/** @import { Lattice } from "./field.js" */

/**
 * A part: its share of the picture, and its centre from 0 to 1, across and up.
 * @typedef {{ share: number, across: number, up: number }} Part
 */
/**
 * What a panel shows at a level; `broken` is null where violations are not to be named.
 * @typedef {{ title: string, set: Part[], broken: Part[] | null }} Seen
 */

/** Smaller parts than this share of the picture are not to be seen. */
const LEAST_PART = 2e-4;

/**
 * Returns the connected parts of the region where a field is not negative, the largest first.
 * @param {Float32Array} field
 * @param {Lattice} lattice
 * @param {number} rim Cells beyond the picture on each side.
 * @returns {Part[]}
 */
export function partsOf(field, { columns, rows }, rim) {
  const [wide, high] = [columns - 2 * rim, rows - 2 * rim];
  const open = new Uint8Array(wide * high);
  for (let k = 0; k < open.length; k += 1) {
    const at = (Math.floor(k / wide) + rim) * columns + (k % wide) + rim;
    open[k] = field[at] >= 0 ? 1 : 0;
  }
  const parts = [];
  for (let k = 0; k < open.length; k += 1) {
    if (open[k]) parts.push(takePart(open, k, wide, high));
  }
  return parts.filter(({ share }) => share >= LEAST_PART).sort((a, b) => b.share - a.share);
}

/**
 * Returns the part that a cell belongs to, and closes its cells.
 * @param {Uint8Array} open
 * @param {number} first
 * @param {number} wide
 * @param {number} high
 * @returns {Part}
 */
function takePart(open, first, wide, high) {
  const waiting = [first];
  open[first] = 0;
  let [count, across, up] = [0, 0, 0];
  /** @param {number} cell @param {boolean} within */
  const visit = (cell, within) => {
    if (!within || !open[cell]) return;
    open[cell] = 0;
    waiting.push(cell);
  };
  for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
    const [column, row] = [cell % wide, Math.floor(cell / wide)];
    count += 1;
    across += column;
    up += row;
    visit(cell - 1, column > 0);
    visit(cell + 1, column < wide - 1);
    visit(cell - wide, row > 0);
    visit(cell + wide, row < high - 1);
  }
  const [right, top] = [Math.max(1, wide - 1), Math.max(1, high - 1)];
  return { share: count / (wide * high), across: across / count / right, up: up / count / top };
}

const MIDDLE = "middle";

/** @param {number} share @returns {0 | 1 | 2} The third that a share lies in. */
const third = (share) => (share < 1 / 3 ? 0 : share <= 2 / 3 ? 1 : 2);

/** Returns where a part is in the picture, in words. @param {Part} part @returns {string} */
export function whereIs({ across, up }) {
  const side = ["left", "", "right"][third(across)];
  const height = [side ? "lower" : "bottom", "", side ? "upper" : "top"][third(up)];
  return [height, side].filter(Boolean).join(" ") || MIDDLE;
}

/** @param {number} count @returns {string} */
const several = (count) => `${count} ${count === 1 ? "part" : "parts"}`;

/**
 * Returns what the panels show beyond their captions: the parts of the sets, and of violations.
 * @param {Seen[]} panels
 * @returns {string}
 */
export function partsInWords(panels) {
  return panels.map(({ title, set, broken }) => {
    const words = [set.length ? `the set has ${several(set.length)}` : "the set is empty here"];
    if (broken?.length) {
      const where = whereIs(broken[0]);
      const largest = `${broken.length === 1 ? "" : "the largest "}${where === MIDDLE ? "in" : "at"} the ${where}`;
      words.push(`nesting is violated in ${several(broken.length)}, ${largest}`);
    } else if (broken) words.push("nesting is not violated");
    const sentence = words.join("; ");
    return title ? `${title}: ${sentence}.` : `${sentence[0].toUpperCase()}${sentence.slice(1)}.`;
  }).join(" ");
}
