// The numbers of an axis with handles: where they stand, and how they change.

/** @import { Knob } from "../../player/js/knob_values.js" */

/**
 * An axis: its ends, what is marked on it, and how many handles it may have.
 * @typedef {Knob & { values: number[], least: number, most: number }} HandleAxis
 */

/** Returns four significant digits, as links keep them. @param {number} value */
export function roundedHandle(value) {
  return Number(value.toPrecision(4));
}

/**
 * Returns the values with one of them moved, kept between the ends; still in ascending order.
 * @param {HandleAxis} axis @param {number[]} values @param {number} index @param {number} value
 * @returns {{ values: number[], index: number }}
 */
export function movedHandle(axis, values, index, value) {
  const moved = roundedHandle(Math.min(Math.max(value, axis.low), axis.high));
  const others = values.filter((other, k) => k !== index && other !== moved);
  const place = others.filter((other) => other < moved).length;
  return { values: [...others.slice(0, place), moved, ...others.slice(place)], index: place };
}

/**
 * Returns the values with a further one, or the same ones where there are enough.
 * @param {HandleAxis} axis @param {number[]} values @param {number} value
 */
export function addedHandle(axis, values, value) {
  if (values.length >= axis.most) return { values, index: -1 };
  return movedHandle(axis, values, values.length, value);
}

/**
 * Returns the values without one, or the same ones where no fewer are allowed.
 * @param {HandleAxis} axis @param {number[]} values @param {number} index
 */
export function removedHandle(axis, values, index) {
  return values.length > axis.least ? values.filter((_, k) => k !== index) : values;
}
