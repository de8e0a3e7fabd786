import assert from "node:assert/strict";
import { test } from "node:test";

import { captionAt, pointText } from "../../nestviz/ui/player/js/captions.js";
import { expected, scene } from "./scene.js";

test("sentences are those of Python's pictures", () => {
  for (const { position, level, caption } of expected.at) {
    assert.equal(captionAt(scene, level, position, [0, 0]), caption);
  }
});

test("violations are named where there are any", () => {
  assert.equal(
    captionAt(scene, 0.6, 1, [0.0834, 0]),
    "b; left „1“: 40% of the points inside, 8.3% of the picture violated; "
      + "right: 67% of the points inside",
  );
});

test("by class, without a title, and with sentences of its own", () => {
  const bare = { ...scene, notes: [], by_class: true, panels: [{ ...scene.panels[0], title: "" }] };
  assert.equal(
    captionAt(bare, 0.6, 1, [0]),
    "0% of +1 points inside, 50% of −1 points inside, 100% of new points inside",
  );
  const given = { ...scene, captions: ["one", "two", "three", "four"] };
  assert.deepEqual([0, 1.4, 1.5, 3].map((at) => captionAt(given, 0.6, at, [0, 0])),
    ["one", "two", "three", "four"]);
  const silent = { ...bare, panels: [{ ...bare.panels[0], intervals: null }] };
  assert.equal(captionAt(silent, 0.6, 1, [0]), "");
});

test("what is known about a point", () => {
  assert.equal(
    pointText(scene, { panel: 0, index: 2 }),
    "point 2 at (0.50, 0.250)\n−1\ninside from λ = 0.75 down, in 2 separate intervals",
  );
  assert.equal(
    pointText(scene, { panel: 0, index: 0 }),
    "point 0 at (−2.00, −1.000)\n+1\non the boundary, or outside, at every level",
  );
  assert.equal(pointText(scene, { panel: 1, index: 0 }), "point 0 at (−2.00, −1.000)\n+1");
  const single = { ...scene, class_names: ["points"] };
  assert.equal(pointText(single, { panel: 1, index: 0 }), "point 0 at (−2.00, −1.000)");
  const named = { ...single, point_names: ["row 2, E-0, 2024-01-01"] };
  assert.equal(pointText(named, { panel: 1, index: 0 }), "row 2, E-0, 2024-01-01 at (−2.00, −1.000)");
});

test("sets that grow with the level are entered from below", () => {
  const [panel] = scene.panels;
  const family = { ...panel.family, orientation: 1, levelName: "cost asymmetry γ" };
  const shown = { ...scene, panels: [{ ...panel, family }] };
  assert.match(pointText(shown, { panel: 0, index: 2 }), /inside from γ = 0.1 up, in 2 separate/);
});
