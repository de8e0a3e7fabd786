// A curve over the values of a slider: where it is and what it says there. Needs no DOM.

/** @import { Knob } from "./knob_values.js" */
import { knobPosition, knobText, knobValue, writeNumber } from "./knob_values.js";

/**
 * A curve above a slider, over the same axis.
 * @typedef {object} KnobCurve
 * @property {string} name Of the heights.
 * @property {string} alt
 * @property {number[]} values Ascending, in the unit of the slider.
 * @property {number[]} heights
 * @property {number[]} errors Half the width of the band.
 * @property {[low: number, high: number][]} band Of another kind; empty where there is none.
 * @property {[low: number, high: number] | null} close Values as good as the best.
 * @property {number} best
 * @property {boolean} still Whether the slider is not there yet.
 */

/** Positions at which the picture is asked for: nearby ones share an answer. */
const CURVE_STEPS = 240;

/**
 * Returns the height of a curve at a value, between its points as drawn; null beyond them.
 * @param {Knob} knob
 * @param {KnobCurve} curve
 * @param {number} value
 * @returns {number | null}
 */
export function heightAt(knob, { values, heights }, value) {
  const last = values.length - 1;
  if (last < 0 || value < values[0] * (1 - 1e-9) || value > values[last] * (1 + 1e-9)) return null;
  const k = Math.max(1, values.findIndex((each) => each >= value));
  if (last === 0 || value >= values[last]) return heights[last];
  const [a, b] = [knobPosition(knob, values[k - 1]), knobPosition(knob, values[k])];
  const share = b > a ? (knobPosition(knob, value) - a) / (b - a) : 0;
  return heights[k - 1] + Math.min(Math.max(share, 0), 1) * (heights[k] - heights[k - 1]);
}

/**
 * Returns the value that a position of the pointer means: a named or tried one where it is near.
 * @param {Knob} knob
 * @param {number} position Along the slider, from 0 to 1.
 * @param {number} reach
 * @returns {number}
 */
export function pointedValue(knob, position, reach) {
  const tried = knob.curve?.values ?? [];
  const best = knob.curve && tried.length ? [tried[knob.curve.best]] : [];
  // What has a name is easier to hit than what was only tried.
  for (const [values, near] of /** @type {[number[], number][]} */ (
    [[best, reach], [knob.marks.map(([value]) => value), 0.7 * reach], [tried, 0.4 * reach]]
  )) {
    const gap = /** @type {(value: number) => number} */ (
      (value) => Math.abs(knobPosition(knob, value) - position)
    );
    const found = values.filter((value) => gap(value) <= near && value >= knob.low && value <= knob.high)
      .sort((a, b) => gap(a) - gap(b));
    if (found.length) return found[0];
  }
  return knobValue(knob, Math.round(position * CURVE_STEPS) / CURVE_STEPS);
}

/**
 * Returns the least and the greatest height to show, with a margin.
 * @param {KnobCurve} curve
 * @returns {[number, number]}
 */
export function heightRange({ heights, errors, band }) {
  const low = Math.min(...heights.map((y, k) => y - errors[k]), ...band.map(([y]) => y));
  const high = Math.max(...heights.map((y, k) => y + errors[k]), ...band.map(([, y]) => y));
  const spare = 0.06 * (high - low) || 0.1 * Math.abs(high) || 1;
  return [low - spare, high + spare];
}

/**
 * Returns round numbers of a logarithmic axis: 1, 2 and 5 times powers of ten, or fewer.
 * @param {number} low
 * @param {number} high
 * @param {number} most
 * @returns {number[]}
 */
export function logTicks(low, high, most) {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  for (const digits of [[1, 2, 5], [1, 3], [1]]) {
    /** @type {number[]} */
    const ticks = [];
    for (let power = first; power <= last; power += 1) {
      ticks.push(...digits.map((digit) => Number(`${digit}e${power}`)));
    }
    const inside = ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
    if (inside.length <= most || digits.length === 1) return inside;
  }
  return [];
}

/**
 * Says what the curve is at a value.
 * @param {Knob} knob
 * @param {number} value
 * @returns {string}
 */
export function curveWords(knob, value) {
  const height = knob.curve ? heightAt(knob, knob.curve, value) : null;
  const symbol = knob.label.split(" ").at(-1);
  const at = `${symbol} = ${knobText(knob, value)}`;
  return height === null ? at : `${at}: ${writeNumber(height, "3g")}`;
}
