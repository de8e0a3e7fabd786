// The card of a probe: bars of in and out over the level, and g as a small curve.

/** @import { Box } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { NamedProbe } from "./probe.js" */
/** @import { Scale } from "./scale.js" */
import { shorten } from "../../components/js/axes.js";
import { curveValue, insideAt } from "./probe.js";
import { curveRange, levelAxis, signedRoot, stretchSpan, valueText } from "./probe_layout.js";
import { labelAt, levelAt, positionAt } from "./scale.js";

export const PROBE_ROW = 46;
export const PROBE_AXIS = 30;
const [BAR_TOP, BAR_HEIGHT, CURVE_TOP, CURVE_HEIGHT] = [16, 9, 28, 15];

/** @param {number} count @returns {number} Height of the card for so many methods. */
export function probeHeight(count) {
  return PROBE_ROW * count + PROBE_AXIS;
}

/**
 * Fills a box with slanted lines.
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box
 * @param {string} color
 */
export function hatchBox(context, { x, y, w, h }, color) {
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  context.strokeStyle = color;
  context.lineWidth = 1.3;
  context.beginPath();
  // Lines begin at fixed pixels: neighbouring boxes then have one pattern.
  for (let left = Math.floor((x - h) / 4) * 4; left < x + w; left += 4) {
    context.moveTo(left, y + h);
    context.lineTo(left + h, y);
  }
  context.stroke();
  context.restore();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box Of the bar.
 * @param {NamedProbe} named
 * @param {Scale} scale
 * @param {Theme} theme
 */
function drawBar(context, box, { probe, color }, scale, theme) {
  const alarm = theme.palette[3];
  context.save();
  context.beginPath();
  context.roundRect(box.x, box.y, box.w, box.h, 3);
  context.clip();
  context.fillStyle = theme.text;
  context.globalAlpha = 0.1;
  context.fillRect(box.x, box.y, box.w, box.h);
  context.globalAlpha = 1;
  context.fillStyle = color;
  for (const stretch of probe.intervals) {
    const [left, width] = stretchSpan(box, scale, stretch);
    context.fillRect(left, box.y, width, box.h);
  }
  for (const stretch of probe.broken) {
    const [left, width] = stretchSpan(box, scale, stretch);
    context.fillStyle = theme.background;
    context.fillRect(left, box.y, width, box.h);
    context.fillStyle = alarm;
    context.globalAlpha = 0.22;
    context.fillRect(left, box.y, width, box.h);
    context.globalAlpha = 1;
    hatchBox(context, { ...box, x: left, w: width }, alarm);
  }
  context.restore();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box Of the curve.
 * @param {NamedProbe} named
 * @param {Scale} scale
 * @param {number} level
 * @param {Theme} theme
 */
function drawCurve(context, box, { probe: { curve }, color }, scale, level, theme) {
  const last = scale.levels.length - 1;
  const [bottom, top] = curveRange(curve);
  const [low, high] = [bottom, top].map(signedRoot);
  const toY = (/** @type {number} */ value) => box.y + ((high - signedRoot(value)) / (high - low)) * box.h;
  const zero = Math.round(toY(0)) + 0.5;
  const line = () => {
    // One corner a pixel: the curve is straight in the level, not in the position.
    for (let x = 0; x <= box.w; x++) {
      const value = curveValue(curve, levelAt(scale, (x / box.w) * last));
      if (!Number.isNaN(value)) context.lineTo(box.x + x, toY(value));
    }
  };
  context.save();
  context.beginPath();
  context.rect(box.x, box.y - 1, box.w, box.h + 2);
  context.clip();
  context.lineWidth = 1;
  context.strokeStyle = theme.text;
  context.globalAlpha = 0.35;
  context.beginPath();
  context.moveTo(box.x, zero);
  context.lineTo(box.x + box.w, zero);
  context.stroke();
  context.globalAlpha = 1;
  context.strokeStyle = color;
  context.lineWidth = 1.4;
  context.lineJoin = "round";
  context.beginPath();
  line();
  context.stroke();
  context.restore();
  const value = curveValue(curve, level);
  if (value >= bottom && value <= top) drawDot(context, levelAxis(box, scale)(level), toY(value), color, theme);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {string} color
 * @param {Theme} theme
 */
function drawDot(context, x, y, color, theme) {
  context.beginPath();
  context.arc(x, y, 3, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
  context.lineWidth = 1.4;
  context.strokeStyle = theme.background;
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box Of the row.
 * @param {NamedProbe} named
 * @param {number} level
 * @param {Theme} theme
 */
function drawTitle(context, box, { title, probe }, level, theme) {
  const broken = probe.broken.some(([from, to]) => level > from && level < to);
  const outside = broken ? "outside again" : "outside";
  const state = insideAt(probe, level) ? "inside" : outside;
  const text = [state, valueText(curveValue(probe.curve, level))].filter(Boolean).join(", ");
  context.textBaseline = "alphabetic";
  context.fillStyle = state === "outside again" ? theme.palette[3] : theme.text;
  context.textAlign = "right";
  context.font = `11.5px ${theme.font}`;
  context.fillText(text, box.x + box.w, box.y + 11);
  const space = box.w - context.measureText(text).width - 10;
  context.fillStyle = theme.text;
  context.textAlign = "left";
  context.font = `600 11.5px ${theme.font}`;
  context.fillText(shorten(context, title, space), box.x, box.y + 11);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box Of the axis.
 * @param {Scale} scale
 * @param {number} level
 * @param {Theme} theme
 */
function drawLevelAxis(context, box, scale, level, theme) {
  const now = `${scale.name} = ${labelAt(scale, positionAt(scale, level))}`;
  const ends = [labelAt(scale, 0), labelAt(scale, scale.levels.length - 1)];
  context.fillStyle = theme.text;
  context.textBaseline = "alphabetic";
  context.textAlign = "center";
  context.font = `600 11.5px ${theme.font}`;
  const half = context.measureText(now).width / 2;
  const middle = Math.min(Math.max(levelAxis(box, scale)(level), box.x + half), box.x + box.w - half);
  context.fillText(now, middle, box.y + 12);
  context.font = `11.5px ${theme.font}`;
  context.globalAlpha = 0.72;
  const [before, after] = ends.map((text) => context.measureText(text).width + 8);
  context.textAlign = "left";
  if (box.x + before < middle - half) context.fillText(ends[0], box.x, box.y + 12);
  context.fillText("small sets", box.x, box.y + 26);
  context.textAlign = "right";
  if (box.x + box.w - after > middle + half) context.fillText(ends[1], box.x + box.w, box.y + 12);
  context.fillText("large sets", box.x + box.w, box.y + 26);
  context.globalAlpha = 1;
}

/**
 * Draws, for each method, when a location is inside: a bar over the level with the broken
 * stretches hatched, g below it, and a line at the present level.
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box
 * @param {NamedProbe[]} probes
 * @param {Scale} scale
 * @param {number} level
 * @param {Theme} theme
 */
export function drawProbe(context, box, probes, scale, level, theme) {
  const end = box.y + PROBE_ROW * probes.length;
  const now = Math.round(levelAxis(box, scale)(level) - 0.5) + 0.5;
  context.save();
  probes.forEach((named, k) => {
    const row = { ...box, y: box.y + PROBE_ROW * k, h: PROBE_ROW };
    drawTitle(context, row, named, level, theme);
    drawBar(context, { ...row, y: row.y + BAR_TOP, h: BAR_HEIGHT }, named, scale, theme);
  });
  context.strokeStyle = theme.text;
  context.lineWidth = 1;
  context.globalAlpha = 0.8;
  context.beginPath();
  probes.forEach((_, k) => {
    context.moveTo(now, box.y + PROBE_ROW * k + BAR_TOP - 2);
    context.lineTo(now, Math.min(end, box.y + PROBE_ROW * (k + 1) - 1));
  });
  context.stroke();
  context.globalAlpha = 1;
  probes.forEach((named, k) => {
    const top = box.y + PROBE_ROW * k + CURVE_TOP;
    drawCurve(context, { ...box, y: top, h: CURVE_HEIGHT }, named, scale, level, theme);
  });
  drawLevelAxis(context, { ...box, y: end, h: PROBE_AXIS }, scale, level, theme);
  context.restore();
}
