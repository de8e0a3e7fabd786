import assert from "node:assert/strict";
import { test } from "node:test";

import {
  knobText, knobPosition, spreadLabels, knobValue, writeNumber,
} from "../../nestviz/ui/player/js/knob_values.js";

const WIDTH = {
  key: "width", label: "σ", value: 0.25, low: 0.05, high: 2, log: true, unit: 1.65, form: "3g", marks: [],
};
const LAMBDA = { ...WIDTH, key: "loglam", low: -2, high: 2, log: false, power: true, unit: 1 };

test("the ends are exact and the middle is the geometric or the arithmetic mean", () => {
  for (const knob of [WIDTH, LAMBDA]) {
    assert.equal(knobValue(knob, 0), knob.low);
    assert.equal(knobValue(knob, 1), knob.high);
    assert.equal(knobValue(knob, -3), knob.low);
    assert.equal(knobValue(knob, 7), knob.high);
  }
  assert.equal(knobValue(WIDTH, 0.5), 0.3162);
  assert.equal(knobValue(LAMBDA, 0.5), 0);
});

test("position and value are inverse up to the digits of the value", () => {
  for (const knob of [WIDTH, LAMBDA]) {
    for (let k = 0; k <= 100; k++) {
      const found = knobPosition(knob, knobValue(knob, k / 100));
      assert.ok(Math.abs(found - k / 100) < 2e-4, `${knob.key} ${k} ${found}`);
    }
  }
});

test("every step of a key changes the value, up and down", () => {
  for (const knob of [WIDTH, LAMBDA, { ...LAMBDA, low: 0.01, high: 1 }]) {
    for (let k = 0, value = knob.low; k < 100; k++) {
      const next = knobValue(knob, knobPosition(knob, value) + 0.01);
      assert.ok(next > value);
      const back = knobPosition(knob, knobValue(knob, knobPosition(knob, next) - 0.01));
      assert.ok(Math.abs(back - knobPosition(knob, value)) < 4e-4);
      value = next;
    }
  }
});

test("values outside are shown at an end", () => {
  assert.equal(knobPosition(WIDTH, 0.001), 0);
  assert.equal(knobPosition(WIDTH, 50), 1);
});

test("what is shown has its unit, or is a power of ten", () => {
  assert.equal(knobText(WIDTH, 0.25), "0.412");
  assert.equal(knobText(LAMBDA, -1), "0.1");
  assert.equal(knobText({ ...WIDTH, unit: 1, form: "1%" }, 0.125), "12.5%");
});

test("numbers are written as by Python", () => {
  const cases = [
    [0.4125, "3g", "0.412"], [1, "3g", "1"], [0, "3g", "0"], [100, "3g", "100"], [999.6, "3g", "1e+03"],
    [1234, "3g", "1.23e+03"], [0.0001, "3g", "0.0001"], [0.00001234, "3g", "1.23e−05"],
    [-0.5, "3g", "−0.5"], [0.5, "2f", "0.50"], [1.23456, "3f", "1.235"], [0.1234, "1%", "12.3%"],
  ];
  for (const [number, form, text] of cases) assert.equal(writeNumber(number, form), text);
});

test("labels are moved apart and stay on the slider", () => {
  assert.deepEqual(spreadLabels([50, 150], [40, 40], 200), [50, 150]);
  assert.deepEqual(spreadLabels([50, 60], [40, 40], 200), [50, 90]);
  assert.deepEqual(spreadLabels([0, 200], [40, 40], 200), [20, 180]);
  assert.deepEqual(spreadLabels([180, 190], [40, 40], 200), [140, 180]);
  assert.deepEqual(spreadLabels([], [], 200), []);
});
