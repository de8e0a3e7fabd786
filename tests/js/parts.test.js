import assert from "node:assert/strict";
import { test } from "node:test";

import { latticeOf } from "../../nestviz/ui/player/js/field.js";
import { partsInWords, partsOf, whereIs } from "../../nestviz/ui/player/js/parts.js";

/** Rows from the bottom up, as fields are. @param {string[]} rows From the top down. */
function fieldOf(rows) {
  const cells = [...rows].reverse().join("");
  return Float32Array.from(cells, (cell) => (cell === "#" ? 0.5 : cell === "0" ? 0 : -1));
}

test("parts touch along an edge, count the boundary, and leave the rim out", () => {
  const rows = [
    "###...#",
    "#.....#",
    "###...#",
    "##...0#",
    "#..#..#",
    "###...#",
  ];
  const found = partsOf(fieldOf(rows), latticeOf([0, 6, 0, 5], 7, 6), 1);
  assert.deepEqual(found.map(({ share }) => Math.round(share * 20)), [3, 1, 1]);
  assert.equal(whereIs(found[0]), "left");
});

test("all cells of a random field are in exactly one part", () => {
  let seed = 7;
  const next = () => { seed = (seed * 16807) % 2147483647; return seed / 2147483647; };
  const field = Float32Array.from({ length: 40 * 30 }, () => next() - 0.5);
  const found = partsOf(field, latticeOf([0, 1, 0, 1], 40, 30), 0);
  const open = field.filter((value) => value >= 0).length;
  assert.ok(Math.abs(found.reduce((sum, { share }) => sum + share, 0) * 1200 - open) < 1e-6);
  assert.deepEqual(found, [...found].sort((a, b) => b.share - a.share));
});

test("a location is named by thirds of the picture", () => {
  const words = [[0.1, 0.9], [0.5, 0.9], [0.9, 0.5], [0.5, 0.5], [0.5, 0.1], [0.8, 0.2]]
    .map(([across, up]) => whereIs({ share: 1, across, up }));
  assert.deepEqual(words, ["upper left", "top", "right", "middle", "bottom", "lower right"]);
});

test("plain and nested panels are told apart", () => {
  const one = { share: 0.2, across: 0.5, up: 0.5 };
  const corner = { share: 0.1, across: 0, up: 1 };
  assert.equal(
    partsInWords([
      { title: "Plain", set: [one], broken: [corner, one] },
      { title: "Nested", set: [one, one], broken: [] },
    ]),
    "Plain: the set has 1 part; nesting is violated in 2 parts, the largest at the upper left. "
      + "Nested: the set has 2 parts; nesting is not violated.",
  );
  assert.equal(
    partsInWords([{ title: "", set: [one], broken: [one] }]),
    "The set has 1 part; nesting is violated in 1 part, in the middle.",
  );
  assert.equal(partsInWords([{ title: "", set: [], broken: null }]), "The set is empty here.");
});
