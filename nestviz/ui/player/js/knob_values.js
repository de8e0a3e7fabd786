// Where the values of a slider are, and how they are written. Needs no DOM.

/** @import { KnobCurve } from "./curve_values.js" */

/**
 * @typedef {object} Knob
 * @property {string} key Of the address.
 * @property {string} label
 * @property {number} value In the unit of the address, as are low, high and the marks.
 * @property {number} low
 * @property {number} high
 * @property {boolean} log Whether the slider is logarithmic.
 * @property {boolean} [power] Whether the value is the decimal logarithm of what is shown.
 * @property {number} unit Factor from the value to the number shown.
 * @property {string} form How that number is written, such as "3g", "2f" or "1%".
 * @property {[value: number, name: string][]} marks
 * @property {string} [help]
 * @property {KnobCurve | null} [curve] Drawn above the slider.
 */

const DIGITS = 4;

/** @param {Knob} knob @param {number} value @returns {number} From 0 to 1, along the slider. */
export function knobPosition({ low, high, log }, value) {
  const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(Math.max(share, 0), 1);
}

/** @param {Knob} knob @param {number} position @returns {number} The value, in few digits. */
export function knobValue({ low, high, log }, position) {
  if (position <= 0) return low;
  if (position >= 1) return high;
  const value = log ? low * (high / low) ** position : low + (high - low) * position;
  // The digits of a linear value are those of its range: it may be close to zero.
  const tidy = log ? Number(value.toPrecision(DIGITS))
    : Number(value.toFixed(Math.max(0, DIGITS - 1 - Math.floor(Math.log10(high - low)))));
  return Math.min(Math.max(tidy, low), high);
}

/**
 * Writes a number as Python does with the same form.
 * @param {number} number
 * @param {string} form
 * @returns {string}
 */
export function writeNumber(number, form) {
  const digits = parseInt(form, 10);
  if (form.endsWith("%")) return `${(100 * number).toFixed(digits)}%`.replace("-", "−");
  if (form.endsWith("f")) return number.toFixed(digits).replace("-", "−");
  const [mantissa, exponent] = number.toExponential(digits - 1).split("e");
  const power = Number(exponent);
  const trim = /** @type {(text: string) => string} */ (
    (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text)
  );
  const plain = power >= -4 && power < digits;
  const written = plain ? trim(number.toFixed(Math.max(0, digits - 1 - power)))
    : `${trim(mantissa)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  return written.replaceAll("-", "−");
}

/** @param {Knob} knob @param {number} value @returns {string} */
export function knobText({ power, unit, form }, value) {
  return writeNumber((power ? 10 ** value : value) * unit, form);
}

/**
 * Returns the centres of labels that do not overlap, each as near as possible to where it belongs.
 * @param {number[]} centres Ascending.
 * @param {number[]} widths
 * @param {number} width Of all.
 * @returns {number[]}
 */
export function spreadLabels(centres, widths, width) {
  const placed = [...centres];
  let left = 0;
  placed.forEach((centre, k) => {
    placed[k] = Math.max(centre, left + widths[k] / 2);
    left = placed[k] + widths[k] / 2;
  });
  let right = width;
  for (let k = placed.length - 1; k >= 0; k--) {
    placed[k] = Math.min(placed[k], right - widths[k] / 2);
    right = placed[k] - widths[k] / 2;
  }
  return placed;
}
