import assert from "node:assert/strict";
import { test } from "node:test";

import { advance, recall, shownPosition } from "../../nestviz/ui/player/js/memory.js";
import { assertClose } from "./path_record.js";

let count = 0;
const levels = (stops) => ({ levels: new Float64Array(stops) });
const sceneOf = (stops, more = {}) => {
  count += 1;
  return {
    player: { id: `player ${count}` }, scale: levels(stops), start: 0,
    autoplay: false, loop: "bounce", shown: ["fill"], ...more,
  };
};
/** The same scene again, with another number of stops or another start. */
const again = (scene, more) => ({ ...scene, ...more });

test("a player begins at the start that Python names", () => {
  const memory = recall(sceneOf(10, { start: 4.25 }), false);
  assert.deepEqual([memory.position, memory.last, memory.playing], [4.25, 9, false]);
  assert.deepEqual([...memory.views], ["fill"]);
  assert.deepEqual([memory.zoom, memory.probe], [null, null]);
});

test("the location pinned by a link is pinned", () => {
  const scene = sceneOf(10);
  scene.player.probe = [0.5, 2];
  assert.deepEqual(recall(scene, false).probe, [0.5, 2]);
});

test("it plays by itself only where motion is welcome and there is something to play", () => {
  assert.ok(recall(sceneOf(10, { autoplay: true }), false).playing);
  assert.ok(!recall(sceneOf(10, { autoplay: true }), true).playing);
  assert.ok(!recall(sceneOf(1, { autoplay: true }), false).playing);
});

test("another number of stops keeps the part of the axis", () => {
  const scene = sceneOf(21, { start: 5 });
  recall(scene, false).position = 20;
  const memory = recall(again(scene, { scale: levels(41) }), false);
  assert.equal(memory.position, 40);
  assert.equal(recall(again(scene, { scale: levels(1) }), false).position, 0);
  assert.equal(recall(again(scene, { scale: levels(31) }), false).position, 5);
});

test("Python moves the player by another start, not by echoing a report", () => {
  const scene = sceneOf(20);
  const memory = recall(scene, false);
  memory.position = 7.5;
  memory.reported = 7.5;
  recall(again(scene, { start: 7.5 }), false);
  memory.position = 9;
  assert.equal(recall(again(scene, { start: 7.5 }), false).position, 9);
  assert.equal(recall(again(scene, { start: 3 }), false).position, 3);
});

test("zoom, divider, angle and layers survive another scene", () => {
  const scene = sceneOf(20);
  const memory = recall(scene, false);
  Object.assign(memory, { zoom: [0, 1, 0, 1], divider: 0.25, views: new Set(["hill"]) });
  assert.equal(recall(again(scene, { shown: ["outline"], scale: levels(30) }), false), memory);
  assert.deepEqual([memory.zoom, memory.divider, [...memory.views]], [[0, 1, 0, 1], 0.25, ["hill"]]);
});

test("back and forth: it turns at both ends", () => {
  const memory = recall(sceneOf(5), false);
  memory.position = 3.5;
  advance(memory, 1);
  assert.deepEqual([memory.position, memory.direction], [4, -1]);
  advance(memory, 1.5);
  assertClose(memory.position, 2.5);
  advance(memory, 3);
  assert.deepEqual([memory.position, memory.direction], [0, 1]);
});

test("round and round: it begins again after the last stop, and reaches that stop", () => {
  const memory = recall(sceneOf(5, { loop: "wrap" }), false);
  memory.position = 3.25;
  memory.direction = -1;
  advance(memory, 0.75);
  assert.deepEqual([memory.position, memory.direction], [4, 1]);
  advance(memory, 0.5);
  assertClose(memory.position, 0.5);
});

test("in a scene of a few sets the nearest is shown", () => {
  const memory = recall(sceneOf(5), false);
  memory.position = 2.6;
  assert.equal(shownPosition(memory, true), 3);
  assert.equal(shownPosition(memory, false), 2.6);
});
