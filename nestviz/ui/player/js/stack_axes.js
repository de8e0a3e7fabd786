// Axes of the stack: floor, rear walls, levels and names.

/** @import { Plot, View } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { Scale } from "./scale.js" */
/** @import { Projection } from "./stack_shape.js" */
import { shorten } from "../../components/js/axes.js";
import { niceTicks } from "../../components/js/plot.js";
import { labelAt } from "./scale.js";
import { cornersFromRear, heightOf, project } from "./stack_shape.js";

const STACK_TICKS = 5;
const STACK_HEIGHTS = Array.from({ length: STACK_TICKS }, (_, k) => k / (STACK_TICKS - 1));

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Projection} projection
 * @param {[u: number, v: number, height: number][]} corners
 */
function addLine(context, projection, corners) {
  corners.forEach(([u, v, height], k) => {
    const [x, y] = project(projection, u, v, height);
    if (k === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
}

/**
 * Draws the floor with its grid, the two rear walls and their lines at the labelled levels.
 * @param {CanvasRenderingContext2D} context
 * @param {Projection} projection
 * @param {View} view
 * @param {Theme} theme
 */
export function drawStackFrame(context, projection, view, theme) {
  const [xmin, xmax, ymin, ymax] = view;
  const [rear, left, front, right] = cornersFromRear(projection, view);
  context.strokeStyle = theme.text;
  context.lineWidth = 1;
  context.globalAlpha = 0.1;
  context.beginPath();
  for (const u of niceTicks(xmin, xmax, 5).ticks) addLine(context, projection, [[u, ymin, 0], [u, ymax, 0]]);
  for (const v of niceTicks(ymin, ymax, 5).ticks) addLine(context, projection, [[xmin, v, 0], [xmax, v, 0]]);
  for (const height of STACK_HEIGHTS) {
    addLine(context, projection, [[...left, height], [...rear, height], [...right, height]]);
  }
  context.stroke();
  context.globalAlpha = 0.28;
  context.beginPath();
  addLine(context, projection, [[...rear, 0], [...left, 0], [...front, 0], [...right, 0], [...rear, 0]]);
  for (const corner of [left, rear, right]) addLine(context, projection, [[...corner, 0], [...corner, 1]]);
  context.stroke();
}

/**
 * Labels the vertical axis, on the left; the present level is bold and hides labels too near.
 * @param {CanvasRenderingContext2D} context
 * @param {Projection} projection
 * @param {View} view
 * @param {Scale} scale
 * @param {number} level
 * @param {Theme} theme
 * @param {number} grown Factor of the type.
 */
export function labelLevels(context, projection, view, scale, level, theme, grown) {
  if (projection.rise < 40) return;
  const [, left] = cornersFromRear(projection, view);
  const last = scale.levels.length - 1;
  const now = heightOf(scale, level);
  context.fillStyle = theme.text;
  context.textAlign = "right";
  context.textBaseline = "middle";
  /** @type {(height: number) => void} */
  const label = (height) => {
    const [x, y] = project(projection, left[0], left[1], height);
    context.fillText(labelAt(scale, (1 - height) * last), x - 7 * grown, y);
  };
  context.font = `${11.5 * grown}px ${theme.font}`;
  context.globalAlpha = 0.72;
  STACK_HEIGHTS.filter((height) => Math.abs(height - now) * projection.rise > 13 * grown).forEach(label);
  context.globalAlpha = 1;
  context.font = `600 ${11.5 * grown}px ${theme.font}`;
  label(now);
  const [x, y] = project(projection, left[0], left[1], 1);
  context.font = `${12 * grown}px ${theme.font}`;
  context.globalAlpha = 0.8;
  context.textAlign = "center";
  context.fillText(scale.name, x, y - 16 * grown);
}

/**
 * Writes the names of the features beside the front edges of the floor.
 * @param {CanvasRenderingContext2D} context
 * @param {Projection} projection
 * @param {View} view
 * @param {readonly string[]} names
 * @param {Theme} theme
 * @param {number} grown
 */
export function labelFloor(context, projection, view, names, theme, grown) {
  const [, left, front, right] = cornersFromRear(projection, view);
  context.fillStyle = theme.text;
  context.font = `${12 * grown}px ${theme.font}`;
  context.globalAlpha = 0.8;
  context.textBaseline = "top";
  for (const corner of [left, right]) {
    const [x, y] = project(projection, (corner[0] + front[0]) / 2, (corner[1] + front[1]) / 2, 0);
    context.textAlign = corner === left ? "right" : "left";
    context.fillText(names[corner[1] === front[1] ? 0 : 1] ?? "", x + (corner === left ? -6 : 6), y + 5);
  }
}

/**
 * Writes the title where a flat panel has it.
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {string} title
 * @param {Theme} theme
 * @param {number} grown
 */
export function titleStack(context, { x, y, w }, title, theme, grown) {
  context.fillStyle = theme.text;
  context.globalAlpha = 1;
  context.font = `600 ${14 * grown}px ${theme.font}`;
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.fillText(shorten(context, title, w), x, y - 10 * grown);
}
