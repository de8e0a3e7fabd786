// The numbers of an axis with handles: where they stand, and how they change.

/** @import { Knob } from "../../player/js/knob_values.js" */
import { knobText } from "../../player/js/knob_values.js";

/**
 * An axis: its ends, what is marked on it, and how many handles it may have.
 * @typedef {Knob & { values: number[], least: number, most: number }} HandleAxis
 */

/** Handles whose values are said one by one. */
const MOST_SAID = 8;

/** Says where the handles stand. @param {HandleAxis} axis @param {number[]} values @returns {string} */
export function handlesWords(axis, values) {
  const texts = values.map((value) => knobText(axis, value));
  if (texts.length <= MOST_SAID) return texts.join(", ");
  return `${texts.length} values from ${texts[0]} to ${texts.at(-1)}`;
}

/** Returns four significant digits, as links keep them. @param {number} value */
export function roundedHandle(value) {
  return Number(value.toPrecision(4));
}

/**
 * Returns other values and a moved one, which is kept between the ends, in ascending order.
 *
 * The others must be those of when the move began: a handle that is dragged over another one covers
 * it only while it is there.
 * @param {HandleAxis} axis @param {number[]} others @param {number} value
 * @returns {{ values: number[], index: number }}
 */
export function movedHandle(axis, others, value) {
  const moved = roundedHandle(Math.min(Math.max(value, axis.low), axis.high));
  const rest = others.filter((other) => other !== moved);
  const index = rest.filter((other) => other < moved).length;
  return { values: [...rest.slice(0, index), moved, ...rest.slice(index)], index };
}

/**
 * Returns the values without one, or the same ones where no fewer are allowed.
 * @param {HandleAxis} axis @param {number[]} values @param {number} index
 */
export function removedHandle(axis, values, index) {
  return values.length > axis.least ? withoutHandle(values, index) : values;
}

/** @param {number[]} values @param {number} index */
export function withoutHandle(values, index) {
  return values.filter((_, k) => k !== index);
}
