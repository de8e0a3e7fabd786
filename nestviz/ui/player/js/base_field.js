// The field of one location, before the rule of a derived family. Needs no DOM.

/** @import { Family } from "./family.js" */
import { bracketOf, offsetBetween } from "./brackets.js";
import { settled, VOID } from "./membership.js";
import { blendRows, kernelSums } from "./path_rows.js";

/**
 * Returns the settled value of a field with coefficients c and offset r.
 * @param {Family} family
 * @param {Float64Array} kernel
 * @param {Float64Array} c
 * @param {number} r
 */
function settledField({ signed, tolerance, rounding }, kernel, c, r) {
  let [sum, size] = [0, 0];
  for (let i = 0; i < c.length; i += 1) {
    const term = c[i] * kernel[i];
    sum += term;
    size += Math.abs(term);
  }
  return settled(sum - r, (signed ? size : Math.abs(sum)) + Math.abs(r), tolerance, rounding);
}

/**
 * Returns the field of the base of a family at one level.
 * @param {Family} family
 * @param {Float64Array} kernel
 * @param {number} level
 */
export function baseValue(family, kernel, level) {
  const bracket = bracketOf(family, level);
  const { lower, upper, weight, beyond } = bracket;
  const c = new Float64Array(family.rows.size);
  if ((beyond && family.tail) || (lower !== upper && !(family.tolerance > 0))) {
    blendRows(family.rows, lower, weight, c);
    return settledField(family, kernel, c, offsetBetween(family, bracket, level));
  }
  // Values at breakpoints are settled first: between two zeros a field is zero.
  blendRows(family.rows, lower, 0, c);
  const below = settledField(family, kernel, c, family.offsets[lower]);
  if (!(weight > 0)) return below;
  blendRows(family.rows, upper, 0, c);
  const above = settledField(family, kernel, c, family.offsets[upper]);
  if ((below === VOID && above === 0) || (above === VOID && below === 0)) return 0;
  return (1 - weight) * below + weight * above;
}

/**
 * Returns kernel sums and field of the base of a family at all breakpoints.
 * @param {Family} family
 * @param {Float64Array} kernel
 */
export function baseCurve(family, kernel) {
  const { offsets, rows, signed, tolerance, rounding } = family;
  const sums = kernelSums(rows, kernel);
  const c = new Float64Array(rows.size);
  /** @param {number} j */
  const sizeOf = (j) => {
    if (!signed) return Math.abs(sums[j]);
    blendRows(rows, j, 0, c);
    return c.reduce((size, value, i) => size + Math.abs(value * kernel[i]), 0);
  };
  const values = sums.map((sum, j) => {
    const value = sum - offsets[j];
    if (Math.abs(value) > tolerance) return value;
    return settled(value, sizeOf(j) + Math.abs(offsets[j]), tolerance, rounding);
  });
  return { sums, values, empty: sums[0] === 0 && sizeOf(0) === 0 };
}
