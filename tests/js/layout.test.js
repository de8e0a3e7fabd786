import assert from "node:assert/strict";
import { test } from "node:test";

import { framesAround, panelBoxes, sizedRadius } from "../../nestviz/ui/player/js/layout.js";
import { assertClose } from "./path_record.js";

const columnsOf = (count, width) =>
  new Set(panelBoxes(count, width, 400).boxes.map(({ x }) => x)).size;

test("up to three panels in a row, four as two and two, one column where it is narrow", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6].map((count) => columnsOf(count, 1200)), [1, 2, 3, 2, 3, 3]);
  assert.deepEqual([1, 2, 4].map((count) => columnsOf(count, 719)), [1, 1, 1]);
});

test("panels lie on the canvas and do not overlap", () => {
  for (const [count, width] of [[1, 300], [2, 400], [3, 1000], [4, 900], [6, 1600]]) {
    const { boxes, height } = panelBoxes(count, width, 380);
    assert.equal(boxes.length, count);
    boxes.forEach((a, k) => {
      assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.w <= width && a.y + a.h <= height);
      for (const b of boxes.slice(k + 1)) {
        assert.ok(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y);
      }
    });
  }
});

test("a narrow canvas has lower panels, but not too low", () => {
  assert.equal(panelBoxes(1, 1000, 460).height, 460);
  assertClose(panelBoxes(2, 400, 460).height, 2 * 368);
  assert.equal(panelBoxes(1, 200, 460).height, 260);
});

test("frames on both sides of a position", () => {
  assert.deepEqual(framesAround(2, 5), { low: 2, high: 3, share: 0 });
  assert.deepEqual(framesAround(2.25, 5), { low: 2, high: 3, share: 0.25 });
  assert.deepEqual(framesAround(5, 5), { low: 5, high: 5, share: 0 });
  assert.deepEqual(framesAround(5.8, 5), { low: 5, high: 5, share: 0 });
});

test("the area of a marker follows its size", () => {
  assertClose(sizedRadius(2, 0, 0, 0.5), 1.1);
  assertClose(sizedRadius(2, 255, 255, 0.5), 4.6);
  assertClose(sizedRadius(1, 0, 255, 0.25), 0.55 + 1.75 * 0.5);
});
