import assert from "node:assert/strict";
import { test } from "node:test";

import { mergedSearch, pageInView } from "../../nestviz/ui/components/js/address.js";
import { viewOffered } from "../../nestviz/ui/player/js/hints.js";
import { scene } from "./scene.js";

const LAYERS = ["levels", "outline", "fill", "overlay", "sizes", "hill", "stack", "swipe", "truth"];

test("a switch is offered where it has something to switch", () => {
  for (const name of LAYERS) assert.ok(viewOffered(scene, name), name);
  const bare = {
    ...scene, ghosts: 0, truth: null, panels: [{ ...scene.panels[1], sizeScale: null }],
  };
  assert.deepEqual(
    LAYERS.filter((name) => viewOffered(bare, name)), ["outline", "fill", "hill", "stack"],
  );
});

test("the page in view", () => {
  assert.equal(pageInView(["tree", "data"], "/tree"), "tree");
  assert.equal(pageInView(["tree", "data"], "/under/a/prefix/data/"), "data");
  assert.equal(pageInView(["tree", "data"], "/"), "");
});

test("parameters are replaced, those of embedding kept", () => {
  assert.equal(mergedSearch("a=1&b=x%20y", "?a=2&c=3&embed=true&embed_options=dark"),
    "a=1&b=x+y&embed=true&embed_options=dark");
  assert.equal(mergedSearch("", "?c=3"), "");
});
