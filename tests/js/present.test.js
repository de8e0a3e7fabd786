import assert from "node:assert/strict";
import { test } from "node:test";
import { presentationAct } from "../../nestviz/ui/components/js/present.js";

const PLAIN = { presented: false, covered: false };
const SHOWN = { presented: true, covered: false };

/** @param {string} key @param {Partial<KeyboardEvent>} [more] @returns {KeyboardEvent} */
function pressed(key, more = {}) {
  const none = { ctrlKey: false, metaKey: false, altKey: false, repeat: false };
  return /** @type {KeyboardEvent} */ ({ key, ...none, ...more });
}

test("F presents a page and returns from it", () => {
  assert.equal(presentationAct(pressed("f"), PLAIN), "toggle");
  assert.equal(presentationAct(pressed("F"), SHOWN), "toggle");
});

test("shortcuts of the browser and held keys are left alone", () => {
  assert.equal(presentationAct(pressed("f", { ctrlKey: true }), PLAIN), null);
  assert.equal(presentationAct(pressed("f", { metaKey: true }), SHOWN), null);
  assert.equal(presentationAct(pressed("f", { repeat: true }), PLAIN), null);
  assert.equal(presentationAct(pressed("r"), PLAIN), null);
});

test("other keys act on a presented page only", () => {
  assert.equal(presentationAct(pressed("Escape"), PLAIN), null);
  assert.equal(presentationAct(pressed("PageDown"), PLAIN), null);
  assert.equal(presentationAct(pressed("Escape"), SHOWN), "leave");
  assert.equal(presentationAct(pressed("PageDown"), SHOWN), "forward");
  assert.equal(presentationAct(pressed("PageUp"), SHOWN), "back");
});

test("Escape closes an open list first", () => {
  assert.equal(presentationAct(pressed("Escape"), { presented: true, covered: true }), null);
});
