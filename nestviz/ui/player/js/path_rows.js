// Coefficients at the breakpoints of a family: a table, or the changes along a solution path.
// Plain data, so that it can be sent to a worker. Needs no DOM.

/** @typedef {Float64Array | Float32Array} Floats */
/**
 * @typedef {object} TableRows
 * @property {"table"} kind
 * @property {number} count Breakpoints.
 * @property {number} size Centres.
 * @property {Floats} values Row after row.
 */
/**
 * A coefficient is its share times its bound, which is base + slope · node at a breakpoint.
 * @typedef {object} PathChanges
 * @property {"path"} kind
 * @property {number} count
 * @property {number} size
 * @property {Float64Array} nodes
 * @property {Float64Array} base
 * @property {Float64Array | null} slope
 * @property {Uint32Array} starts Where the changes of each breakpoint begin.
 * @property {Uint32Array} indices
 * @property {Float32Array} shares
 * @property {Float32Array} checkpoints All shares at every STRIDE-th breakpoint.
 */
/** @typedef {TableRows | PathChanges} Rows */

const STRIDE = 64;

/**
 * @param {any} header rows or path of a family's header.
 * @param {any[]} arrays
 * @param {number} count
 * @returns {Rows}
 */
export function readRows({ rows, path }, arrays, count) {
  if (path) return readPath(path, arrays, count);
  let values = arrays[rows.values];
  if (!(values instanceof Float32Array || values instanceof Float64Array)) {
    values = new Float64Array(values).map((value) => (value - rows.zero) * rows.step);
  }
  return { kind: "table", count, size: values.length / count, values };
}

/**
 * @param {any} header
 * @param {any[]} arrays
 * @param {number} count
 * @returns {PathChanges}
 */
function readPath(header, arrays, count) {
  const base = arrays[header.base];
  const [toggleStarts, toggles] = [arrays[header.starts], arrays[header.toggles]];
  const size = base.length;
  const coded = arrays[header.shares];
  const shares = new Float32Array(coded);
  if (header.root_steps) {
    for (let k = 0; k < shares.length; k += 1) shares[k] = (coded[k] / header.root_steps) * (coded[k] / header.root_steps);
  }
  const indices = new Uint32Array(shares.length);
  const starts = new Uint32Array(count + 1);
  const changing = new Uint8Array(size);
  const now = new Float32Array(size);
  const checkpoints = new Float32Array(Math.ceil(count / STRIDE) * size);
  let place = 0;
  for (let row = 0; row < count; row += 1) {
    for (let k = toggleStarts[row]; k < toggleStarts[row + 1]; k += 1) changing[toggles[k]] ^= 1;
    for (let i = 0; i < size; i += 1) {
      if (!changing[i]) continue;
      now[i] = shares[place];
      indices[place] = i;
      place += 1;
    }
    starts[row + 1] = place;
    if (row % STRIDE === 0) checkpoints.set(now, (row / STRIDE) * size);
  }
  const nodes = arrays[header.nodes];
  const slope = header.slope === null ? null : arrays[header.slope];
  return { kind: "path", count, size, nodes, base, slope, starts, indices, shares, checkpoints };
}

/**
 * Writes (1 − weight) · row + weight · next row.
 * @param {Rows} rows
 * @param {number} row
 * @param {number} weight Zero for the last row.
 * @param {Float64Array} out
 */
export function blendRows(rows, row, weight, out) {
  if (rows.kind === "table") {
    const { values, size } = rows;
    const here = row * size;
    for (let i = 0; i < size; i += 1) out[i] = (1 - weight) * values[here + i];
    if (!weight) return;
    for (let i = 0; i < size; i += 1) out[i] += weight * values[here + size + i];
    return;
  }
  const now = sharesAt(rows, row);
  addShares(rows, now, row, 1 - weight, out.fill(0));
  if (!weight) return;
  applyChanges(rows, row + 1, now);
  addShares(rows, now, row + 1, weight, out);
}

/** @param {PathChanges} rows @param {number} row */
function sharesAt(rows, row) {
  const checkpoint = Math.floor(row / STRIDE);
  const now = rows.checkpoints.slice(checkpoint * rows.size, (checkpoint + 1) * rows.size);
  for (let k = checkpoint * STRIDE + 1; k <= row; k += 1) applyChanges(rows, k, now);
  return now;
}

/** @param {PathChanges} rows @param {number} row @param {Float32Array} now */
function applyChanges({ starts, indices, shares }, row, now) {
  for (let k = starts[row]; k < starts[row + 1]; k += 1) now[indices[k]] = shares[k];
}

/**
 * @param {PathChanges} rows
 * @param {Float32Array} now
 * @param {number} row
 * @param {number} weight
 * @param {Float64Array} out
 */
function addShares({ base, slope, nodes }, now, row, weight, out) {
  const node = nodes[row];
  for (let i = 0; i < out.length; i += 1) {
    out[i] += weight * now[i] * (slope ? base[i] + slope[i] * node : base[i]);
  }
}

/**
 * Returns Σ_i c_i k_i at every breakpoint.
 * @param {Rows} rows
 * @param {Float64Array} kernel
 * @returns {Float64Array}
 */
export function kernelSums(rows, kernel) {
  if (rows.kind === "path") return pathSums(rows, kernel);
  const { count, size, values } = rows;
  const sums = new Float64Array(count);
  // Hat functions of a lattice vanish at all but four pixels.
  const used = Array.from({ length: size }, (_, i) => i).filter((i) => kernel[i] !== 0);
  for (let row = 0; row < count; row += 1) {
    let sum = 0;
    for (const i of used) sum += values[row * size + i] * kernel[i];
    sums[row] = sum;
  }
  return sums;
}

/** @param {PathChanges} rows @param {Float64Array} kernel */
function pathSums({ count, size, base, slope, nodes, starts, indices, shares }, kernel) {
  const sums = new Float64Array(count);
  const now = new Float64Array(size);
  const fixed = base.map((value, i) => value * kernel[i]);
  const moving = slope ? slope.map((value, i) => value * kernel[i]) : null;
  let [constant, linear, terms] = [0, 0, 0];
  for (let row = 0; row < count; row += 1) {
    for (let k = starts[row]; k < starts[row + 1]; k += 1) {
      const i = indices[k];
      const change = shares[k] - now[i];
      terms += (shares[k] !== 0 ? 1 : 0) - (now[i] !== 0 ? 1 : 0);
      now[i] = shares[k];
      constant += change * fixed[i];
      if (moving) linear += change * moving[i];
    }
    // Without coefficients the field is exactly zero, whatever rounding has left.
    if (terms === 0) constant = linear = 0;
    sums[row] = moving ? constant + linear * nodes[row] : constant;
  }
  return sums;
}
