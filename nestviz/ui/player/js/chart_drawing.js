// Draws the charts of a story at a level, and says what they show.

/** @import { Box, Plot } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { Scene } from "./decode.js" */
/** @import { Prepared } from "./side_chart.js" */
import { shorten, strokeFrame } from "../../components/js/axes.js";
import { formatNumber, makePlot, niceTicks } from "../../components/js/plot.js";
import { writeNumber } from "./knob_values.js";
import { hatchBox } from "./probe_card.js";
import { givenUp, ratiosAt } from "./profile.js";
import { labelAt, positionAt } from "./scale.js";

/** @typedef {{ scene: Scene, position: number, level: number, theme: Theme, grown: number }} Now */
/** @template {Prepared["kind"]} K @typedef {Extract<Prepared, { kind: K }>} Chart */

const THIN_LINE = 1.3;
const THICK_LINE = 2.4;

/**
 * @typedef {object} FrameTexts
 * @property {string} title
 * @property {string} left Below the left end.
 * @property {string} right
 * @property {string} name Of the horizontal axis.
 * @property {((value: number, step: number) => string) | null} ticks How numbers are written at the left.
 */

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {FrameTexts} texts
 * @param {Now} now
 */
function drawChartFrame(context, plot, { title, left, right, name, ticks }, { theme, grown }) {
  const [, , low, high] = plot.view;
  context.fillStyle = context.strokeStyle = theme.text;
  context.lineWidth = 1;
  strokeFrame(context, plot);
  context.globalAlpha = 0.72;
  context.font = `${11.5 * grown}px ${theme.font}`;
  context.textBaseline = "middle";
  context.textAlign = "right";
  const { ticks: heights, step } = niceTicks(low, high, Math.min(6, plot.h / (46 * grown)));
  for (const height of ticks ? heights : []) {
    context.fillText(ticks?.(height, step) ?? "", plot.x - 7 * grown, plot.toY(height));
  }
  context.textBaseline = "top";
  context.fillText(right, plot.x + plot.w, plot.y + plot.h + 6 * grown);
  context.textAlign = "left";
  context.fillText(left, plot.x, plot.y + plot.h + 6 * grown);
  context.textAlign = "center";
  context.fillText(shorten(context, name, plot.w), plot.x + plot.w / 2, plot.y + plot.h + 22 * grown);
  context.globalAlpha = 1;
  context.textBaseline = "alphabetic";
  context.textAlign = "left";
  context.font = `600 ${14 * grown}px ${theme.font}`;
  context.fillText(shorten(context, title, plot.w + 30), plot.x, plot.y - 10 * grown);
}

/**
 * Strokes a line through values at evenly spaced positions.
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {ArrayLike<number>} values
 */
function traceValues(context, { x, w, toY }, values) {
  context.beginPath();
  for (let k = 0; k < values.length; k += 1) context.lineTo(x + (k / (values.length - 1)) * w, toY(values[k]));
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {Plot} plot @param {number} at @param {Now} now */
function drawLevelMark(context, plot, at, { theme, grown }) {
  context.strokeStyle = theme.text;
  context.lineWidth = 1.4 * grown;
  context.setLineDash([5, 4]);
  context.beginPath();
  context.moveTo(at, plot.y);
  context.lineTo(at, plot.y + plot.h);
  context.stroke();
  context.setLineDash([]);
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {string} color @param {Now} now */
function drawValueMark(context, x, y, color, { theme, grown }) {
  context.beginPath();
  context.arc(x, y, 4.5 * grown, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
  context.strokeStyle = theme.background;
  context.lineWidth = 1.5 * grown;
  context.stroke();
}

/** The line at which a location is on the boundary. @param {CanvasRenderingContext2D} context @param {Plot} plot @param {Now} now */
function drawLevelLine(context, plot, { theme, grown }) {
  const y = Math.round(plot.toY(1)) + 0.5;
  context.strokeStyle = theme.text;
  context.lineWidth = 1.4 * grown;
  context.beginPath();
  context.moveTo(plot.x, y);
  context.lineTo(plot.x + plot.w, y);
  context.stroke();
}

/** Calls a function clipped to the plot. @param {CanvasRenderingContext2D} context @param {Plot} plot @param {() => void} draw */
function drawWithin(context, plot, draw) {
  context.save();
  context.beginPath();
  context.rect(plot.x, plot.y, plot.w, plot.h);
  context.clip();
  draw();
  context.restore();
}

/** @param {number} ratio @returns {string} */
const placeWord = (ratio) => (ratio >= 1 ? "inside" : "outside");
/** @param {Now} now @returns {string} */
const levelWords = ({ scene: { scale }, position }) => `${scale.name.split(" ").at(-1)} = ${labelAt(scale, position)}`;

/**
 * Fills the profile where it is inside, and hatches what was given up.
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {Float64Array} ratios
 * @param {boolean[]} lost
 * @param {Theme} theme
 */
function shadeProfile(context, plot, ratios, lost, { palette, fillOpacity }) {
  const [cell, line] = [plot.w / (ratios.length - 1), plot.toY(1)];
  ratios.forEach((ratio, k) => {
    const [x, y] = [plot.x + (k - 0.5) * cell, plot.toY(ratio)];
    if (lost[k]) hatchBox(context, { x, y: line, w: cell, h: y - line }, palette[3]);
    if (ratio < 1) return;
    context.fillStyle = palette[0];
    context.globalAlpha = fillOpacity;
    context.fillRect(x, y, cell, line - y);
    context.globalAlpha = 1;
  });
}

/** @param {CanvasRenderingContext2D} context @param {Plot} plot @param {Chart<"profile">} chart @param {Now} now */
function drawProfile(context, plot, { line, profile }, now) {
  const { theme, level, grown } = now;
  const ratios = ratiosAt(profile, level);
  const [at] = ratiosAt({ family: profile.family, kernels: [profile.pinKernel] }, level);
  const [accent, alarm] = [theme.palette[0], theme.palette[3]];
  const pinX = plot.x + (line.pin / line.length) * plot.w;
  drawWithin(context, plot, () => {
    shadeProfile(context, plot, ratios, givenUp(profile, ratios, level), theme);
    context.globalAlpha = 0.75;
    context.strokeStyle = theme.text;
    context.lineWidth = THIN_LINE * grown;
    if (Number.isFinite(profile.entry)) traceValues(context, plot, ratiosAt(profile, profile.entry));
    context.globalAlpha = 1;
    context.strokeStyle = accent;
    context.lineWidth = THICK_LINE * grown;
    traceValues(context, plot, ratios);
    drawLevelLine(context, plot, now);
    drawLevelMark(context, plot, pinX, now);
    drawValueMark(context, pinX, plot.toY(at), at >= 1 ? accent : alarm, now);
  });
  return `Sum of kernels along the dashed line, divided by the level. At ${levelWords(now)} it is ${writeNumber(at, "3g")} at the marked location, which is ${placeWord(at)}.`;
}

/** @param {CanvasRenderingContext2D} context @param {Plot} plot @param {Chart<"course">} chart @param {Now} now */
function drawCourse(context, plot, { probe, family, kernels, ratios }, now) {
  const { theme, level, position, scene: { scale }, grown } = now;
  const [accent, alarm, last] = [theme.palette[0], theme.palette[3], scale.levels.length - 1];
  /** @param {number} at */
  const toX = (at) => plot.x + (at / last) * plot.w;
  const [ratio] = ratiosAt({ family, kernels }, level);
  drawWithin(context, plot, () => {
    for (const [from, to] of probe.broken) {
      const [a, b] = [positionAt(scale, to), positionAt(scale, from)].sort((p, q) => p - q);
      context.globalAlpha = 0.35;
      hatchBox(context, { x: toX(a), y: plot.y, w: toX(b) - toX(a), h: plot.h }, alarm);
    }
    context.globalAlpha = 1;
    context.strokeStyle = accent;
    context.lineWidth = THICK_LINE * grown;
    traceValues(context, plot, ratios);
    drawLevelLine(context, plot, now);
    drawLevelMark(context, plot, toX(position), now);
    drawValueMark(context, toX(position), plot.toY(ratio), ratio >= 1 ? accent : alarm, now);
  });
  return `Sum of kernels at the marked location divided by the level, over all levels. At ${levelWords(now)} it is ${writeNumber(ratio, "3g")}: ${placeWord(ratio)}.`;
}

/** @param {CanvasRenderingContext2D} context @param {Plot} plot @param {Chart<"ranks">} chart @param {Now} now */
function drawRanks(context, plot, { ranks }, now) {
  const { theme, grown } = now;
  if (!ranks) {
    context.fillStyle = theme.text;
    context.font = `${12 * grown}px ${theme.font}`;
    context.textAlign = "center";
    context.fillText("Ranks are not known for these points.", plot.x + plot.w / 2, plot.y + plot.h / 2);
    return "Ranks are not known for these points.";
  }
  for (const leaves of [false, true]) {
    context.strokeStyle = leaves ? theme.palette[3] : theme.text;
    context.globalAlpha = leaves ? 0.95 : Math.min(0.45, Math.max(0.06, 25 / ranks.length));
    context.lineWidth = (leaves ? 1.8 : 1) * grown;
    context.beginPath();
    for (const rank of ranks.filter((one) => one.leaves === leaves)) {
      context.moveTo(plot.x, plot.toY(-rank.first));
      context.lineTo(plot.x + plot.w, plot.toY(-rank.last));
    }
    context.stroke();
  }
  context.globalAlpha = 1;
  const leaving = ranks.filter((one) => one.leaves).length;
  return `Ranks of ${ranks.length} points, the most typical on top: by the first set that holds them, and by the set from which they stay. ${leaving} of them leave in between.`;
}

/** @param {CanvasRenderingContext2D} context @param {Plot} plot @param {Chart<"excess">} chart @param {Now} now */
function drawExcess(context, plot, { values }, now) {
  const { theme, grown, position } = now;
  const [low, share] = [Math.floor(position), position - Math.floor(position)];
  const value = values[low] * (1 - share) + (values[low + 1] ?? 0) * share;
  const x = plot.x + (position / Math.max(1, values.length - 1)) * plot.w;
  drawWithin(context, plot, () => {
    context.strokeStyle = theme.palette[0];
    context.lineWidth = THICK_LINE * grown;
    traceValues(context, plot, values);
    drawLevelMark(context, plot, x, now);
    drawValueMark(context, x, plot.toY(value), theme.palette[0], now);
  });
  return `How far the objective of the nested SVM lies above the smallest possible one, over all levels: ${writeNumber(value, "1%")} at ${levelWords(now)}.`;
}

/**
 * Draws a chart and returns what it shows.
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box
 * @param {Prepared | null} chart
 * @param {Now} now
 * @returns {string}
 */
export function drawChart(context, box, chart, now) {
  if (!chart) return "";
  const { scale, panels } = now.scene;
  const ends = { left: labelAt(scale, 0), right: labelAt(scale, scale.levels.length - 1), name: scale.name };
  /** @type {(view: import("../../components/js/plot.js").View, texts: FrameTexts) => Plot} */
  const framed = (view, texts) => {
    const plot = makePlot(box, view);
    drawChartFrame(context, plot, texts, now);
    return plot;
  };
  if (chart.kind === "profile") {
    const title = "Σ αᵢ k(xᵢ, x) / λ along the line";
    const { length, pin } = chart.line;
    const [left, right] = [-pin, length - pin].map((end) => formatNumber(end, length / 100));
    const plot = framed([0, length, ...chart.range], { title, left, right, name: "distance from the mark", ticks: formatNumber });
    return drawProfile(context, plot, chart, now);
  }
  if (chart.kind === "course") {
    const plot = framed([0, 1, ...chart.range], { title: "Σ αᵢ k(xᵢ, x) / λ at the mark", ...ends, ticks: formatNumber });
    return drawCourse(context, plot, chart, now);
  }
  if (chart.kind === "ranks") {
    const n = panels[0].classes.length;
    const texts = { title: "Ranks, the most typical on top", left: "by first entry", right: "by last entry", name: "", ticks: (/** @type {number} */ value) => String(Math.round(-value)) };
    return drawRanks(context, framed([0, 1, -n - 0.5, -0.5], texts), chart, now);
  }
  const most = Math.max(0.01, ...chart.values) * 1.08;
  const plot = framed([0, 1, 0, most], { title: "Objective above its minimum", ...ends, ticks: (value, step) => `${formatNumber(100 * value, 100 * step)}%` });
  return drawExcess(context, plot, chart, now);
}
