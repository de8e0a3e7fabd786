// The level axis of a scene: stops from small sets to large ones, linear between them. Needs no DOM.

import { writeNumber } from "./knob_values.js";

/** @typedef {"3g" | "2f" | "3f" | "1%"} NumberForm */
/** @typedef {{ name: string, form: NumberForm, levels: Float64Array, numbers: Float64Array }} Scale */

/**
 * @param {Float64Array} values At the stops.
 * @param {number} position
 * @returns {number}
 */
function valueBetween(values, position) {
  const last = values.length - 1;
  const low = Math.min(Math.max(Math.floor(position), 0), last);
  const share = Math.min(Math.max(position - low, 0), 1);
  return share === 0 || low === last ? values[low] : values[low] * (1 - share) + values[low + 1] * share;
}

/** @param {Scale} scale @param {number} position @returns {number} */
export const levelAt = (scale, position) => valueBetween(scale.levels, position);

/** @param {Scale} scale @param {number} position @returns {string} */
export const labelAt = (scale, position) => writeNumber(valueBetween(scale.numbers, position), scale.form);

/**
 * Returns the position whose level is nearest to a given one.
 * @param {Scale} scale
 * @param {number} level
 * @returns {number}
 */
export function positionAt({ levels }, level) {
  let [best, nearest] = [0, Math.abs(levels[0] - level)];
  for (let k = 0; k + 1 < levels.length; k++) {
    const gap = levels[k + 1] - levels[k];
    const share = gap === 0 ? 0 : Math.min(Math.max((level - levels[k]) / gap, 0), 1);
    const distance = Math.abs(levels[k] + share * gap - level);
    if (distance < nearest) [best, nearest] = [k + share, distance];
  }
  return best;
}

/**
 * Returns levels at evenly spaced positions, both ends included, from small sets to large ones.
 * @param {Scale} scale
 * @param {number} count
 * @returns {number[]}
 */
export function evenLevels(scale, count) {
  const last = scale.levels.length - 1;
  return Array.from({ length: count }, (_, k) => levelAt(scale, (k * last) / Math.max(1, count - 1)));
}
