// The browser's decoder against Python's, on a message that Python has packed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  acrossOf, canvasPositions, decodeSweep, downOf, traceFrame,
} from "../../nestviz/ui/player/js/decode.js";
import { assertClose, PathRecord } from "./path_record.js";

const read = (name) => readFileSync(new URL(name, import.meta.url));
const bytes = new Uint8Array(read("./sweep.bin"));
const expected = JSON.parse(read("./sweep.json"));
const sweep = decodeSweep(bytes);
const [xmin, xmax, ymin, ymax] = expected.view;

/** A box on which the view fills the canvas upside down, as on the screen. */
const BOX = { x: 10, y: 20, w: 500, h: 250 };

/** From a position on BOX to the units of the view. */
const toView = ([x, y]) => [
  xmin + ((x - BOX.x) / BOX.w) * (xmax - xmin),
  ymax - ((y - BOX.y) / BOX.h) * (ymax - ymin),
];

test("texts and numbers of the header", () => {
  assert.deepEqual([...sweep.levels], expected.levels);
  for (const name of ["labels", "captions", "level_name", "view", "class_names", "start", "player"]) {
    assert.deepEqual(sweep[name], expected[name], name);
  }
  assert.deepEqual(sweep.axis_names, ["α", "β"]);
});

test("a message that begins in the middle of a buffer", () => {
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  const again = decodeSweep(shifted.subarray(3));
  assert.deepEqual(again.panels, sweep.panels);
  assert.deepEqual(again.levels, sweep.levels);
});

sweep.panels.forEach((panel, k) => {
  const wanted = expected.panels[k];

  test(`panel ${k}: title, texts, classes, flags and sizes`, () => {
    assert.equal(panel.title, wanted.title);
    assert.deepEqual(panel.texts, wanted.texts);
    assert.deepEqual([...panel.classes], wanted.classes);
    assert.deepEqual(panel.flags && [...panel.flags].map(Boolean), wanted.flags);
    if (wanted.sizes === null) assert.equal(panel.markerSizes, null);
    else assertClose([...panel.markerSizes].map((size) => size / 255), wanted.sizes);
  });

  test(`panel ${k}: points`, () => {
    const got = wanted.points.map((_, i) => [
      xmin + acrossOf(panel.points[2 * i]) * (xmax - xmin),
      ymax - downOf(panel.points[2 * i + 1]) * (ymax - ymin),
    ]);
    assertClose(got, wanted.points);
    const positions = [...canvasPositions(panel.points, BOX)];
    const pairs = wanted.points.map((_, i) => toView(positions.slice(2 * i, 2 * i + 2)));
    assertClose(pairs, wanted.points, 1e-4);
  });

  for (const name of ["sets", "overlay"]) {
    test(`panel ${k}: ${name} of every frame`, () => {
      if (wanted[name] === null) {
        assert.equal(panel[name], null);
        return;
      }
      wanted[name].forEach((rings, frame) => {
        const path = new PathRecord();
        traceFrame(path, panel[name], frame, BOX);
        assert.equal(path.closed, rings.length);
        assert.deepEqual(path.polygons.map((ring) => ring.length), rings.map((ring) => ring.length));
        assertClose(path.polygons.map((ring) => ring.map(toView)), rings);
      });
    });
  }
});
