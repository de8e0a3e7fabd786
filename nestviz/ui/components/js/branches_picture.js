// How the tree is drawn: branches, the extrapolated strip, the cluster counts and the cut.

/** @import { Branch } from "./branches.js" */
/** @import { Plot } from "./plot.js" */
/** @import { Theme } from "./theme.js" */
import { clipToPlot, shorten, strokeFrame, writeAbove } from "./axes.js";
import { DASHES } from "./palette.js";
import { niceTicks } from "./plot.js";
import { paletteColor } from "./theme.js";

/** @typedef {CanvasRenderingContext2D} Context */
/** @typedef {[from: number, to: number, count: number]} Count Between two heights. */

/**
 * Returns the number of clusters at a height.
 * @param {Count[]} counts
 * @param {number} height
 * @returns {number}
 */
export function countAt(counts, height) {
  const step = counts.find(([from, to]) =>
    Math.min(from, to) <= height && height < Math.max(from, to));
  return step ? step[2] : 0;
}

/**
 * @param {Context} context
 * @param {Branch} branch
 * @param {Path2D} path
 * @param {{ chosen: boolean, pointed: boolean }} state
 * @param {Theme} theme
 */
export function drawBranch(context, branch, path, { chosen, pointed }, theme) {
  const color = paletteColor(branch.colour, theme);
  if (branch.lines.length) {
    context.strokeStyle = color;
    context.globalAlpha = chosen || pointed ? 1 : 0.75;
    context.lineWidth = chosen ? 2.8 : 1.6;
    context.setLineDash(DASHES.extrapolated);
    context.stroke(path);
    context.setLineDash([]);
    context.globalAlpha = 1;
    return;
  }
  const quiet = branch.colour < 0;
  context.fillStyle = color;
  context.strokeStyle = chosen ? theme.text : color;
  if (quiet) context.globalAlpha = pointed ? 0.36 : 0.2;
  else context.globalAlpha = pointed ? 0.85 : 0.6;
  context.fill(path);
  context.globalAlpha = quiet && !chosen ? 0.45 : 1;
  // A branch of a single point has next to no width: its outline keeps it visible.
  context.lineWidth = chosen ? 2.4 : 1.2;
  context.stroke(path);
  context.globalAlpha = 1;
}

/** @param {Context} context @param {Branch} branch @param {Plot} plot @param {Theme} theme */
export function drawBranchLabel(context, branch, plot, theme) {
  if (branch.label === "") return;
  context.font = `600 12px ${theme.font}`;
  context.textBaseline = "alphabetic";
  const y = Math.max(plot.toY(branch.top) - 5, plot.y + 12);
  writeAbove(context, theme, branch.label, plot.toX(branch.centre), y);
}

/**
 * Draws the height of the largest solved set; what joins below it is extrapolated, not to scale.
 * @param {Context} context
 * @param {{ plot: Plot, right: number, base: number, note: string }} strip
 * @param {Theme} theme
 */
export function drawBase(context, { plot, right, base, note }, theme) {
  const y = Math.round(plot.toY(base)) + 0.5;
  context.save();
  context.fillStyle = theme.text;
  context.globalAlpha = 0.06;
  context.fillRect(plot.x, y, plot.w, plot.y + plot.h - y);
  context.globalAlpha = 0.5;
  context.strokeStyle = theme.text;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(plot.x, y);
  context.lineTo(right, y);
  context.stroke();
  context.globalAlpha = 0.85;
  context.font = `11px ${theme.font}`;
  context.textAlign = "left";
  context.textBaseline = "bottom";
  context.fillText(shorten(context, note, plot.w - 8), plot.x + 5, plot.y + plot.h - 2);
  context.restore();
}

/**
 * Draws the number of clusters over the same heights, so that the cut runs through both pictures.
 * @param {Context} context
 * @param {Count[]} counts
 * @param {Plot} side
 * @param {Theme} theme
 */
export function drawCounts(context, counts, side, theme) {
  context.save();
  context.strokeStyle = theme.text;
  context.lineWidth = 1;
  strokeFrame(context, side);
  context.globalAlpha = 0.8;
  context.fillStyle = theme.text;
  context.font = `11.5px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  const { ticks, step } = niceTicks(0, side.view[1], Math.min(4, side.w / 26));
  for (const tick of ticks.filter((value) => step >= 1 || Number.isInteger(value))) {
    context.fillText(String(tick), side.toX(tick), side.y + side.h + 6);
  }
  context.font = `12px ${theme.font}`;
  context.textBaseline = "alphabetic";
  context.fillText("clusters", side.x + side.w / 2, side.y + side.h + 34);
  context.globalAlpha = 1;
  context.strokeStyle = theme.palette[0];
  context.lineWidth = 2;
  context.lineJoin = "round";
  clipToPlot(context, side);
  context.beginPath();
  counts.forEach(([from, to, count], k) => {
    const x = side.toX(count);
    if (k === 0) context.moveTo(x, side.toY(from));
    else context.lineTo(x, side.toY(from));
    context.lineTo(x, side.toY(to));
  });
  context.stroke();
  context.restore();
}

/**
 * @param {Context} context
 * @param {{ plot: Plot, side: Plot, cut: number, count: number, held: boolean }} cut
 * @param {Theme} theme
 */
export function drawCut(context, { plot, side, cut, count, held }, theme) {
  const y = plot.toY(cut);
  const x = side.toX(count);
  context.strokeStyle = theme.text;
  context.lineWidth = held ? 2.4 : 1.6;
  context.setLineDash(DASHES.cut);
  context.beginPath();
  context.moveTo(plot.x, y);
  context.lineTo(side.x + side.w, y);
  context.stroke();
  context.setLineDash([]);
  // A handle shows that the line can be dragged.
  context.fillStyle = theme.text;
  context.beginPath();
  context.arc(plot.x, y, 5, 0, 2 * Math.PI);
  context.fill();
  context.beginPath();
  context.arc(x, y, 5, 0, 2 * Math.PI);
  context.fillStyle = theme.palette[1];
  context.fill();
  context.font = `600 12px ${theme.font}`;
  context.fillStyle = theme.text;
  const words = count === 1 ? "1 cluster" : `${count} clusters`;
  const left = x + 8 + context.measureText(words).width > side.x + side.w;
  const below = y - 14 < side.y;
  context.textAlign = left ? "right" : "left";
  context.textBaseline = below ? "top" : "alphabetic";
  context.fillText(words, x + (left ? -8 : 8), y + (below ? 6 : -6));
}
