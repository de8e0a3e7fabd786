import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { LiveScene, quickPanels } from "../../nestviz/ui/player/js/live_scene.js";

/** @param {boolean[]} nested @param {number} points */
const sceneOf = (nested, points) => ({
  panels: nested.map((isNested) => ({ family: { isNested, derived: "" }, classes: new Uint8Array(points) })),
});

test("of many points, families that are solved quickly come first", () => {
  assert.deepEqual(quickPanels(sceneOf([false, true], 2000)), [1]);
  assert.equal(quickPanels(sceneOf([false, true], 400)), null);
  assert.equal(quickPanels(sceneOf([true, true], 2000)), null);
  assert.equal(quickPanels(sceneOf([false, false], 2000)), null);
});

test("a scene of Python that is older than the hand is not shown", () => {
  const live = new LiveScene(() => {}, () => {});
  /** @param {number} value */
  const sent = (value) => ({ knobs: [{ key: "width", value }] });
  assert.equal(live.outdated(sent(0.2)), false);
  live.awaited = { width: 0.3 };
  assert.equal(live.outdated(sent(0.2)), true);
  assert.equal(live.outdated(sent(0.3)), false);
  assert.deepEqual(live.awaited, {});
  live.moving = true;
  assert.equal(live.outdated(sent(0.3)), true);
});

test("what went wrong is no longer said once there is an answer", async () => {
  /** @type {string[]} */
  const said = [];
  const live = new LiveScene(() => {}, (sentence) => { said.push(sentence); });
  const message = new Uint8Array(readFileSync(new URL("scene.bin", import.meta.url)));
  const answers = [() => { throw new Error("There is no point left."); }, () => message];
  live.channel = /** @type {any} */ ({ off: false, ask: async () => answers.shift()?.() });
  assert.equal(await live.answer({ knobs: {} }, null), false);
  assert.equal(await live.answer({ knobs: {} }, null), true);
  assert.deepEqual(said, ["There is no point left.", ""]);
});


test("what was asked at an address that is given up is asked again at the new one", async () => {
  const live = new LiveScene(() => {}, () => {});
  const scene = /** @type {any} */ ({ ...sceneOf([true], 10), live: { url: "live", token: "a", player: "p" } });
  globalThis.document ??= /** @type {any} */ ({ baseURI: "http://127.0.0.1/" });
  globalThis.window ??= /** @type {any} */ (globalThis);
  /** @type {string[]} */
  const asked = [];
  /** @param {string} name */
  const silent = (name) => /** @type {any} */ ({
    off: false, close() {}, ask: () => { asked.push(name); return new Promise(() => {}); },
  });
  assert.equal(live.connect(scene), true);
  live.channel = silent("old");
  live.ask({ width: 1 }, scene);
  assert.equal(live.connect(scene), false);
  live.ask({ width: 1 }, scene);
  assert.deepEqual(asked, ["old"]);
  assert.equal(live.connect({ ...scene, live: { ...scene.live, token: "b" } }), true);
  live.channel = silent("new");
  live.ask({ width: 1 }, scene);
  assert.deepEqual(asked, ["old", "new"]);
});
