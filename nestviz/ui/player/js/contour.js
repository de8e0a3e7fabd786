// Outlines of the set of pixels at which a field is not negative, by marching squares.

/** @import { Lattice } from "./field.js" */
/**
 * @typedef {object} RingPen
 * @property {(x: number, y: number) => void} moveTo
 * @property {(x: number, y: number) => void} lineTo
 * @property {() => void} closePath
 */

let insideFlags = new Uint8Array(0);
let startFlags = new Uint8Array(0);

/**
 * Draws closed rings around the set; with the even-odd rule they fill it. Beyond the lattice all is
 * outside, so rings follow its border where the set is cut.
 * @param {Float32Array} field
 * @param {Lattice} lattice
 * @param {RingPen} pen
 * @param {(u: number) => number} toX
 * @param {(v: number) => number} toY
 */
export function traceSet(field, lattice, pen, toX, toY) {
  const { columns, rows } = lattice;
  // A frame of outside pixels: no ring leaves the lattice.
  const width = columns + 2;
  const size = width * (rows + 2);
  if (insideFlags.length < size) [insideFlags, startFlags] = [new Uint8Array(size), new Uint8Array(size)];
  insideFlags.fill(0, 0, size);
  startFlags.fill(0, 0, size);
  for (let y = 0, k = 0; y < rows; y += 1) {
    const row = (y + 1) * width + 1;
    for (let x = 0; x < columns; x += 1, k += 1) insideFlags[row + x] = field[k] >= 0 ? 1 : 0;
  }
  // With the inside on its left every ring passes upwards between two neighbours of a row.
  for (let k = width; k < size - width; k += 1) {
    if (insideFlags[k] === 1 && insideFlags[k + 1] === 0 && startFlags[k] === 0) {
      traceRing(field, lattice, k, pen, toX, toY);
    }
  }
}

/**
 * Follows one ring from the lower side of a cell. A cell is named by its lower left pixel; its
 * corners and sides are numbered counter-clockwise from there, side s between corners s and s + 1.
 * @param {Float32Array} field
 * @param {Lattice} lattice
 * @param {number} start
 * @param {RingPen} pen
 * @param {(u: number) => number} toX
 * @param {(v: number) => number} toY
 */
function traceRing(field, { u0, v0, du, dv, columns, rows }, start, pen, toX, toY) {
  const width = columns + 2;
  const corners = [0, 1, width + 1, width];
  const steps = [-width, 1, width, -1];
  let [cell, side, first] = [start, 0, true];
  do {
    if (side === 0) startFlags[cell] = 1;
    // The inside end of the side, the outside end, and the way between them to the boundary.
    const [a, b] = [cell + corners[side], cell + corners[(side + 1) % 4]];
    const [ax, ay] = [(a % width) - 1, Math.floor(a / width) - 1];
    const [bx, by] = [(b % width) - 1, Math.floor(b / width) - 1];
    let [x, y] = [ax, ay];
    if (bx >= 0 && by >= 0 && bx < columns && by < rows) {
      const value = field[ay * columns + ax];
      const share = value / (value - field[by * columns + bx]);
      x += share * (bx - ax);
      y += share * (by - ay);
    }
    if (first) pen.moveTo(toX(u0 + x * du), toY(v0 + y * dv));
    else pen.lineTo(toX(u0 + x * du), toY(v0 + y * dv));
    first = false;
    const exit = exitSide(field, columns, rows, cell, side, corners);
    cell += steps[exit];
    side = (exit + 2) % 4;
  } while (cell !== start || side !== 0);
  pen.closePath();
}

/**
 * Returns the side by which a ring leaves a cell; at a saddle the mean of the cell decides whether
 * its two inside corners are connected.
 * @param {Float32Array} field
 * @param {number} columns
 * @param {number} rows
 * @param {number} cell
 * @param {number} entry
 * @param {number[]} corners
 */
function exitSide(field, columns, rows, cell, entry, corners) {
  /** @param {number} corner */
  const inside = (corner) => insideFlags[cell + corners[corner % 4]] === 1;
  // Corner `entry` is inside and the next one outside.
  if (!inside(entry + 2)) return inside(entry + 3) ? (entry + 2) % 4 : (entry + 3) % 4;
  if (inside(entry + 3)) return (entry + 1) % 4;
  const width = columns + 2;
  const pixel = (Math.floor(cell / width) - 1) * columns + (cell % width) - 1;
  const sum = field[pixel] + field[pixel + 1] + field[pixel + columns] + field[pixel + columns + 1];
  return sum >= 0 ? (entry + 1) % 4 : (entry + 3) % 4;
}

/** Returns the share of pixels inside. @param {Float32Array} field */
export function shareOf(field) {
  let count = 0;
  for (let k = 0; k < field.length; k += 1) if (field[k] >= 0) count += 1;
  return count / field.length;
}
