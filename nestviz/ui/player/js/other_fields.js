// Fields on a lattice for kernels other than the Gaussian. Needs no DOM.

/** @import { Family, KernelForm } from "./family.js" */
/** @import { Lattice } from "./field.js" */

/** Smallest number of single precision: a value closer to zero keeps its sign by it. */
export const LEAST = 1.1754943508222875e-38;

/**
 * Returns a value of the field in single precision; without terms there is no boundary.
 * @param {number} sum
 * @param {number} offset
 */
export function pixelValue(sum, offset) {
  const value = sum - offset;
  if (value >= LEAST || value <= -LEAST) return value;
  if (value === 0) return sum === 0 ? -LEAST : 0;
  return value > 0 ? LEAST : -LEAST;
}

/**
 * @param {Family} family
 * @param {Extract<KernelForm, { kind: "polynomial" }>} kernel
 * @param {Float64Array} c
 * @param {number} offset
 * @param {Lattice} lattice
 * @param {Float32Array} out
 */
export function polynomialField({ centres, factors }, kernel, c, offset, lattice, out) {
  const { u0, v0, du, dv, columns } = lattice;
  const used = Uint32Array.from(c.keys()).filter((i) => c[i] !== 0);
  for (let pixel = 0; pixel < out.length; pixel += 1) {
    const [u, v] = [u0 + (pixel % columns) * du, v0 + Math.floor(pixel / columns) * dv];
    let sum = 0;
    for (const i of used) {
      const inner = u * centres[2 * i] + v * centres[2 * i + 1] + (factors ? factors[i] : 0);
      const base = kernel.scale * inner + kernel.offset;
      let power = c[i];
      for (let k = 0; k < kernel.degree; k += 1) power *= base;
      sum += power;
    }
    out[pixel] = pixelValue(sum, offset);
  }
}

/**
 * Writes a field that came on a grid, interpolated linearly.
 * @param {Extract<KernelForm, { kind: "grid" }>} grid
 * @param {ArrayLike<number>} sums
 * @param {number} offset
 * @param {Lattice} lattice
 * @param {Float32Array} out
 */
export function resampledField(grid, sums, offset, { u0, v0, du, dv, columns, rows }, out) {
  const across = Float64Array.from({ length: columns }, (_, i) => gridPlace(u0 + i * du, grid.umin, grid.umax, grid.columns));
  for (let j = 0; j < rows; j += 1) {
    const along = gridPlace(v0 + j * dv, grid.vmin, grid.vmax, grid.rows);
    const y = Math.floor(along);
    const [top, t] = [y * grid.columns, along - y];
    for (let i = 0; i < columns; i += 1) {
      const first = top + Math.floor(across[i]);
      const s = across[i] - Math.floor(across[i]);
      const low = (1 - s) * sums[first] + s * sums[first + 1];
      const high = (1 - s) * sums[first + grid.columns] + s * sums[first + grid.columns + 1];
      out[j * columns + i] = pixelValue((1 - t) * low + t * high, offset);
    }
  }
}

/**
 * Returns where a coordinate is on an axis of a grid, in pixels, below the last one.
 * @param {number} x
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
function gridPlace(x, low, high, count) {
  return Math.min(Math.max((x - low) / (high - low), 0) * (count - 1), (count - 1) * (1 - 1e-12));
}
