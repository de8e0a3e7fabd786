// Maps over the pixels from fields at ascending levels, taken from small sets to large ones.
// Needs no DOM.

/** @typedef {{ level: number, field: Float32Array }} Sheet */

/**
 * Returns the level at which the field is zero between two sheets.
 * @param {Sheet} before
 * @param {Sheet} after
 * @param {number} pixel
 */
function rootBetween(before, after, pixel) {
  const [a, b] = [before.field[pixel], after.field[pixel]];
  return before.level + (after.level - before.level) * (a / (a - b));
}

/**
 * Returns the first level at which each pixel is inside, NaN where it never is.
 * @param {Sheet[]} sheets From the smallest set to the largest.
 */
export function entryMap(sheets) {
  return sheets[0].field.map((_, pixel) => {
    const k = sheets.findIndex(({ field }) => field[pixel] >= 0);
    if (k < 0) return NaN;
    return k === 0 ? sheets[0].level : rootBetween(sheets[k - 1], sheets[k], pixel);
  });
}

/**
 * Returns the level from which on each pixel stays inside, NaN where it is outside at the end.
 * @param {Sheet[]} sheets From the smallest set to the largest.
 */
export function exitMap(sheets) {
  const last = sheets.length - 1;
  return sheets[0].field.map((_, pixel) => {
    let k = last;
    while (k >= 0 && sheets[k].field[pixel] >= 0) k -= 1;
    if (k === last) return NaN;
    return k < 0 ? sheets[0].level : rootBetween(sheets[k], sheets[k + 1], pixel);
  });
}

/**
 * Returns the pixels of a lattice that the picture shows: one for each of its cells.
 * @param {{ columns: number, rows: number }} lattice
 * @param {number} rim How many cells the lattice reaches beyond the picture on each side.
 * @returns {Uint32Array}
 */
export function pixelsWithin({ columns, rows }, rim) {
  if (!rim) return Uint32Array.from({ length: columns * rows }, (_, k) => k);
  const [wide, high] = [columns - 2 * rim - 1, rows - 2 * rim - 1];
  return Uint32Array.from({ length: Math.max(0, wide * high) }, (_, k) => (
    (rim + Math.floor(k / wide)) * columns + rim + (k % wide)
  ));
}

/**
 * Returns the share of some pixels, for each sheet, that are outside and were inside before.
 * @param {Sheet[]} sheets From the smallest set to the largest.
 * @param {Uint32Array} pixels
 */
export function brokenShare(sheets, pixels) {
  const seen = new Uint8Array(sheets.length ? sheets[0].field.length : 0);
  return sheets.map(({ field }) => {
    let count = 0;
    for (const k of pixels) {
      if (field[k] >= 0) seen[k] = 1;
      else count += seen[k];
    }
    return count / Math.max(1, pixels.length);
  });
}

/** Raises values to those of another field. @param {Float32Array} values @param {Float32Array} other */
export function raiseTo(values, other) {
  for (let k = 0; k < values.length; k += 1) if (other[k] > values[k]) values[k] = other[k];
}

/** Lowers values to those of another field. @param {Float32Array} values @param {Float32Array} other */
export function lowerTo(values, other) {
  for (let k = 0; k < values.length; k += 1) if (other[k] < values[k]) values[k] = other[k];
}
