import assert from "node:assert/strict";
import { test } from "node:test";

import { addMarker, markerRadius, PathText } from "../../nestviz/ui/components/js/markers.js";
import { MARKER_RADII, SHAPES } from "../../nestviz/ui/components/js/palette.js";
import { areaOf, assertClose, PathRecord } from "./path_record.js";

test("all shapes have about the same area and the same centre", () => {
  const areas = SHAPES.map((shape) => {
    const path = new PathRecord();
    addMarker(path, shape, 5, 7, 3);
    if (path.circles.length) {
      assert.deepEqual(path.circles, [[5, 7, 3]]);
      return Math.PI * 9;
    }
    const [polygon] = path.polygons;
    const mean = [0, 1].map((k) => polygon.reduce((sum, at) => sum + at[k], 0) / polygon.length);
    assertClose(mean, [5, 7]);
    assert.equal(path.closed, 1);
    return areaOf(polygon);
  });
  assert.ok(Math.max(...areas) / Math.min(...areas) < 1.6, areas.join(" "));
});

test("shapes differ from one another", () => {
  const texts = SHAPES.map((shape) => {
    const path = new PathText();
    addMarker(path, shape, 7, 7, 4);
    return path.text;
  });
  assert.equal(new Set(texts).size, SHAPES.length);
  assert.ok(texts[0].startsWith("M11 7a4 4"));
  assert.ok(texts[1].endsWith("Z"));
});

test("markers shrink as their number grows", () => {
  const radii = [1, 200, 201, 700, 2000, 1e6].map(markerRadius);
  assert.deepEqual(radii, [3.8, 3.8, 3.1, 3.1, 2.6, 2]);
  assert.equal(MARKER_RADII.at(-1)[0], Infinity);
});
