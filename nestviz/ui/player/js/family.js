// A family of sets as family_form.py sends it: the twin of SetFamily at one location. Needs no DOM.

/** @import { Rows } from "./path_rows.js" */
/** @import { LevelScan, Membership } from "./membership.js" */
import { baseCurve, baseValue } from "./base_field.js";
import { bracketOf, countUpTo, limitsOf, offsetBetween } from "./brackets.js";
import { constantBelow, intersectionValues, unionIndex, unionValues } from "./derived.js";
import { membershipOf, VOID } from "./membership.js";
import { blendRows, readRows } from "./path_rows.js";

/**
 * @typedef {{ kind: "gaussian", sigma: number }
 *   | { kind: "polynomial", degree: number, scale: number, offset: number }
 *   | { kind: "grid", columns: number, rows: number,
 *       umin: number, umax: number, vmin: number, vmax: number }} KernelForm
 */
/**
 * @typedef {object} FamilyFields
 * @property {KernelForm} kernel
 * @property {Float64Array} centres u and v in turn; empty for a grid.
 * @property {Float64Array | null} factors Kernel factor of the dimensions off the plane (Gaussian),
 *   or inner product with the origin of the plane (polynomial).
 * @property {Rows} rows
 * @property {Float64Array} knots Ascending levels at which fields are kept; a jump is given twice.
 * @property {boolean} isNested
 * @property {number | null} holdLevel
 * @property {number} tolerance
 * @property {number} rounding Largest relative error of the coefficients as they were sent.
 * @property {boolean} signed Whether terms of different signs can cancel.
 * @property {"" | "union" | "intersection"} derived
 * @property {boolean} exact
 * @property {string} levelName
 */
/** @typedef {FamilyFields & LevelScan} Family */

const FAMILY_VERSION = 1;

/**
 * @param {any} header
 * @param {any[]} arrays Typed arrays, to which the header refers by number.
 * @returns {Family}
 */
export function readFamily(header, arrays) {
  if (header.version !== FAMILY_VERSION) {
    throw new Error(`A family of version ${header.version} cannot be read; reload the page.`);
  }
  const { kernel } = header;
  const levels = arrays[header.levels];
  const low = header.low ?? -Infinity;
  return {
    kernel,
    centres: kernel.kind === "grid" ? new Float64Array(0) : arrays[kernel.centres],
    factors: typeof kernel.factors === "number" ? arrays[kernel.factors] : null,
    levels,
    offsets: arrays[header.offsets],
    rows: readRows(header, arrays, levels.length),
    knots: arrays[header.knots],
    orientation: header.orientation,
    low,
    high: header.high ?? Infinity,
    tail: header.tail,
    openBelow: header.open_below,
    limits: limitsOf(levels, header.open_below && levels[0] === low),
    isNested: header.is_nested,
    holdLevel: header.hold_level,
    tolerance: header.tolerance,
    rounding: header.rounding,
    signed: header.signed,
    derived: header.derived,
    exact: header.exact,
    levelName: header.level_name,
  };
}

/**
 * Returns c(θ), of the base of a derived family.
 * @param {Family} family
 * @param {number} level
 * @param {Float64Array} [out]
 * @param {boolean} [below]
 */
export function coefficientsAt(family, level, out = new Float64Array(family.rows.size), below = false) {
  const { lower, weight } = bracketOf(family, level, below);
  blendRows(family.rows, lower, weight, out);
  return out;
}

/** @param {Family} family @param {number} level @param {boolean} [below] */
export function offsetAt(family, level, below = false) {
  return offsetBetween(family, bracketOf(family, level, below), level);
}

/**
 * Returns k(x_i, x) for all centres.
 * @param {Family} family
 * @param {number} u
 * @param {number} v
 * @param {Float64Array} [out]
 */
export function kernelAt(family, u, v, out = new Float64Array(family.rows.size)) {
  const { kernel, centres, factors } = family;
  if (kernel.kind === "grid") return hatsAt(kernel, u, v, out.fill(0));
  for (let i = 0; i < out.length; i += 1) {
    const [a, b] = [centres[2 * i], centres[2 * i + 1]];
    if (kernel.kind === "gaussian") {
      const [x, y] = [(u - a) / kernel.sigma, (v - b) / kernel.sigma];
      out[i] = Math.exp(-0.5 * (x * x + y * y)) * (factors ? factors[i] : 1);
    } else {
      const inner = u * a + v * b + (factors ? factors[i] : 0);
      out[i] = (kernel.scale * inner + kernel.offset) ** kernel.degree;
    }
  }
  return out;
}

/**
 * Writes the weights of bilinear interpolation; beyond the grid those of its nearest location.
 * @param {Extract<KernelForm, { kind: "grid" }>} grid
 * @param {number} u
 * @param {number} v
 * @param {Float64Array} out
 */
function hatsAt({ columns, rows, umin, umax, vmin, vmax }, u, v, out) {
  const across = Math.min(Math.max((u - umin) / (umax - umin), 0), 1) * (columns - 1);
  const along = Math.min(Math.max((v - vmin) / (vmax - vmin), 0), 1) * (rows - 1);
  const [i, j] = [Math.min(Math.floor(across), columns - 2), Math.min(Math.floor(along), rows - 2)];
  const [x, y, first] = [across - i, along - j, j * columns + i];
  out[first] = (1 - x) * (1 - y);
  out[first + 1] = x * (1 - y);
  out[first + columns] = (1 - x) * y;
  out[first + columns + 1] = x * y;
  return out;
}

/**
 * Returns the field at all breakpoints, of a derived family after its rule.
 * @param {Family} family
 * @param {Float64Array} values
 */
function ruledValues(family, values) {
  if (family.derived === "union") return unionValues(family, values);
  return family.derived === "intersection" ? intersectionValues(family, values) : values;
}

/**
 * Returns g at the end of the domain on the small side; -Infinity if that is infinite.
 * @param {Family} family
 * @param {Float64Array} kernel
 */
function smallEnd(family, kernel) {
  const end = family.orientation === 1 ? family.low : family.high;
  if (!Number.isFinite(end)) return -Infinity;
  const value = baseValue(family, kernel, end);
  // No level takes an open end: a boundary there belongs to no set.
  const isOpen = family.openBelow && family.orientation === 1 && !constantBelow(family);
  return isOpen && value === 0 ? VOID : value;
}

/**
 * Returns g at a level from the field at the breakpoints, as its rule says.
 * @param {Family} family
 * @param {Float64Array} kernel
 * @param {number} level
 * @param {() => Float64Array} ruled
 */
function ruledValue(family, kernel, level, ruled) {
  const own = baseValue(family, kernel, level);
  if (family.derived === "union") {
    const index = unionIndex(family, level);
    return Math.max(own, index < 0 ? -Infinity : ruled()[index], smallEnd(family, kernel));
  }
  if (family.derived === "intersection") {
    const after = countUpTo(family.levels, level);
    const on = after > 0 && family.levels[after - 1] === level;
    return Math.min(own, ruled()[family.orientation === 1 && !on ? after : after - 1]);
  }
  return own;
}

/**
 * Returns g; a location is inside where it is not negative.
 * @param {Family} family
 * @param {number} u
 * @param {number} v
 * @param {number} level
 */
export function valueAt(family, u, v, level) {
  const kernel = kernelAt(family, u, v);
  return ruledValue(family, kernel, level, () => ruledValues(family, baseCurve(family, kernel).values));
}

/**
 * Returns g at both ends of a range of levels and at every breakpoint between them.
 * @param {Family} family
 * @param {number} u
 * @param {number} v
 * @param {number} low
 * @param {number} high
 * @returns {{ levels: Float64Array, values: Float64Array }}
 */
export function curveAt(family, u, v, low, high) {
  const kernel = kernelAt(family, u, v);
  const ruled = ruledValues(family, baseCurve(family, kernel).values);
  const first = countUpTo(family.levels, low);
  let last = first;
  while (last < family.levels.length && family.levels[last] < high) last += 1;
  /** @param {number} level */
  const end = (level) => ruledValue(family, kernel, level, () => ruled);
  return {
    levels: Float64Array.of(low, ...family.levels.subarray(first, last), high),
    values: Float64Array.of(end(low), ...ruled.subarray(first, last), end(high)),
  };
}

/**
 * Returns membership over all levels, of a derived family after its rule.
 * @param {Family} family
 * @param {number} u
 * @param {number} v
 * @returns {Membership}
 */
function ruledMembership(family, u, v) {
  const kernel = kernelAt(family, u, v);
  const { first, last, intervals } = membershipOf(family, baseCurve(family, kernel));
  if (family.derived !== "intersection") return { first, last, intervals };
  const { levels, orientation } = family;
  const stays = baseValue(family, kernel, levels[orientation === 1 ? levels.length - 1 : 0]) >= 0;
  const entry = stays ? last : orientation * Infinity;
  return { first: entry, last: entry, intervals };
}

/**
 * Returns the intervals of levels at which a location is inside, ascending.
 * @param {Family} family
 * @param {number} u
 * @param {number} v
 * @returns {[number, number][]}
 */
export function intervalsAt(family, u, v) {
  const { first, intervals } = ruledMembership(family, u, v);
  if (!family.isNested) return intervals;
  if (first === family.orientation * Infinity) return [];
  return family.orientation === 1 ? [[first, family.high]] : [[family.low, first]];
}

/**
 * Returns the level at which a location first enters as sets grow; infinite if it never does.
 * @param {Family} family
 * @param {number} u
 * @param {number} v
 */
export function firstLevelAt(family, u, v) {
  return ruledMembership(family, u, v).first;
}
