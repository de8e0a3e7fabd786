import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { marksOf, setMarks, watchMarks } from "../../nestviz/ui/player/js/marks.js";

beforeEach(() => { globalThis.window = new EventTarget(); });
afterEach(() => { delete globalThis.window; });

test("a player without an entry marks nothing, one with an empty entry could", () => {
  assert.equal(marksOf("a"), null);
  setMarks("a", []);
  assert.deepEqual(marksOf("a"), []);
  assert.equal(marksOf("b"), null);
});

test("the table is on the window, where every module of the page finds it", () => {
  setMarks("a", [3, 1]);
  assert.deepEqual([...globalThis.window.nestvizMarks], [["a", [3, 1]]]);
});

test("watchers are called with the id, after the change, until they stop", () => {
  const seen = [];
  const stop = watchMarks((id) => seen.push([id, marksOf(id)]));
  setMarks("a", [1]);
  setMarks("b", [2]);
  stop();
  setMarks("a", [5]);
  assert.deepEqual(seen, [["a", [1]], ["b", [2]]]);
});
