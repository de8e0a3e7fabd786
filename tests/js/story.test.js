import assert from "node:assert/strict";
import { test } from "node:test";

import { drawChart } from "../../nestviz/ui/player/js/chart_drawing.js";
import { spokenShares } from "../../nestviz/ui/player/js/captions.js";
import { brokenShare, pixelsWithin } from "../../nestviz/ui/player/js/level_maps.js";
import { recall } from "../../nestviz/ui/player/js/memory.js";
import { rankLines } from "../../nestviz/ui/player/js/rank_lines.js";
import { prepareChart } from "../../nestviz/ui/player/js/side_chart.js";
import { levelAt } from "../../nestviz/ui/player/js/scale.js";
import { canvasRecord, scaleOf, textsOf, THEME } from "./canvas_record.js";
import { plainFamily } from "./families.js";
import { assertClose } from "./path_record.js";

const FAMILY = plainFamily({
  centres: [[-1, 0], [1, 0]], rows: [[0, 0.1], [0.1, 0.3], [0.5, 0.5]],
  levels: [0.1, 0.3, 0.5], offsets: [0.1, 0.3, 0.5], sigma: 0.5, orientation: -1, high: 0.5, low: 0.1,
});
/** Four points: one stays from 0.4 on, one comes back, one leaves for good, one never enters. */
const PANEL = {
  title: "Plain", family: FAMILY, classes: new Uint8Array(4), points: new Float64Array(8),
  intervals: {
    starts: Uint32Array.of(0, 1, 3, 4, 4),
    lower: Float64Array.of(0.1, 0.1, 0.4, 0.3),
    upper: Float64Array.of(0.4, 0.2, 0.5, 0.45),
  },
};
const story = (chart, more = {}) => ({
  name: "why", title: "Why?", text: ["Because."], notes: "", steps: [["why", "Why?"]], choices: [], detour: "",
  chart, centre: [0, 0], excess: [], ...more,
});
const sceneOf = (chart, more = {}) => ({
  player: { id: "story", story: story(chart, more) }, panels: [PANEL], view: [-4, 4, -2, 2],
  scale: scaleOf([0.5, 0.4, 0.3, 0.2, 0.1], "level λ"),
});
const BOX = { x: 50, y: 30, w: 200, h: 150 };
const at = (scene, position) => ({
  scene, position, level: levelAt(scene.scale, position), theme: THEME, grown: 1,
});

test("points have a rank by their first set and by the set from which they stay", () => {
  assert.deepEqual(rankLines(PANEL), [
    { first: 3, last: 1, leaves: false },
    { first: 1, last: 2, leaves: true },
    { first: 2, last: 3.5, leaves: true },
    { first: 4, last: 3.5, leaves: false },
  ]);
  assert.equal(rankLines({ ...PANEL, intervals: null }), null);
});

test("sets that grow with the level are ranked by the smallest level", () => {
  const intervals = {
    starts: Uint32Array.of(0, 1, 3), lower: Float64Array.of(0.3, 0.1, 0.4), upper: Float64Array.of(0.5, 0.2, 0.5),
  };
  const panel = { ...PANEL, family: { ...FAMILY, orientation: 1 }, classes: new Uint8Array(2), intervals };
  assert.deepEqual(rankLines(panel).map(({ first, last }) => [first, last]), [[2, 1], [1, 2]]);
});

test("a chart that is not asked for, or has no pin, is nothing", () => {
  assert.equal(prepareChart({ ...sceneOf(""), player: { id: "story", story: null } }, [0, 0]), null);
  assert.equal(prepareChart(sceneOf(""), [0, 0]), null);
  assert.equal(prepareChart(sceneOf("profile"), null), null);
  assert.equal(drawChart(canvasRecord(), BOX, null, at(sceneOf(""), 0)), "");
});

test("the profile says at each level whether the mark is inside", () => {
  const scene = sceneOf("profile");
  const chart = prepareChart(scene, [-1, 0]);
  assert.equal(chart.kind, "profile");
  const context = canvasRecord();
  assert.match(drawChart(context, BOX, chart, at(scene, 0)), /At λ = 0.5 it is 1 at the marked location, which is inside/);
  assert.ok(textsOf(context).includes("Σ αᵢ k(xᵢ, x) / λ along the line"));
  assert.ok(textsOf(context).includes("distance from the mark"));
  assert.match(drawChart(context, BOX, chart, at(scene, 2)), /At λ = 0.3 it is 0.33\d at .* outside/);
});

test("the course of a location has its ratio at all levels, and its broken stretch", () => {
  const scene = sceneOf("course");
  const chart = prepareChart(scene, [-1, 0]);
  assertClose([chart.ratios[0], chart.ratios.at(-1)], [1 + Math.exp(-8), Math.exp(-8)], 1e-6);
  assert.equal(chart.probe.broken.length, 1);
  const context = canvasRecord();
  assert.match(drawChart(context, BOX, chart, at(scene, 4)), /At λ = 0.1 it is .*: outside/);
  const texts = textsOf(context);
  assert.ok(texts.includes("0.5") && texts.includes("0.1") && texts.includes("level λ"));
});

test("ranks are counted, or said to be unknown", () => {
  const scene = sceneOf("ranks");
  const words = drawChart(canvasRecord(), BOX, prepareChart(scene, null), at(scene, 1));
  assert.match(words, /Ranks of 4 points, the most typical on top.* 2 of them leave/);
  const unknown = { ...scene, panels: [{ ...PANEL, intervals: null }] };
  assert.match(drawChart(canvasRecord(), BOX, prepareChart(unknown, null), at(unknown, 1)), /not known/);
});

test("numbers over the level are read between the stops", () => {
  const scene = sceneOf("excess", { excess: [0, 0.1, 0.2, 0.3, 0.4] });
  const chart = prepareChart(scene, null);
  assert.match(drawChart(canvasRecord(), BOX, chart, at(scene, 2.5)), /25.0% at λ = 0.25/);
  assert.match(drawChart(canvasRecord(), BOX, chart, at(scene, 4)), /40.0% at λ = 0.1\./);
});

test("another step begins at its own start, layers, pin and play state", () => {
  const step = (name, more) => ({
    ...sceneOf(""), loop: "bounce", start: 1, autoplay: false, shown: ["fill"], ...more,
    player: { id: "steps", story: { ...story(""), name }, probe: [0, 1] },
  });
  const memory = recall(step("one"), false);
  Object.assign(memory, { position: 3, reported: 3, zoom: [0, 1, 0, 1], probe: [2, 2] });
  memory.views.add("hill");
  assert.equal(recall(step("one"), false).position, 3);
  const next = recall(step("two", { autoplay: true, shown: ["outline"] }), false);
  assert.equal(next, memory);
  assert.deepEqual(
    [next.position, next.reported, next.playing, [...next.views], next.zoom, next.probe],
    [1, 1, true, ["outline"], null, [0, 1]],
  );
  assert.ok(!recall(step("three", { autoplay: true }), true).playing);
});

test("violations are not spoken of before the story comes to them", () => {
  const told = sceneOf("");
  assert.deepEqual(spokenShares(told, new Set(["fill"]), [0.1, 0.2]), [0, 0]);
  assert.deepEqual(spokenShares(told, new Set(["overlay"]), [0.1, 0.2]), [0.1, 0.2]);
  assert.deepEqual(spokenShares({ player: { id: "plain" } }, new Set(), [0.1]), [0.1]);
});

test("cells beyond the picture do not count as parts of it", () => {
  const lattice = { columns: 6, rows: 5 };
  assert.deepEqual([...pixelsWithin(lattice, 1)], [7, 8, 9, 13, 14, 15]);
  assert.equal(pixelsWithin(lattice, 0).length, 30);
  const before = { level: 2, field: new Float32Array(30).fill(1) };
  const after = { level: 1, field: new Float32Array(30).fill(1) };
  after.field[8] = after.field[0] = -1;
  assertClose(brokenShare([before, after], pixelsWithin(lattice, 1)), [0, 1 / 6]);
});
