// The picture of the sets stacked in space, on an ordinary canvas.

/** @import { Plot, View } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { Angle, Projection, Stack, TracedSheet } from "./stack_shape.js" */
/** @import { Rings } from "./rings.js" */
import { addMarker, markerRadius } from "../../components/js/markers.js";
import { SHAPES } from "../../components/js/palette.js";
import { hillRamp, rampColor } from "./hill.js";
import { placeRings } from "./rings.js";
import { drawStackFrame, labelFloor, labelLevels, titleStack } from "./stack_axes.js";
import { heightOf, project, projectionOf } from "./stack_shape.js";

/**
 * @typedef {object} StackOptions
 * @property {TracedSheet} [present] The set at the present level; else the nearest sheet is used.
 * @property {ArrayLike<number>} [points] u and v in turn.
 * @property {ArrayLike<number>} [classes] Of each point.
 * @property {number} [grown] Factor of the type and the lines.
 * @property {string} [title]
 * @property {readonly string[]} [axisNames]
 */

/** Beginning of the ramp that is used: its palest colours would not be seen as lines. */
const STACK_RAMP = 0.68;
/** Left, right, above and below. */
const STACK_MARGINS = [46, 12, 20, 22];

/**
 * Returns the sheets from the floor upwards, with the present one among them and marked.
 * @param {Stack} stack
 * @param {number} level
 * @param {TracedSheet} [present]
 * @returns {{ sheet: TracedSheet, isPresent: boolean }[]}
 */
export function paintOrder({ sheets, scale }, level, present) {
  const height = heightOf(scale, level);
  const distance = (/** @type {TracedSheet} */ sheet) => Math.abs(sheet.height - height);
  const marked = present ?? sheets.reduce((best, sheet) => (distance(sheet) < distance(best) ? sheet : best), sheets[0]);
  const others = sheets.filter((sheet) => sheet !== marked && sheet.height !== present?.height);
  return [...others, ...(marked ? [marked] : [])]
    .sort((a, b) => a.height - b.height)
    .map((sheet) => ({ sheet, isPresent: sheet === marked }));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Projection} projection
 * @param {View} view
 * @param {StackOptions} options
 * @param {Theme} theme
 */
function drawFloorPoints(context, projection, [xmin, xmax, ymin, ymax], options, theme) {
  const { points = [], classes, grown = 1 } = options;
  const kinds = 1 + (classes ? Array.from(classes).reduce((most, kind) => Math.max(most, kind), 0) : 0);
  const radius = 0.72 * grown * markerRadius(points.length / 2);
  context.globalAlpha = 0.6;
  for (let kind = 0; kind < kinds; kind++) {
    context.beginPath();
    for (let i = 0; 2 * i < points.length; i++) {
      const [u, v] = [points[2 * i], points[2 * i + 1]];
      if ((classes?.[i] ?? 0) !== kind || u < xmin || u > xmax || v < ymin || v > ymax) continue;
      const [x, y] = project(projection, u, v, 0);
      addMarker(context, SHAPES[kind], x, y, radius);
    }
    context.fillStyle = kinds === 1 ? theme.single : theme.palette[kind];
    context.fill();
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Projection} projection
 * @param {Rings} rings
 * @param {number} height
 */
function pathAt(context, { a, b, c, d, e, f, rise }, rings, height) {
  context.beginPath();
  placeRings(context, rings, [a, b, c, d, e, f - rise * height]);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ color: string, fill: number, line: number, width: number }} look
 */
function paintPath(context, { color, fill, line, width }) {
  context.fillStyle = context.strokeStyle = color;
  context.globalAlpha = fill;
  context.fill("evenodd");
  context.globalAlpha = line;
  context.lineWidth = width;
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Projection} projection
 * @param {{ sheet: TracedSheet, isPresent: boolean }} entry
 * @param {Theme} theme
 */
function drawSheet(context, projection, { sheet, isPresent }, theme) {
  const share = STACK_RAMP * (1 - sheet.height);
  const color = `rgb(${rampColor(hillRamp(theme), share).join(",")})`;
  pathAt(context, projection, sheet.rings, sheet.height);
  if (isPresent) {
    paintPath(context, { color: theme.background, fill: 0.35, line: 0.8, width: 4.5 });
    paintPath(context, { color: theme.palette[0], fill: 0.4, line: 1, width: 2.2 });
  } else {
    // A veil over what is below makes sheets of paper out of bare outlines.
    context.fillStyle = theme.background;
    context.globalAlpha = 0.3;
    context.fill("evenodd");
    paintPath(context, { color, fill: 0.2, line: 0.85, width: 1 });
  }
  if (!sheet.overhang) return;
  pathAt(context, projection, sheet.overhang, sheet.height);
  paintPath(context, { color: theme.palette[3], fill: 0.4, line: 0.95, width: 1.1 });
}

/**
 * Draws the sets of a family one above the other: large sets on the floor, small ones on top, the
 * present one stressed. What is outside at a sheet below overhangs and is in the alarm colour.
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {Stack} stack
 * @param {number} level The present one.
 * @param {Angle} angle
 * @param {Theme} theme
 * @param {StackOptions} [options]
 */
export function drawStack(context, plot, stack, level, angle, theme, options = {}) {
  const { title = "", axisNames = [], grown = 1 } = options;
  const [left, right, top, bottom] = STACK_MARGINS.map((margin) => grown * margin);
  const box = { x: plot.x + left, y: plot.y + top, w: plot.w - left - right, h: plot.h - top - bottom };
  const projection = projectionOf(box, plot.view, angle);
  const order = paintOrder(stack, level, options.present);
  context.save();
  context.lineJoin = "round";
  drawStackFrame(context, projection, plot.view, theme);
  drawFloorPoints(context, projection, plot.view, options, theme);
  for (const entry of order) drawSheet(context, projection, entry, theme);
  // Once more, faintly: the outline is seen whole through the sheets above.
  for (const { sheet, isPresent } of order) {
    if (!isPresent) continue;
    pathAt(context, projection, sheet.rings, sheet.height);
    paintPath(context, { color: theme.palette[0], fill: 0, line: 0.45, width: 1.6 });
  }
  labelLevels(context, projection, plot.view, stack.scale, level, theme, grown);
  labelFloor(context, projection, plot.view, axisNames, theme, grown);
  titleStack(context, plot, title, theme, grown);
  context.restore();
}
