import assert from "node:assert/strict";
import { test } from "node:test";

import { isZoomedIn, pannedView, zoomedView } from "../../nestviz/ui/player/js/view_moves.js";

const HOME = [-4, 4, -2, 2];

function near(actual, expected) {
  actual.forEach((value, k) => assert.ok(Math.abs(value - expected[k]) < 1e-9, `${actual}`));
}

test("a zoom keeps the location under the pointer where it is", () => {
  const [u, v] = [1.5, -0.5];
  const view = zoomedView(HOME, u, v, 3, HOME);
  /** The share of the way across the view. */
  const share = (w, low, high) => (w - low) / (high - low);
  near([share(u, view[0], view[1]), share(v, view[2], view[3])], [share(u, -4, 4), share(v, -2, 2)]);
  near([(view[1] - view[0]) / (view[3] - view[2])], [2]);
});

test("a zoom in and out again leads back", () => {
  near(zoomedView(zoomedView(HOME, 1, 1, 4, HOME), 1, 1, 0.25, HOME), HOME);
});

test("a zoom has ends on both sides, and a round trip of large steps is still to scale", () => {
  const close = zoomedView(HOME, 1, 1, 1e30, HOME);
  assert.ok(close[1] > close[0]);
  near([(close[1] - close[0]) / (close[3] - close[2])], [2]);
  const far = zoomedView(close, 1, 1, 1e-30, HOME);
  near([far[1] - far[0], far[3] - far[2]], [16, 8]);
});

test("content follows the hand, and its centre cannot be lost", () => {
  assert.deepEqual(pannedView([0, 2, 0, 2], 0.5, -0.25), [-0.5, 1.5, 0.25, 2.25]);
  near(pannedView([0, 2, 0, 2], 100, 0, HOME), [-5, -3, 0, 2]);
  near(pannedView([0, 2, 0, 2], 0, -100, HOME), [0, 2, 1, 3]);
});

test("zoomed in is what leaves part of the picture out", () => {
  assert.ok(!isZoomedIn(HOME, HOME));
  assert.ok(!isZoomedIn([-8, 8, -4, 4], HOME));
  assert.ok(isZoomedIn(zoomedView(HOME, 0, 0, 1.01, HOME), HOME));
  assert.ok(isZoomedIn(pannedView(HOME, 1, 0), HOME));
});
