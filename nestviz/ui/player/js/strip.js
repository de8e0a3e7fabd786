// The strip above the scrubber: the share of the picture that is broken at each level.

/** @import { Theme } from "../../components/js/theme.js" */
/** @import { Scale } from "./scale.js" */
import { positionAt } from "./scale.js";

/** @typedef {{ levels: Float64Array, shares: Float64Array, complete: boolean }} BrokenShares */
/** @typedef {{ x: number, y: number }[]} StripLine */

/** Half the width of the scrubber's thumb, whose centre marks the position. */
export const STRIP_INSET = 8.5;
const STRIP_TOP = 3;
/** A smaller largest share is not stretched to the full height: it would look alarming. */
const STRIP_LEAST = 0.002;

/**
 * Returns the level at which most is broken, the lowest of equal ones; null if nothing is broken.
 * @param {Pick<BrokenShares, "levels" | "shares">} shares
 * @returns {number | null}
 */
export function worstLevel({ levels, shares }) {
  let [worst, most] = [-1, 0];
  shares.forEach((share, k) => {
    if (share > most) [worst, most] = [k, share];
  });
  return worst < 0 ? null : levels[worst];
}

/**
 * Returns the corners of the curve from left to right, as high as the strip at the largest share.
 * Levels whose share is not known yet are left out.
 * @param {number} width
 * @param {number} height
 * @param {BrokenShares} shares
 * @param {Scale} scale
 * @returns {StripLine}
 */
export function stripLine(width, height, { levels, shares }, scale) {
  const last = Math.max(1, scale.levels.length - 1);
  const known = [...shares.keys()].filter((k) => Number.isFinite(shares[k]));
  const most = Math.max(STRIP_LEAST, ...known.map((k) => shares[k]));
  return known
    .map((k) => ({
      x: STRIP_INSET + (positionAt(scale, levels[k]) / last) * (width - 2 * STRIP_INSET),
      y: height - (shares[k] / most) * (height - STRIP_TOP),
    }))
    .sort((a, b) => a.x - b.x);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} width In the scrubber's pixels.
 * @param {number} height
 * @param {BrokenShares} shares
 * @param {Scale} scale
 * @param {Theme} theme
 */
export function drawStrip(context, width, height, shares, scale, theme) {
  const line = stripLine(width, height - 1, shares, scale);
  const alarm = theme.palette[3];
  context.save();
  context.clearRect(0, 0, width, height);
  context.lineJoin = "round";
  if (line.length && worstLevel(shares) !== null) {
    context.globalAlpha = shares.complete ? 1 : 0.6;
    context.beginPath();
    context.moveTo(line[0].x, height - 1);
    for (const { x, y } of line) context.lineTo(x, y);
    context.lineTo(line[line.length - 1].x, height - 1);
    context.closePath();
    context.globalAlpha *= 0.3;
    context.fillStyle = alarm;
    context.fill();
    context.globalAlpha /= 0.3;
    context.beginPath();
    for (const { x, y } of line) context.lineTo(x, y);
    context.strokeStyle = alarm;
    context.lineWidth = 1.5;
    context.stroke();
  }
  context.globalAlpha = 0.2;
  context.fillStyle = theme.text;
  context.fillRect(STRIP_INSET, height - 1, width - 2 * STRIP_INSET, 1);
  context.restore();
}
