import assert from "node:assert/strict";
import { test } from "node:test";

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
