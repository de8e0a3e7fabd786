import assert from "node:assert/strict";
import { test } from "node:test";

import { THEMES } from "../../nestviz/ui/components/js/palette.js";
import { makePlot } from "../../nestviz/ui/components/js/plot.js";
import {
  hillRamp, maskRings, overhangMask, rampColor, sharesOfScale,
} from "../../nestviz/ui/player/js/hill.js";
import { flatMap, placeRings, ringsOf, withoutSpecks } from "../../nestviz/ui/player/js/rings.js";
import { drawTruth, truthRings } from "../../nestviz/ui/player/js/truth.js";
import { canvasRecord, fieldOf, scaleOf, THEME } from "./canvas_record.js";
import { areaOf, assertClose, PathRecord } from "./path_record.js";

const IDENTITY = [1, 0, 0, 1, 0, 0];

function polygonsOf(rings, map = IDENTITY) {
  const pen = new PathRecord();
  placeRings(pen, rings, map);
  assert.equal(pen.closed, pen.polygons.length);
  return pen.polygons;
}

/** Perceived lightness, chroma and hue (OKLab) of red, green and blue from 0 to 255. */
function perceived(color) {
  const [r, g, b] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const [a, d] = [
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
  return { light: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, hue: Math.atan2(d, a) };
}

test("the ramps have one hue and equal steps of lightness, the smallest set farthest from the page", () => {
  for (const dark of [false, true]) {
    const ramp = hillRamp({ dark });
    const seen = Array.from({ length: 13 }, (_, k) => perceived(rampColor(ramp, k / 12)));
    const steps = seen.slice(1).map(({ light }, k) => light - seen[k].light);
    const mean = (seen[12].light - seen[0].light) / 12;
    assert.equal(Math.sign(mean), dark ? -1 : 1);
    assertClose(steps, steps.map(() => mean), 0.1 * Math.abs(mean));
    assertClose(seen.map(({ hue }) => hue), seen.map(() => seen[6].hue), 0.12);
  }
  assert.notDeepEqual(THEMES.light.hill, THEMES.dark.hill);
});

test("colours between two of the ramp are mixed, those beyond are its ends", () => {
  const ramp = ["#000000", "#0A1428", "#FFFFFF"];
  assert.deepEqual(rampColor(ramp, 0.25), [5, 10, 20]);
  assert.deepEqual([rampColor(ramp, -1), rampColor(ramp, 2)], [[0, 0, 0], [255, 255, 255]]);
});

test("levels are shares of the scale; sets larger than those shown do not count", () => {
  const down = scaleOf([0.5, 0.3, 0.1]);
  assertClose([...sharesOfScale([0.5, 0.3, 0.2, 0.1, 0.9], down)], [0, 0.5, 0.75, 1, 0], 1e-6);
  assert.ok([...sharesOfScale([0.05, NaN, -Infinity], down)].every(Number.isNaN));
  const up = scaleOf([1, 2, 4]);
  assertClose([...sharesOfScale([1, 3, 0], up)], [0, 0.75, 0], 1e-6);
  assert.ok([...sharesOfScale([4.5, Infinity], up)].every(Number.isNaN));
});

test("locations that leave again overhang, nested ones do not", () => {
  const entry = Float32Array.of(0.2, 0.2, 0.2, NaN);
  assert.deepEqual([...overhangMask(entry, Float32Array.of(0.2, 0.6, NaN, NaN))], [0, 1, 1, 0]);
  assert.deepEqual([...overhangMask(entry, entry)].slice(0, 2), [0, 0]);
});

test("the outline of a mask has its area, without steps, up to the border of the lattice", () => {
  const disc = fieldOf(41, 41, (i, j) => Number(Math.hypot(i - 20, j - 20) <= 12));
  const [ring, ...others] = polygonsOf(maskRings(disc.field, disc.lattice));
  assert.equal(others.length, 0);
  assert.ok(Math.abs(areaOf(ring) / (Math.PI * 144) - 1) < 0.05);
  const all = fieldOf(5, 5, () => 1);
  assertClose(areaOf(polygonsOf(maskRings(all.field, all.lattice))[0]), 16, 1e-3);
});

test("rings keep plane coordinates and are placed by an affine map", () => {
  const { field, lattice } = fieldOf(21, 21, (i, j) => 5 - Math.hypot(i - 10, j - 10));
  const rings = ringsOf(field, { ...lattice, u0: 100, v0: -3, du: 0.5, dv: 0.25 });
  const [ring] = polygonsOf(rings);
  assert.ok(ring.every(([u, v]) => Math.abs(Math.hypot((u - 105) / 2.5, (v + 0.5) / 1.25) - 1) < 0.03));
  const moved = polygonsOf(rings, [2, 0, 0, -1, 7, 1])[0];
  assertClose(moved, ring.map(([u, v]) => [2 * u + 7, 1 - v]));
  const plot = makePlot({ x: 50, y: 30, w: 400, h: 200 }, [0, 4, 0, 1]);
  assertClose(polygonsOf(rings, flatMap(plot))[0], ring.map(([u, v]) => [plot.toX(u), plot.toY(v)]), 1e-6);
});

test("specks are left out, holes of some size are kept", () => {
  const { field, lattice } = fieldOf(41, 21, (i, j) => Math.max(
    Math.min(8 - Math.hypot(i - 10, j - 10), Math.hypot(i - 10, j - 10) - 4),
    0.6 - Math.hypot(i - 35, j - 10),
  ));
  const rings = ringsOf(field, lattice);
  assert.equal(polygonsOf(rings).length, 3);
  const kept = polygonsOf(withoutSpecks(rings, 3));
  assert.deepEqual(kept.map((ring) => Math.round(areaOf(ring) / 50)).sort(), [1, 4]);
});

test("the true set is dashed, and traced anew only for another threshold", () => {
  const { field, lattice } = fieldOf(21, 21, (i, j) => Math.exp(-((i - 10) ** 2 + (j - 10) ** 2) / 50));
  const truth = { lattice, values: field };
  const rings = truthRings(truth, 0.5);
  assert.equal(truthRings(truth, 0.5), rings);
  const area = areaOf(polygonsOf(rings)[0]);
  assert.ok(Math.abs(area / (Math.PI * 50 * Math.log(2)) - 1) < 0.03);
  assert.ok(areaOf(polygonsOf(truthRings(truth, 0.2))[0]) > 2 * area);
  const context = canvasRecord();
  drawTruth(context, makePlot({ x: 0, y: 0, w: 20, h: 20 }, [0, 20, 0, 20]), truth, 0.5, THEME);
  const dash = context.calls.findIndex(([name]) => name === "setLineDash");
  const strokes = context.calls.slice(dash).filter(([name]) => name === "stroke");
  assert.deepEqual(strokes.map(([, , , color]) => color), [THEME.text]);
});
