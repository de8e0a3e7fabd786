import assert from "node:assert/strict";
import { test } from "node:test";

import { PANEL_MARGIN, panelBoxes, sizedRadius } from "../../nestviz/ui/player/js/layout.js";
import { assertClose } from "./path_record.js";

const SQUARE = [0, 1, 0, 1];
const VIEWS = [SQUARE, [-2, 3, -1, 1.5], [0, 1, -4, 4], [0, 100, 0, 1e-1], [0, 1e-3, 0, 5]];
const SIZES = [[1, 300], [1, 1000], [2, 400], [2, 1200], [3, 1000], [4, 900], [5, 639], [6, 1600]];

const columnsOf = (count, width) =>
  new Set(panelBoxes(count, width, 400, SQUARE).boxes.map(({ x }) => x)).size;

test("up to three panels in a row, four as two and two, one column where it is narrow", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6].map((count) => columnsOf(count, 1200)), [1, 2, 3, 2, 3, 3]);
  assert.deepEqual([1, 2, 4].map((count) => columnsOf(count, 639)), [1, 1, 1]);
  assert.equal(columnsOf(2, 640), 2);
});

test("panels lie on the canvas with their margins and do not overlap", () => {
  const { left, right, top, bottom } = PANEL_MARGIN;
  for (const [count, width] of SIZES) {
    for (const view of VIEWS) {
      const { boxes, height } = panelBoxes(count, width, 380, view);
      assert.equal(boxes.length, count);
      const framed = boxes.map(({ x, y, w, h }) => (
        { x: x - left, y: y - top, w: w + left + right, h: h + top + bottom }
      ));
      framed.forEach((a, k) => {
        assert.ok(a.x >= -1e-9 && a.y >= -1e-9);
        assert.ok(a.x + a.w <= width + 1e-9 && a.y + a.h <= height + 1e-9);
        for (const b of framed.slice(k + 1)) {
          assert.ok(a.x + a.w <= b.x + 1e-9 || a.y + a.h <= b.y + 1e-9 || b.x + b.w <= a.x + 1e-9);
        }
      });
    }
  }
});

test("to scale: a unit is as long across as along", () => {
  for (const [count, width] of SIZES) {
    for (const most of [150, 380, 2000]) {
      for (const view of VIEWS) {
        const [xmin, xmax, ymin, ymax] = view;
        const { boxes } = panelBoxes(count, width, most, view);
        for (const { w, h } of boxes) assertClose((w / (xmax - xmin)) / (h / (ymax - ymin)), 1, 1e-9);
      }
    }
  }
});

test("the height follows the view, up to the largest one", () => {
  const { left, right, top, bottom } = PANEL_MARGIN;
  const flat = panelBoxes(1, 1000, 460, [0, 4, 0, 1]);
  assertClose(flat.height, (1000 - left - right) / 4 + top + bottom);
  assert.equal(panelBoxes(1, 1000, 460, SQUARE).height, 460);
  assert.equal(panelBoxes(2, 400, 300, SQUARE).height, 2 * 300);
  // All rows together, where the picture fills the screen.
  assert.equal(panelBoxes(2, 400, 600, SQUARE, 1, true).height, 600);
  assert.equal(panelBoxes(4, 1200, 900, SQUARE, 1.5, true).height, 900);
});

test("the area of a marker follows its size", () => {
  assertClose(sizedRadius(2, 0), 1.1);
  assertClose(sizedRadius(2, 1), 4.6);
  assertClose(sizedRadius(2, 7), 4.6);
  assertClose(sizedRadius(1, 0.25), 0.55 + 1.75 * 0.5);
});
