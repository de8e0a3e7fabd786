// Draws the curve above a slider: axes, bands, named values and the line.

/** @import { Plot } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { KnobCurve } from "./curve_values.js" */
/** @import { Knob } from "./knob_values.js" */
import { shorten, strokeFrame } from "../../components/js/axes.js";
import { addMarker, markerIcon } from "../../components/js/markers.js";
import { SHAPES } from "../../components/js/palette.js";
import { formatNumber, niceTicks } from "../../components/js/plot.js";
import { logTicks } from "./curve_values.js";
import { knobPosition, writeNumber } from "./knob_values.js";

const RULE_DASHES = [[2, 3], [7, 3], [7, 3, 2, 3], [12, 4]];

/** The shape of a named value; the star is that of the least one. @param {number} number @returns {string} */
export const signOf = (number) => SHAPES[(1 + number) % (SHAPES.length - 1)];

/** @param {CanvasRenderingContext2D} context @param {Plot} plot @param {number} x @param {number[]} dash */
export function upright(context, plot, x, dash) {
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(Math.round(x) + 0.5, plot.y);
  context.lineTo(Math.round(x) + 0.5, plot.y + plot.h);
  context.stroke();
  context.setLineDash([]);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {Knob} knob
 * @param {KnobCurve} curve
 * @param {Theme} theme
 */
export function drawCurveFrame(context, plot, knob, curve, theme) {
  const [, , low, high] = plot.view;
  context.fillStyle = context.strokeStyle = theme.text;
  context.lineWidth = 1;
  strokeFrame(context, plot);
  context.globalAlpha = 0.72;
  context.font = `11.5px ${theme.font}`;
  context.textAlign = "right";
  context.textBaseline = "middle";
  const { ticks, step } = niceTicks(low, high, Math.min(6, plot.h / 40));
  for (const tick of ticks) context.fillText(formatNumber(tick, step), plot.x - 7, plot.toY(tick));
  context.textAlign = "center";
  context.textBaseline = "top";
  const ends = /** @type {const} */ ([knob.low * knob.unit, knob.high * knob.unit]);
  for (const tick of knob.log ? logTicks(...ends, plot.w / 46) : []) {
    const x = plot.toX(knobPosition(knob, tick / knob.unit));
    context.fillText(writeNumber(tick, "3g"), x, plot.y + plot.h + 6);
    context.fillRect(Math.round(x), plot.y + plot.h, 1, 4);
  }
  context.globalAlpha = 1;
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.font = `600 14px ${theme.font}`;
  context.fillText(shorten(context, curve.name, plot.w + 40), plot.x - 40, plot.y - 10);
}

/**
 * The values that are as good as the best, and the bands around the curve.
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {Knob} knob
 * @param {KnobCurve} curve
 * @param {Theme} theme
 */
export function drawBands(context, plot, knob, { values, heights, errors, band, close }, theme) {
  /** @type {(value: number) => number} */
  const across = (value) => plot.toX(knobPosition(knob, value));
  const [blue, , green] = theme.palette;
  if (close) {
    const [a, b] = close.map(across);
    context.fillStyle = green;
    context.globalAlpha = 0.16;
    context.fillRect(a - 2, plot.y, b - a + 4, plot.h);
    // A bar on the axis: its colour alone does not show the range.
    context.globalAlpha = 1;
    context.fillRect(a - 2, plot.y + plot.h - 5, b - a + 4, 5);
  }
  context.fillStyle = blue;
  const edges = [heights.map((y, k) => [y - errors[k], y + errors[k]]), band];
  edges.forEach((each, kind) => {
    if (!each.length) return;
    context.globalAlpha = kind ? 0.14 : 0.24;
    context.beginPath();
    each.forEach(([low], k) => context.lineTo(across(values[k]), plot.toY(low)));
    each.toReversed().forEach(([, high], k) => context.lineTo(across(values[values.length - 1 - k]), plot.toY(high)));
    context.fill();
  });
  context.globalAlpha = 1;
}

/**
 * The named values: upright lines, each with a dash and a sign of its own.
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {Knob} knob
 * @param {Theme} theme
 */
export function drawRules(context, plot, knob, theme) {
  knob.marks.forEach(([value], number) => {
    if (value < knob.low || value > knob.high) return;
    const x = plot.toX(knobPosition(knob, value));
    context.strokeStyle = theme.text;
    context.globalAlpha = 0.5;
    context.lineWidth = 1.2;
    upright(context, plot, x, RULE_DASHES[number % RULE_DASHES.length]);
    context.globalAlpha = 1;
    drawSign(context, number, x, plot.y + plot.h - 14 - 13 * (number % 2), theme);
  });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} number
 * @param {number} x
 * @param {number} y
 * @param {Theme} theme
 */
function drawSign(context, number, x, y, theme) {
  context.fillStyle = theme.text;
  context.strokeStyle = theme.background;
  context.lineWidth = 1;
  const path = new Path2D();
  addMarker(path, signOf(number), x, y, 4.2);
  context.fill(path);
  context.stroke(path);
}

/**
 * The curve itself, and its least value.
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {Knob} knob
 * @param {KnobCurve} curve
 * @param {Theme} theme
 */
export function drawTried(context, plot, knob, { values, heights, best }, theme) {
  const [blue, orange] = theme.palette;
  const at = values.map((value, k) => [plot.toX(knobPosition(knob, value)), plot.toY(heights[k])]);
  context.strokeStyle = context.fillStyle = blue;
  context.lineWidth = 2;
  context.lineJoin = "round";
  context.beginPath();
  for (const [x, y] of at) context.lineTo(x, y);
  context.stroke();
  for (const [x, y] of at) {
    context.beginPath();
    context.arc(x, y, 2.6, 0, 2 * Math.PI);
    context.fill();
  }
  if (!at.length) return;
  context.fillStyle = orange;
  context.strokeStyle = theme.background;
  context.lineWidth = 1.5;
  const path = new Path2D();
  addMarker(path, "star", at[best][0], at[best][1], 6);
  context.fill(path);
  context.stroke(path);
}

/** Returns the sign of each named value by its name, for a list of them. @param {Knob} knob @returns {Map<string, Node[]>} */
export function curveSigns({ marks }) {
  return new Map(marks.map(([, name], number) => [name, [markerIcon(signOf(number), "currentColor")]]));
}
