// The field of a family on a lattice of pixels, at one level. Needs no DOM.

/** @import { View } from "../../components/js/plot.js" */
/** @import { Family } from "./family.js" */
import { coefficientsAt, offsetAt } from "./family.js";
import { pixelValue, polynomialField, resampledField } from "./other_fields.js";

/**
 * Pixel (i, j) is at (u0 + i du, v0 + j dv).
 * @typedef {{ u0: number, v0: number, du: number, dv: number, columns: number, rows: number }} Lattice
 */

/** Terms that are smaller than this share of the offset move no outline. */
const NEGLIGIBLE = 1e-8;
/** Beyond so many widths a Gaussian is zero in double precision. */
const FARTHEST = 38.6;

/**
 * Returns a lattice over a view, with its corners on those of the view.
 * @param {View} view
 * @param {number} columns
 * @param {number} rows
 * @returns {Lattice}
 */
export function latticeOf([xmin, xmax, ymin, ymax], columns, rows) {
  return {
    u0: xmin, v0: ymin, du: (xmax - xmin) / (columns - 1), dv: (ymax - ymin) / (rows - 1), columns, rows,
  };
}

/** Buffers that are used again: one field is computed at a time. */
const work = {
  coefficients: new Float64Array(0), across: new Float64Array(0), along: new Float64Array(0),
  profile: new Float64Array(0),
};

/** @param {keyof typeof work} name @param {number} length */
function buffer(name, length) {
  if (work[name].length < length) work[name] = new Float64Array(length);
  return work[name];
}

/**
 * Returns the field of a family, of its base if it is derived, row after row.
 * @param {Family} family
 * @param {number} level
 * @param {Lattice} lattice
 * @param {Float32Array} [out]
 * @param {boolean} [below] Whether to approach a jump from below.
 */
export function fieldOn(family, level, lattice, out, below = false) {
  const values = out ?? new Float32Array(lattice.rows * lattice.columns);
  const c = buffer("coefficients", family.rows.size).subarray(0, family.rows.size);
  coefficientsAt(family, level, c, below);
  const offset = offsetAt(family, level, below);
  const { kernel } = family;
  if (kernel.kind === "gaussian") gaussianField(family, kernel.sigma, c, offset, lattice, values);
  else if (kernel.kind === "polynomial") polynomialField(family, kernel, c, offset, lattice, values);
  else resampledField(kernel, c, offset, lattice, values);
  return values;
}

/** Centres in ascending order of v. @type {WeakMap<Float64Array, Uint32Array>} */
const orders = new WeakMap();

/** @param {Float64Array} centres */
function orderOf(centres) {
  let order = orders.get(centres);
  if (!order) {
    order = Uint32Array.from({ length: centres.length / 2 }, (_, i) => i);
    order.sort((i, j) => centres[2 * i + 1] - centres[2 * j + 1]);
    orders.set(centres, order);
  }
  return order;
}

/**
 * Returns how many widths away a centre has no part in the boundary.
 * @param {Float64Array} c
 * @param {number} offset
 */
function reachOf(c, offset) {
  let size = 0;
  for (let i = 0; i < c.length; i += 1) size += Math.abs(c[i]);
  if (offset === 0 || size === 0) return FARTHEST;
  const share = (NEGLIGIBLE * Math.abs(offset)) / size;
  return share < 1 ? Math.min(Math.sqrt(-2 * Math.log(share)), FARTHEST) : 1;
}

/**
 * Writes exp(−(x − centre)² / 2σ²) along an axis. Neighbours differ by a factor, and these factors
 * by a constant one, so an exponential is needed only next to the centre.
 * @param {Float64Array} profile
 * @param {number} count
 * @param {number} start First location minus the centre, in widths.
 * @param {number} step
 */
function writeProfile(profile, count, start, step) {
  const nearest = Math.min(Math.max(Math.round(-start / step), 0), count - 1);
  const at = start + nearest * step;
  const ratio = Math.exp(-step * step);
  const peak = Math.exp(-0.5 * at * at);
  let [value, factor] = [peak, Math.exp(-step * (at + 0.5 * step))];
  profile[nearest] = peak;
  for (let k = nearest + 1; k < count; k += 1) {
    value *= factor;
    factor *= ratio;
    profile[k] = value;
  }
  [value, factor] = [peak, Math.exp(step * (at - 0.5 * step))];
  for (let k = nearest - 1; k >= 0; k -= 1) {
    value *= factor;
    factor *= ratio;
    profile[k] = value;
  }
}

/**
 * Returns the used centres within reach of the lattice in ascending order of v, and writes their
 * profiles: four columns of all centres after another, and rows of all centres.
 * @param {Family} family
 * @param {number} sigma
 * @param {Float64Array} c
 * @param {number} margin
 * @param {Lattice} lattice
 */
function writeProfiles({ centres, factors }, sigma, c, margin, { u0, v0, du, dv, columns, rows }) {
  const used = orderOf(centres).filter((i) => c[i] !== 0
    && centres[2 * i] >= u0 - margin && centres[2 * i] <= u0 + (columns - 1) * du + margin
    && centres[2 * i + 1] >= v0 - margin && centres[2 * i + 1] <= v0 + (rows - 1) * dv + margin);
  const n = used.length;
  const [wide, high] = [4 * Math.ceil(columns / 4), 2 * Math.ceil(rows / 2)];
  const [across, along] = [buffer("across", wide * n), buffer("along", high * n)];
  const profile = buffer("profile", Math.max(wide, high));
  used.forEach((i, k) => {
    writeProfile(profile, wide, (u0 - centres[2 * i]) / sigma, du / sigma);
    for (let x = 0; x < wide; x += 1) across[((x >> 2) * n + k) * 4 + (x & 3)] = profile[x];
    writeProfile(profile, high, (v0 - centres[2 * i + 1]) / sigma, dv / sigma);
    const weight = c[i] * (factors ? factors[i] : 1);
    for (let y = 0; y < high; y += 1) along[((y >> 1) * n + k) * 2 + (y & 1)] = weight * profile[y];
  });
  return used;
}

/**
 * Writes a Gaussian field as the product of two thin matrices, two rows × four columns at a time.
 * @param {Family} family
 * @param {number} sigma
 * @param {Float64Array} c
 * @param {number} offset
 * @param {Lattice} lattice
 * @param {Float32Array} out
 */
function gaussianField(family, sigma, c, offset, lattice, out) {
  const margin = reachOf(c, offset) * sigma;
  const used = writeProfiles(family, sigma, c, margin, lattice);
  const { v0, dv, columns, rows } = lattice;
  const n = used.length;
  const heights = Float64Array.from(used, (i) => family.centres[2 * i + 1]);
  let [from, to] = [0, 0];
  for (let y = 0; y < rows; y += 2) {
    while (from < n && heights[from] < v0 + y * dv - margin) from += 1;
    while (to < n && heights[to] <= v0 + (y + 1) * dv + margin) to += 1;
    for (let x = 0; x < columns; x += 4) {
      writeTile(n, from, to, offset, x, y, lattice, out);
    }
  }
}

/**
 * Writes two rows × four columns.
 * @param {number} n
 * @param {number} from First centre within reach.
 * @param {number} to
 * @param {number} offset
 * @param {number} x
 * @param {number} y
 * @param {Lattice} lattice
 * @param {Float32Array} out
 */
function writeTile(n, from, to, offset, x, y, { columns, rows }, out) {
  const { across, along } = work;
  let a0 = 0, a1 = 0, a2 = 0, a3 = 0, b0 = 0, b1 = 0, b2 = 0, b3 = 0;
  let e = ((x >> 2) * n + from) * 4;
  let h = ((y >> 1) * n + from) * 2;
  for (let k = from; k < to; k += 1, e += 4, h += 2) {
    const p = along[h], q = along[h + 1];
    const e0 = across[e], e1 = across[e + 1], e2 = across[e + 2], e3 = across[e + 3];
    a0 += p * e0;
    a1 += p * e1;
    a2 += p * e2;
    a3 += p * e3;
    b0 += q * e0;
    b1 += q * e1;
    b2 += q * e2;
    b3 += q * e3;
  }
  const last = columns - x;
  let at = y * columns + x;
  out[at] = pixelValue(a0, offset);
  if (last > 1) out[at + 1] = pixelValue(a1, offset);
  if (last > 2) out[at + 2] = pixelValue(a2, offset);
  if (last > 3) out[at + 3] = pixelValue(a3, offset);
  if (y + 1 >= rows) return;
  at += columns;
  out[at] = pixelValue(b0, offset);
  if (last > 1) out[at + 1] = pixelValue(b1, offset);
  if (last > 2) out[at + 2] = pixelValue(b2, offset);
  if (last > 3) out[at + 3] = pixelValue(b3, offset);
}
