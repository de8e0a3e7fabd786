// Reads the families that family_fixture.py has written.

import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";

import { readFamily } from "../../nestviz/ui/player/js/family.js";

const TYPES = {
  float64: Float64Array, float32: Float32Array,
  uint32: Uint32Array, uint16: Uint16Array, uint8: Uint8Array, int32: Int32Array,
};

const toNumber = (value) => {
  if (Array.isArray(value)) return value.map(toNumber);
  return { inf: Infinity, "-inf": -Infinity }[value] ?? value;
};

/** Returns cases with their family: name, points, levels, values, and what else Python computed. */
function readFixture() {
  const bytes = Uint8Array.from(inflateSync(readFileSync(new URL("./families.bin", import.meta.url))));
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const { arrays: table, cases, coarse } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const arrays = table.map((entry) => {
    const Type = TYPES[entry.dtype];
    const start = 4 + length + entry.offset;
    return new Type(bytes.slice(start, start + entry.length * Type.BYTES_PER_ELEMENT).buffer);
  });
  const withFamily = (row) => ({ ...row, family: readFamily(row.header, arrays) });
  return { cases: cases.map(withFamily), coarse: coarse.map(withFamily) };
}

/** Families sent exactly, with values, intervals and first levels. */
export const readCases = () => readFixture().cases.map((row) => ({
  ...row, intervals: toNumber(row.intervals), first: toNumber(row.first),
}));

/** Families sent while a slider moves, with values and coefficients. */
export const readCoarse = () => readFixture().coarse;

/** A family from plain numbers, for tests that need none of Python's. */
export function plainFamily({ centres, rows, levels, offsets, sigma = 1, ...rest }) {
  const arrays = [
    Float64Array.from(levels), Float64Array.from(offsets), Float64Array.from(rows.flat()),
    Float64Array.from(centres.flat()), Float64Array.from(rest.knots ?? levels),
  ];
  return readFamily({
    version: 1, kernel: { kind: "gaussian", sigma, centres: 3, factors: null }, levels: 0, offsets: 1,
    rows: { values: 2, zero: 0, step: 1 }, orientation: 1, low: levels[0],
    high: levels[levels.length - 1], tail: 0, open_below: false, is_nested: false, hold_level: null,
    tolerance: 0, rounding: 0, signed: true, derived: "", exact: true, level_name: "level", ...rest, knots: 4,
  }, arrays);
}
