// The heights of a tree and the levels they stand for. Needs no DOM.

import { formatNumber, niceTicks } from "./plot.js";

/**
 * As HeightScale in analysis/tree/heights.py: heights are levels, their logarithms to base ten,
 * their negative inverses, or interpolated between known levels.
 * @typedef {object} HeightScale
 * @property {"level" | "log" | "inverse" | "mass"} kind
 * @property {number[]} levels Known levels, and below their heights, ascending; for "mass".
 * @property {number[]} heights
 */
/** @typedef {{ at: number, text: string }} Tick */

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** Decades over which multiples of a power of ten have a tick too. */
const FEW_DECADES = 2.5;

/**
 * Returns the level at a height.
 * @param {HeightScale} scale
 * @param {number} height
 * @returns {number}
 */
export function levelAt({ kind, levels, heights }, height) {
  if (kind === "log") return 10 ** height;
  if (kind === "inverse") return height < 0 ? -1 / height : Infinity;
  if (kind === "level" || heights.length === 0) return height;
  const above = heights.findIndex((known) => known >= height);
  if (above === 0) return levels[0];
  if (above < 0) return levels[levels.length - 1];
  const share = (height - heights[above - 1]) / (heights[above] - heights[above - 1]);
  return levels[above - 1] + share * (levels[above] - levels[above - 1]);
}

/** @param {number} exponent @returns {string} */
function powerText(exponent) {
  if (exponent > -4 && exponent < 5) return String(Number((10 ** exponent).toPrecision(1)));
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]);
  return `10${exponent < 0 ? "⁻" : ""}${digits.join("")}`;
}

/**
 * Returns about `count` ticks between two heights, labelled by level, inverse level or share.
 * @param {HeightScale} scale
 * @param {number} low
 * @param {number} high
 * @param {number} count
 * @returns {Tick[]}
 */
export function heightTicks({ kind }, low, high, count) {
  if (kind === "log" && high - low >= 1) return decadeTicks(low, high, count);
  if (kind === "log") {
    const { ticks, step } = niceTicks(10 ** low, 10 ** high, count);
    return ticks.map((level) => ({ at: Math.log10(level), text: formatNumber(level, step) }));
  }
  const turn = kind === "inverse" ? -1 : 1;
  const [first, last] = turn < 0 ? [Math.max(0, -high), -low] : [low, high];
  const { ticks, step } = niceTicks(first, last, count);
  const large = Math.abs(last) >= 1e5;
  return ticks.map((value) => ({
    at: turn * value, text: large ? levelText(value, 3) : formatNumber(value, step),
  }));
}

/** @param {number} low @param {number} high @param {number} count @returns {Tick[]} */
function decadeTicks(low, high, count) {
  const every = Math.max(1, Math.ceil((high - low) / Math.max(1, count)));
  const factors = every === 1 && high - low < FEW_DECADES ? [1, 2, 5] : [1];
  const ticks = [];
  for (let power = Math.floor(low); power <= high; power += 1) {
    if (every > 1 && power % every !== 0) continue;
    for (const factor of factors) {
      const at = power + Math.log10(factor);
      if (at < low - 1e-9 || at > high + 1e-9) continue;
      const text = factor === 1 ? powerText(power)
        : power > -4 ? String(Number((factor * 10 ** power).toPrecision(1)))
          : `${factor}·${powerText(power)}`;
      ticks.push({ at, text });
    }
  }
  return ticks;
}

/**
 * Returns a number with so many digits, as a multiple of a power of ten where it is large or small.
 * @param {number} level
 * @param {number} [digits]
 * @returns {string}
 */
export function levelText(level, digits = 4) {
  if (!Number.isFinite(level)) return "∞";
  const exponent = level === 0 ? 0 : Math.floor(Math.log10(Math.abs(level)) + 1e-9);
  if (exponent > -4 && exponent < 5) return String(Number(level.toPrecision(digits))).replace("-", "−");
  return `${Number((level / 10 ** exponent).toPrecision(digits))}·${powerText(exponent)}`;
}
