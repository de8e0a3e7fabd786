import assert from "node:assert/strict";
import { test } from "node:test";

import { makePlot } from "../../nestviz/ui/components/js/plot.js";
import { bandAt, drawBand, sideAt } from "../../nestviz/ui/player/js/band.js";
import { captionAt } from "../../nestviz/ui/player/js/captions.js";
import { viewOffered } from "../../nestviz/ui/player/js/hints.js";
import { levelAt } from "../../nestviz/ui/player/js/scale.js";
import { THEME, canvasRecord } from "./canvas_record.js";
import { expected, scene } from "./scene.js";

const { band } = scene.panels[1];

test("both sides of a band are Python's, at its levels and between them", () => {
  assert.equal(scene.panels[0].band, null);
  for (const { position, inner, outer, share } of expected.banded) {
    const level = levelAt(scene.scale, position);
    for (const [side, values] of [[band.inner, inner], [band.outer, outer]]) {
      const largest = Math.max(...values.map(Math.abs));
      sideAt(band, side, level).forEach((value, k) => {
        assert.ok(Math.abs(value - values[k]) < 1e-4 * largest, `${position} ${k}`);
      });
    }
    assert.equal(bandAt(band, level).share, share);
  }
});

test("beyond its levels a band is that of the nearest", () => {
  assert.deepEqual(sideAt(band, band.inner, 7), sideAt(band, band.inner, 1));
  assert.deepEqual(sideAt(band, band.outer, 0.01), sideAt(band, band.outer, 0.125));
});

test("sentences speak of a band where it is shown", () => {
  for (const { position, caption } of expected.banded) {
    const said = captionAt(scene, levelAt(scene.scale, position), position, [0, 0], true);
    assert.equal(said, caption);
    assert.match(said, /boundary in 90% of 50 resamples: the shaded \d+\.\d% of the picture$/);
  }
});

test("a band is shaded between its sides, with dotted edges, and traced once a level", () => {
  const context = canvasRecord();
  drawBand(context, makePlot({ x: 0, y: 0, w: 50, h: 25 }, scene.view), band, 0.4, THEME);
  const names = context.calls.map(([name]) => name);
  assert.deepEqual(context.calls.find(([name]) => name === "fill").slice(1, 3), [["evenodd"], THEME.text]);
  assert.ok(names.indexOf("setLineDash") < names.indexOf("stroke"));
  assert.equal(bandAt(band, 0.4), bandAt(band, 0.4));
  const { inner, outer } = bandAt(band, 0.4);
  assert.deepEqual([inner.ends.length, outer.ends.length], [1, 1]);
  assert.ok(outer.ends[0] > inner.ends[0]);
});

test("the switch is offered where Python can compute bands, or where there are some", () => {
  const alone = { ...scene, player: { ...scene.player, report: false } };
  const none = { ...alone, panels: [scene.panels[0]] };
  assert.deepEqual([scene, alone, none].map((one) => viewOffered(one, "band")), [true, true, false]);
});
