// Axes, ticks and titles around a plot.

/** @import { Plot } from "./plot.js" */
/** @import { Theme } from "./theme.js" */
import { formatNumber, niceTicks } from "./plot.js";

/** @import { Tick } from "./height_scale.js" */
/**
 * @typedef {object} AxisTexts
 * @property {string} [title]
 * @property {string} [xName]
 * @property {string} [yName]
 * @property {Tick[]} [yTicks] In place of round numbers.
 * @property {number | null} [base]
 * @property {number} [grown]
 * @property {number} [titleWidth] Pixels for the title; the width of the plot unless given.
 * @property {number} [yGap] Pixels from the name of the vertical axis to the plot.
 */

/** @param {CanvasRenderingContext2D} context @param {Plot} plot */
export function clipToPlot(context, plot) {
  context.beginPath();
  context.rect(plot.x, plot.y, plot.w, plot.h);
  context.clip();
}

/**
 * Strokes a frame around a plot. Half pixels put a one pixel line on one row of pixels, not two.
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 */
export function strokeFrame(context, { x, y, w, h }) {
  context.globalAlpha = 0.22;
  context.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, Math.round(w), Math.round(h));
}

/**
 * Cuts a text to a width, with an ellipsis.
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} width
 * @returns {string}
 */
export function shorten(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let kept = text;
  while (kept.length > 1 && context.measureText(`${kept}…`).width > width) kept = kept.slice(0, -1);
  return `${kept}…`;
}

/** @param {number} low @param {number} high @param {number} count @returns {Tick[]} */
function roundTicks(low, high, count) {
  const { ticks, step } = niceTicks(low, high, count);
  return ticks.map((at) => ({ at, text: formatNumber(at, step) }));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {Theme} theme
 * @param {number} base Below it the plot is not to scale and has no ticks.
 * @param {number} grown Factor of the type.
 * @param {Tick[]} [yTicks]
 */
function drawTicks(context, plot, theme, base, grown, yTicks) {
  const [xmin, xmax, ymin, ymax] = plot.view;
  const across = niceTicks(xmin, xmax, Math.min(6, plot.w / (80 * grown)));
  const heights = (yTicks ?? roundTicks(ymin, ymax, Math.min(6, plot.h / (60 * grown))))
    .filter(({ at }) => at >= base - (ymax - ymin) * 1e-4);
  context.lineWidth = 1;
  context.strokeStyle = theme.text;
  context.fillStyle = theme.text;
  context.globalAlpha = 0.07;
  context.beginPath();
  for (const tick of across.ticks) {
    const x = Math.round(plot.toX(tick)) + 0.5;
    context.moveTo(x, plot.y);
    context.lineTo(x, plot.y + plot.h);
  }
  for (const { at } of heights) {
    const y = Math.round(plot.toY(at)) + 0.5;
    context.moveTo(plot.x, y);
    context.lineTo(plot.x + plot.w, y);
  }
  context.stroke();
  context.globalAlpha = 0.72;
  context.font = `${11.5 * grown}px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const tick of across.ticks) {
    context.fillText(formatNumber(tick, across.step), plot.toX(tick), plot.y + plot.h + 6 * grown);
  }
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const { at, text } of heights) context.fillText(text, plot.x - 7 * grown, plot.toY(at));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {Theme} theme
 * @param {AxisTexts} texts
 */
export function drawAxes(context, plot, theme, { title = "", xName = "", yName = "", yTicks, base, grown = 1, titleWidth = plot.w, yGap = 36 }) {
  context.save();
  drawTicks(context, plot, theme, base ?? -Infinity, grown, yTicks);
  strokeFrame(context, plot);
  context.globalAlpha = 0.8;
  context.font = `${12 * grown}px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.fillText(shorten(context, xName, plot.w), plot.x + plot.w / 2, plot.y + plot.h + 34 * grown);
  context.save();
  context.translate(plot.x - yGap * grown, plot.y + plot.h / 2);
  context.rotate(-Math.PI / 2);
  context.fillText(shorten(context, yName, plot.h), 0, 0);
  context.restore();
  context.globalAlpha = 1;
  context.font = `600 ${14 * grown}px ${theme.font}`;
  context.textAlign = "left";
  context.fillText(shorten(context, title, titleWidth), plot.x, plot.y - 10 * grown);
  context.restore();
}

/**
 * Writes a text with a rim in the background colour, so that it can be read above anything.
 * @param {CanvasRenderingContext2D} context
 * @param {Theme} theme
 * @param {string} text
 * @param {number} x
 * @param {number} y
 */
export function writeAbove(context, theme, text, x, y) {
  context.textAlign = "center";
  context.lineWidth = 3;
  context.strokeStyle = theme.background;
  context.strokeText(text, x, y);
  context.fillStyle = theme.text;
  context.fillText(text, x, y);
}
