import assert from "node:assert/strict";
import { test } from "node:test";

import { pathWords } from "../../nestviz/ui/player/js/paths_chart.js";
import { drawnKinds, sizesAt } from "../../nestviz/ui/player/js/points.js";
import { assertClose } from "./path_record.js";
import { expected, scene } from "./scene.js";

test("sizes are Python's; repeated points divide a coefficient", () => {
  scene.panels.forEach((panel, k) => {
    for (const { level, sizes } of expected.at) {
      const found = sizesAt(panel, level);
      if (sizes[k] === null) assert.equal(found, null);
      else assertClose([...found], sizes[k], 1e-12);
    }
  });
});

test("without repeated points, each has a coefficient of its own", () => {
  const panel = { ...scene.panels[1], sizeRows: null, classes: new Uint8Array(2), sizeScale: 0.25 };
  assert.deepEqual([...sizesAt(panel, 0.5)], [0.25, 0.125]);
});

test("classes look alike where sets do not know of them", () => {
  assert.deepEqual(drawnKinds(scene), scene.class_names);
  assert.deepEqual(drawnKinds({ ...scene, neutral: true }), ["points"]);
});

test("coefficients are counted by what they do at a level", () => {
  const panel = { ...scene.panels[1], sizeRows: null, classes: new Uint8Array(2), sizeScale: 1 };
  const shown = { ...scene, panels: [scene.panels[0], panel] };
  const words = pathWords(shown, 1.5, [1, 7]);
  assert.equal(words, "Coefficients of all points along the level. At training mass = 50.0%: "
    + "right: 1 at the bound, 1 in between, 0 zero; point 1 in between.");
});
