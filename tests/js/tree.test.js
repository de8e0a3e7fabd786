import assert from "node:assert/strict";
import { test } from "node:test";

import {
  heightTicks, levelAt, levelText,
} from "../../nestviz/ui/components/js/height_scale.js";
import {
  fieldAtLevel, partsAround, readEntryMap,
} from "../../nestviz/ui/components/js/plane_sets.js";
import { lightWords, treeWords } from "../../nestviz/ui/components/js/level_words.js";
import {
  entryHeight, keptInside, nextBranch, splitRange, zoomedRange,
} from "../../nestviz/ui/components/js/tree_moves.js";
import { filledParts, rowsAt } from "../../nestviz/ui/components/js/tree_points.js";
import { assertClose } from "./path_record.js";

const scale = (kind, levels = [], heights = []) => ({ kind, levels, heights });
const branch = (parent, end, bottom, top, centre, lines = []) => ({ parent, end, bottom, top, centre, lines });
/** A root of six points that splits at 1 into branches of three and two points. */
const TREE = [branch(-1, 3, 0, 1, 0.5), branch(0, 2, 1, 3, 0.3), branch(0, 3, 1, 2, 0.7)];
const POINTS = { node_of: [1, 1, 1, 2, 2, 0, -1], exits: [3, 2, 1.5, 2, 1.2, 0.5, 0] };

test("heights are turned into levels", () => {
  assert.equal(levelAt(scale("level"), 0.3), 0.3);
  assertClose(levelAt(scale("log"), -2), 0.01);
  assertClose(levelAt(scale("inverse"), -4), 0.25);
  assert.equal(levelAt(scale("inverse"), 0.5), Infinity);
  const shares = scale("mass", [0, 0.1, 0.5], [0, 0.5, 1]);
  assertClose([-1, 0.25, 0.75, 2].map((height) => levelAt(shares, height)), [0, 0.05, 0.3, 0.5]);
});

test("ticks stand at the heights of the numbers beside them", () => {
  const texts = (...args) => heightTicks(...args).map(({ text }) => text);
  assert.deepEqual(texts(scale("log"), -2.1, 0.1, 6), ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"]);
  assert.deepEqual(texts(scale("log"), -6.5, 0, 4), ["10⁻⁶", "10⁻⁴", "0.01", "1"]);
  assert.deepEqual(texts(scale("inverse"), -30, -4, 3), ["10", "20", "30"]);
  assert.ok(texts(scale("inverse"), -3e6, 1e5, 4).includes("2·10⁶"));
  for (const [kind, low, high] of [["log", -0.5, 0.2], ["inverse", -30, -4], ["level", 0, 7], ["log", -3, 1]]) {
    const ticks = heightTicks(scale(kind), low, high, 5);
    assert.ok(ticks.length >= 2);
    for (const { at, text } of ticks) {
      const level = levelAt(scale(kind), at);
      assertClose(Number(text), kind === "inverse" ? 1 / level : level, 1e-6);
      assert.ok(at >= low - 1e-6 && at <= high + 1e-6);
    }
  }
});

test("levels are written with four digits", () => {
  assert.deepEqual([0.123456, 12, 0, Infinity].map((level) => levelText(level)), ["0.1235", "12", "0", "∞"]);
  assert.equal(levelText(7.9081e-6), "7.908·10⁻⁶");
});

test("a branch has the points that have not left it", () => {
  const rows = (k, height) => rowsAt(POINTS, k, TREE[k], height);
  assert.deepEqual(rows(0, 0), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(rows(0, 0.8), [0, 1, 2, 3, 4]);
  assert.deepEqual(rows(1, 1.6), [0, 1]);
  assert.deepEqual(rows(2, 2), [3]);
  assert.deepEqual(rowsAt(POINTS, 0, branch(-1, 3, -2, -1, 0.5, [[0, 0, 1, 1]]), 9), [0, 1, 2, 3, 4, 5]);
});

test("lit points fill their share of each branch", () => {
  const parts = filledParts(POINTS, TREE, [1, 2, 3]);
  assert.deepEqual(parts.map(({ index }) => index), [0, 1, 2]);
  const widthAt = (outline, height) => {
    let width = 0;
    for (let k = 0; k < outline.length / 2; k += 2) {
      if (outline[k + 1] <= height && height <= outline[k + 3]) width = Math.max(width, 2 * (TREE[1].centre - outline[k]));
    }
    return width;
  };
  assertClose([1.2, 1.8].map((height) => widthAt(parts[1].outline, height)), [2 / 7, 1 / 7]);
  assert.equal(Math.max(...parts[1].outline.filter((_, k) => k % 2)), 2);
  assert.deepEqual(filledParts(POINTS, TREE, [6]), []);
});

test("ranges are zoomed, kept inside, and led to the splits", () => {
  const home = [0, 10];
  assert.deepEqual(zoomedRange(home, 4, 2, home), [2, 7]);
  assert.deepEqual(zoomedRange([2, 7], 4, 1 / 8, home), home);
  assert.deepEqual(keptInside([-3, 1], home), [0, 4]);
  assert.deepEqual(keptInside([8, 12], home), [6, 10]);
  assert.deepEqual(splitRange([3, 4], [], home), [2.8, 4.2]);
  assert.deepEqual(splitRange([5], [], home), [4, 6]);
  assert.deepEqual(splitRange([], [9, 8.5, 9.5], home), [8.5, 10]);
  assert.equal(splitRange([], [], home), null);
});

test("arrows lead from branch to branch", () => {
  const to = (from, key, height = entryHeight(TREE[from])) => nextBranch(TREE, from, height, key);
  assert.equal(to(0, "ArrowUp"), 1);
  assert.equal(to(1, "ArrowUp"), 1);
  assert.equal(to(1, "ArrowRight"), 2);
  assert.equal(to(2, "ArrowRight"), 2);
  assert.equal(to(2, "ArrowLeft"), 1);
  assert.equal(to(2, "ArrowDown"), 0);
  assert.equal(to(0, "ArrowDown"), 0);
});

test("entry levels are read, and sets and their parts drawn from them", () => {
  const codes = Uint16Array.from([0, 1, 65535, 32768, 0, 65535]);
  const text = Buffer.from(codes.buffer).toString("base64");
  const lattice = { u0: 0, v0: 0, du: 1, dv: 1, columns: 6, rows: 1 };
  const map = readEntryMap({ ...lattice, low: 0.01, high: 1, codes: text });
  assertClose([...map.entry], [0, 0.01, 1, 0.1, 0, 1], 1e-3);
  const field = fieldAtLevel(map, 0.05);
  assert.deepEqual([...field].map((value) => value >= 0), [false, false, true, true, false, true]);
  assert.ok(field.every((value) => Math.abs(value) <= 0.05 + 1e-9));
  const part = partsAround(field, lattice, [[2.1, 0]], -0.05);
  assert.deepEqual([...part].map((value) => value >= 0), [false, false, true, true, false, false]);
  const none = partsAround(field, lattice, [], -0.05);
  assert.ok(none.every((value) => value < 0));
});

test("a tree says its branches at a height, the largest first", () => {
  const nodes = TREE.map((node, k) => ({ ...node, label: `B${k}` }));
  const tree = { nodes, points: POINTS, scale: scale("level"), level_name: "λ" };
  assert.equal(treeWords(tree, 0.8), "At λ = 0.8 there is 1 branch: B0 with 5 points; 2 points outside.");
  assert.equal(treeWords(tree, 1.6), "At λ = 1.6 there are 2 branches: B1 with 2 points, B2 with 1 point; 4 points outside.");
  assert.equal(treeWords(tree, 5), "At λ = 5 there is no branch.");
  const bare = { ...tree, points: { node_of: [], exits: [] } };
  assert.equal(treeWords(bare, 1.6), "At λ = 1.6 there are 2 branches: B1, B2.");
  const log = { ...tree, scale: scale("log") };
  assert.match(treeWords(log, 0), /^At λ = 1 there is 1 branch: B0 with 6 points; 1 point outside\.$/);
});

test("a tree of many branches names the first", () => {
  const nodes = Array.from({ length: 8 }, (_, k) => ({ ...branch(-1, k + 1, 0, 1, 0.1 * k), label: `B${k}` }));
  const points = { node_of: [0, 1, 2, 3, 4, 5, 6, 7, 7], exits: Array(9).fill(1) };
  const words = treeWords({ nodes, points, scale: scale("level"), level_name: "λ" }, 0.5);
  assert.equal(words, "At λ = 0.5 there are 8 branches: B7 with 2 points, B0 with 1 point, B1 with 1 point, "
    + "B2 with 1 point, B3 with 1 point, 3 more; 0 points outside.");
});

test("a plane says what another picture lights, and the set at that level", () => {
  const light = { link: "", from: "", rows: [1, 4], level: null, colour: 0 };
  assert.equal(lightWords(light, null), "2 points are lit.");
  assert.equal(lightWords({ ...light, rows: [1] }, null), "1 point is lit.");
  const entry = Float32Array.from([2, 0, 2, 2, 0, 0.5, 2, 0, 0]);
  const map = { u0: 0, v0: 0, du: 1, dv: 1, columns: 3, rows: 3, entry };
  assert.equal(lightWords({ ...light, level: 1 }, map), "2 points are lit. Level 1: the set has 2 parts.");
  assert.equal(lightWords({ ...light, level: 3 }, map), "2 points are lit. Level 3: the set is empty here.");
});
