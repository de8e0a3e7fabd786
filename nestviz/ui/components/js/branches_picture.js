// How the tree is drawn: branches, the extrapolated strip, the cluster counts and the cut.

/** @import { Branch, Count } from "./branches_message.js" */
/** @import { Plot } from "./plot.js" */
/** @import { Theme } from "./theme.js" */
import { clipToPlot, shorten, strokeFrame, writeAbove } from "./axes.js";
import { traceRings } from "./geometry.js";
import { DASHES, STABILITY_OPACITY } from "./palette.js";
import { niceTicks } from "./plot.js";
import { paletteColor } from "./theme.js";

/** @typedef {CanvasRenderingContext2D} Context */

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
  const [pale, strong] = STABILITY_OPACITY;
  context.fillStyle = color;
  context.strokeStyle = chosen ? theme.text : color;
  context.globalAlpha = Math.min(1, (pale + (strong - pale) * branch.shade) * (quiet ? 0.6 : 1)
    + (pointed ? 0.12 : 0));
  context.fill(path);
  context.globalAlpha = quiet && !chosen ? 0.45 : 1;
  // A branch of a single point has next to no width: its outline keeps it visible.
  context.lineWidth = chosen ? 2.4 : pointed ? 1.8 : 1.2;
  context.stroke(path);
  context.globalAlpha = 1;
}

/**
 * Draws the numbers of branches: those of clusters first, the others where they have space.
 * @param {Context} context
 * @param {Branch[]} branches
 * @param {Plot} plot
 * @param {Theme} theme
 */
export function drawBranchLabels(context, branches, plot, theme) {
  /** @type {[x: number, y: number, half: number][]} */
  const taken = [];
  const labelled = branches.filter(({ label, top, bottom }) => (
    label !== "" && plot.toY(top) < plot.y + plot.h && plot.toY(bottom) > plot.y));
  context.textBaseline = "alphabetic";
  for (const branch of [...labelled].sort((a, b) => Number(b.bold) - Number(a.bold))) {
    const { label, top, bottom, centre, bold, lines } = branch;
    context.font = `${bold ? 600 : 400} 12px ${theme.font}`;
    const x = plot.toX(centre);
    const half = context.measureText(label).width / 2 + 2;
    // Above a tip, on a dashed join, or else inside, in the middle of what is seen.
    const [high, low] = [Math.max(plot.toY(top), plot.y), Math.min(plot.toY(bottom), plot.y + plot.h)];
    const y = bold ? Math.max(plot.toY(top) - 5, plot.y + 12)
      : lines.length ? low - 3 : (high + low) / 2 + 4;
    if (!bold && !lines.length && low - high < 13) continue;
    if (!bold && taken.some(([u, v, w]) => Math.abs(u - x) < w + half && Math.abs(v - y) < 13)) continue;
    taken.push([x, y, half]);
    writeAbove(context, theme, label, x, y);
  }
}

/**
 * Draws what lit points fill of their branches.
 * @param {Context} context
 * @param {{ index: number, outline: number[] }[]} parts
 * @param {Plot} plot
 * @param {Theme} theme
 */
export function drawLitParts(context, parts, plot, theme) {
  const path = new Path2D();
  traceRings(path, parts.map(({ outline }) => outline), plot);
  context.fillStyle = theme.text;
  context.strokeStyle = theme.text;
  context.globalAlpha = 0.5;
  context.fill(path);
  context.globalAlpha = 0.9;
  context.lineWidth = 1;
  context.stroke(path);
  context.globalAlpha = 1;
}

/** @param {Context} context @param {Plot} plot @param {number} height @param {Theme} theme */
export function drawHeightLine(context, plot, height, theme) {
  const y = Math.round(plot.toY(height)) + 0.5;
  // In two colours, to be seen on pale and on strong branches.
  for (const [color, width] of /** @type {const} */ ([[theme.background, 3], [theme.text, 1]])) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(plot.x, y);
    context.lineTo(plot.x + plot.w, y);
    context.stroke();
  }
}

/**
 * Draws the height of the largest solved set; what joins below it is extrapolated, not to scale.
 * @param {Context} context
 * @param {{ plot: Plot, right: number, base: number, note: string }} strip
 * @param {Theme} theme
 */
export function drawBase(context, { plot, right, base, note }, theme) {
  const y = Math.round(plot.toY(base)) + 0.5;
  if (y > plot.y + plot.h) return;
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
  if (y < plot.y || y > plot.y + plot.h) return;
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
