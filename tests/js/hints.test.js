import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { mergedSearch, pageInView } from "../../nestviz/ui/components/js/address.js";
import { decodeSweep } from "../../nestviz/ui/player/js/decode.js";
import { pointText, viewOffered } from "../../nestviz/ui/player/js/hints.js";

const sweep = decodeSweep(new Uint8Array(readFileSync(new URL("./sweep.bin", import.meta.url))));

test("what is known about a point", () => {
  assert.equal(pointText(sweep, { panel: 0, index: 2 }), "point 2 at (0.50, 0.250)\n−1\nZeile 2 <b>");
  assert.equal(pointText(sweep, { panel: 1, index: 0 }), "point 0 at (−2.00, −1.000)\n+1");
  const single = { ...sweep, class_names: ["points"] };
  assert.equal(pointText(single, { panel: 1, index: 1 }), "point 1 at (3.00, 1.500)");
});

test("a switch is offered where it has something to switch", () => {
  for (const name of ["levels", "outline", "fill", "overlay", "sizes"]) {
    assert.ok(viewOffered(sweep, name), name);
  }
  const bare = { ...sweep, ghost_every: 0, panels: [sweep.panels[1]] };
  assert.deepEqual(
    ["levels", "outline", "fill", "overlay", "sizes"].filter((name) => viewOffered(bare, name)),
    ["outline", "fill"],
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
