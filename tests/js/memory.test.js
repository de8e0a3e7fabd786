import assert from "node:assert/strict";
import { test } from "node:test";

import { advance, nearestFrame, recall } from "../../nestviz/ui/player/js/memory.js";
import { assertClose } from "./path_record.js";

let count = 0;
const sweepOf = (frames, more = {}) => {
  count += 1;
  return {
    player: { id: `player ${count}` }, levels: new Float64Array(frames), start: 0,
    autoplay: false, loop: "bounce", shown: ["fill"], ...more,
  };
};
/** The same sweep again, with another number of frames or another start. */
const again = (sweep, more) => ({ ...sweep, ...more });

test("a player begins at the start that Python names", () => {
  const memory = recall(sweepOf(10, { start: 4 }), false);
  assert.deepEqual([memory.position, memory.last, memory.playing], [4, 9, false]);
  assert.deepEqual([...memory.views], ["fill"]);
});

test("it plays by itself only where motion is welcome and there is something to play", () => {
  assert.ok(recall(sweepOf(10, { autoplay: true }), false).playing);
  assert.ok(!recall(sweepOf(10, { autoplay: true }), true).playing);
  assert.ok(!recall(sweepOf(1, { autoplay: true }), false).playing);
});

test("another number of levels keeps the part of the sweep", () => {
  const sweep = sweepOf(21, { start: 5 });
  recall(sweep, false).position = 20;
  const memory = recall(again(sweep, { levels: new Float64Array(41) }), false);
  assert.equal(memory.position, 40);
  assert.equal(recall(again(sweep, { levels: new Float64Array(1) }), false).position, 0);
  assert.equal(recall(again(sweep, { levels: new Float64Array(31) }), false).position, 5);
});

test("Python moves the player by another start, not by echoing a report", () => {
  const sweep = sweepOf(20);
  const memory = recall(sweep, false);
  memory.position = 7;
  memory.reported = 7;
  recall(again(sweep, { start: 7 }), false);
  memory.position = 9;
  assert.equal(recall(again(sweep, { start: 7 }), false).position, 9);
  assert.equal(recall(again(sweep, { start: 3 }), false).position, 3);
});

test("back and forth: it turns at both ends", () => {
  const memory = recall(sweepOf(5), false);
  memory.position = 3.5;
  advance(memory, 1);
  assert.deepEqual([memory.position, memory.direction], [4, -1]);
  advance(memory, 1.5);
  assertClose(memory.position, 2.5);
  advance(memory, 3);
  assert.deepEqual([memory.position, memory.direction], [0, 1]);
});

test("round and round: the last frame lasts as long as the others", () => {
  const memory = recall(sweepOf(5, { loop: "wrap" }), false);
  memory.position = 4;
  advance(memory, 0.75);
  assertClose(memory.position, 4.75);
  assert.equal(nearestFrame(memory), 4);
  advance(memory, 0.5);
  assertClose(memory.position, 0.25);
  assert.equal(nearestFrame(memory), 0);
});
