import assert from "node:assert/strict";
import { test } from "node:test";

import {
  blend, distanceToLines, hintCorner, insidePolygon, nearestIndex, traceLine, traceRings,
} from "../../nestviz/ui/components/js/geometry.js";
import { countAt } from "../../nestviz/ui/components/js/branches_picture.js";
import { makePlot } from "../../nestviz/ui/components/js/plot.js";
import { assertClose, PathRecord } from "./path_record.js";

const PLOT = makePlot({ x: 0, y: 0, w: 100, h: 100 }, [0, 1, 0, 1]);

test("the nearest position within reach, the last of equals", () => {
  const positions = [0, 0, 10, 0, 10, 0, 50, 50];
  assert.equal(nearestIndex(positions, 9, 1, 8), 2);
  assert.equal(nearestIndex(positions, 1, 1, 8), 0);
  assert.equal(nearestIndex(positions, 30, 30, 8), -1);
  assert.equal(nearestIndex(positions, 50, 58, 8), 3);
  assert.equal(nearestIndex([], 0, 0, 8), -1);
});

test("inside a polygon with a notch", () => {
  const polygon = [[0, 0], [10, 0], [10, 10], [5, 3], [0, 10]];
  assert.ok(insidePolygon(polygon, 5, 2));
  assert.ok(insidePolygon(polygon, 1, 7));
  assert.ok(!insidePolygon(polygon, 5, 7));
  assert.ok(!insidePolygon(polygon, 11, 5));
  assert.ok(!insidePolygon([[0, 0], [1, 1]], 0.5, 0.6));
});

test("distance to lines that run up or across", () => {
  const lines = [[0.2, 0.5, 0.8, 0.5], [0.8, 0.5, 0.8, 0.9]];
  assertClose(distanceToLines(lines, PLOT, 50, 47), 3);
  assertClose(distanceToLines(lines, PLOT, 17, 46), 5);
  assertClose(distanceToLines(lines, PLOT, 90, 20), 10);
  assert.equal(distanceToLines([], PLOT, 0, 0), Infinity);
});

test("lines stay open, rings are closed", () => {
  const path = new PathRecord();
  traceLine(path, [0, 0, 1, 1], PLOT);
  assert.equal(path.closed, 0);
  traceRings(path, [[0, 0, 1, 0, 1, 1], [0.5, 0.5, 0.6, 0.5, 0.6, 0.6]], PLOT);
  assert.equal(path.closed, 2);
  assert.deepEqual(path.polygons[1], [[0, 100], [100, 100], [100, 0]]);
});

test("colours are mixed by part", () => {
  assert.equal(blend("#000000", "#ff8040", 0), "rgb(0,0,0)");
  assert.equal(blend("#000000", "#FF8040", 1), "rgb(255,128,64)");
  assert.equal(blend("#102030", "#304050", 0.5), "rgb(32,48,64)");
});

test("a hint stands right of its point, left where the canvas ends, and inside it", () => {
  const [hint, canvas] = [{ w: 100, h: 40 }, { width: 400, height: 200 }];
  assert.deepEqual(hintCorner({ x: 50, y: 100 }, hint, canvas), { left: 64, top: 80 });
  assert.deepEqual(hintCorner({ x: 350, y: 100 }, hint, canvas), { left: 236, top: 80 });
  assert.deepEqual(hintCorner({ x: 50, y: 5 }, hint, canvas), { left: 64, top: 0 });
  assert.deepEqual(hintCorner({ x: 50, y: 199 }, hint, canvas), { left: 64, top: 160 });
  assert.deepEqual(hintCorner({ x: 50, y: 5 }, { w: 500, h: 300 }, canvas), { left: 0, top: 0 });
});

test("clusters at a height", () => {
  const counts = [[0, 1, 1], [1, 2, 3], [3, 2, 2]];
  assert.deepEqual([0, 0.5, 1, 1.9, 2.5, 3].map((height) => countAt(counts, height)), [1, 1, 3, 3, 2, 0]);
});
