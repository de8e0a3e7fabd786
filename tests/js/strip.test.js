import assert from "node:assert/strict";
import { test } from "node:test";

import { drawStrip, STRIP_INSET, stripLine, worstLevel } from "../../nestviz/ui/player/js/strip.js";
import { canvasRecord, scaleOf, THEME } from "./canvas_record.js";
import { assertClose } from "./path_record.js";

const SCALE = scaleOf([0.5, 0.4, 0.3, 0.2, 0.1]);
const SHARES = {
  levels: Float64Array.of(0.1, 0.3, 0.5), shares: Float64Array.of(0.02, 0.08, 0), complete: true,
};

test("the worst level is that of the largest share; none if nothing is broken", () => {
  assert.equal(worstLevel(SHARES), 0.3);
  assert.equal(worstLevel({ ...SHARES, shares: new Float64Array(3) }), null);
  assert.equal(worstLevel({ ...SHARES, shares: Float64Array.of(NaN, NaN, 0.1) }), 0.5);
  assert.equal(worstLevel({ levels: new Float64Array(), shares: new Float64Array() }), null);
});

test("the line goes from small sets to large ones, below the thumb of the scrubber", () => {
  const line = stripLine(100 + 2 * STRIP_INSET, 20, SHARES, SCALE);
  assertClose(line.map(({ x }) => x - STRIP_INSET), [0, 50, 100]);
  assert.equal(line[0].y, 20);
  assert.ok(line[1].y < line[2].y && line[1].y > 0);
});

test("shares that are not known yet are left out, and tiny ones are not blown up", () => {
  const partly = { ...SHARES, shares: Float64Array.of(NaN, 1e-5, 0), complete: false };
  const line = stripLine(100, 20, partly, SCALE);
  assert.equal(line.length, 2);
  assert.ok(line[1].y > 19);
});

test("a strip without broken levels is a line only", () => {
  const [empty, full] = [canvasRecord(), canvasRecord()];
  drawStrip(empty, 100, 20, { ...SHARES, shares: new Float64Array(3) }, SCALE, THEME);
  drawStrip(full, 100, 20, SHARES, SCALE, THEME);
  assert.ok(!empty.calls.some(([name]) => name === "fill"));
  assert.ok(full.calls.some(([name, , fill]) => name === "fill" && fill === "alarm"));
});
