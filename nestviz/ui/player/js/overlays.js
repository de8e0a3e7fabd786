// What lies above a picture: the divider of a swipe, a pinned location, the point at hand.

/** @import { Plot } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { ScenePicture } from "./picture.js" */
/** @import { Line } from "./profile.js" */
import { addRing } from "../../components/js/markers.js";
import { valueAt } from "./family.js";

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {number} x
 * @param {Theme} theme
 */
export function drawDivider(context, plot, x, theme) {
  const middle = plot.y + plot.h / 2;
  context.strokeStyle = theme.text;
  context.fillStyle = theme.background;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x, plot.y);
  context.lineTo(x, plot.y + plot.h);
  context.stroke();
  context.beginPath();
  context.arc(x, middle, 11, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  context.beginPath();
  for (const side of [-1, 1]) {
    context.moveTo(x + side * 3, middle - 4);
    context.lineTo(x + side * 7, middle);
    context.lineTo(x + side * 3, middle + 4);
  }
  context.stroke();
}

/**
 * Draws the pinned location of a panel; a story also says whether it is inside.
 * @param {ScenePicture} picture
 * @param {Plot} plot
 * @param {number} panel
 * @param {number} level
 */
export function drawProbed({ context, theme, line, grown, scene, memory, alarm }, plot, panel, level) {
  const { probe } = memory;
  if (!probe) return;
  if (line) drawLine(context, plot, line, theme, grown);
  if (!scene.player.story) {
    drawPin(context, plot, probe, theme);
    return;
  }
  const inside = valueAt(scene.panels[panel].family, ...probe, level) >= 0;
  const look = inside ? { words: "inside" } : { words: "outside", color: alarm };
  drawPin(context, plot, probe, theme, { ...look, grown });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {[number, number]} location
 * @param {Theme} theme
 * @param {{ words?: string, color?: string, grown?: number }} [look] What is written beside it.
 */
function drawPin(context, plot, [u, v], theme, { words = "", color = theme.text, grown = 1 } = {}) {
  const [x, y, pin] = [plot.toX(u), plot.toY(v), new Path2D()];
  addRing(pin, x, y, 6 * grown);
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    pin.moveTo(x + 4 * grown * dx, y + 4 * grown * dy);
    pin.lineTo(x + 12 * grown * dx, y + 12 * grown * dy);
  }
  context.strokeStyle = theme.background;
  context.lineWidth = 4 * grown;
  context.stroke(pin);
  context.strokeStyle = color;
  context.lineWidth = 1.8 * grown;
  context.stroke(pin);
  if (!words) return;
  context.font = `600 ${13 * grown}px ${theme.font}`;
  context.textBaseline = "middle";
  // The rim of the frame must not cut the word.
  const left = x + 16 * grown + context.measureText(words).width > plot.x + plot.w;
  context.textAlign = left ? "right" : "left";
  const at = x + (left ? -16 : 16) * grown;
  context.lineJoin = "round";
  context.strokeStyle = theme.background;
  context.lineWidth = 4 * grown;
  context.strokeText(words, at, y);
  context.fillStyle = color;
  context.fillText(words, at, y);
}

/**
 * Draws the line along which a chart shows the sets.
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {Line} line
 * @param {Theme} theme
 * @param {number} grown
 */
function drawLine(context, plot, { from, to }, theme, grown) {
  context.strokeStyle = theme.text;
  context.lineWidth = 1.4 * grown;
  context.setLineDash([6, 5]);
  context.beginPath();
  context.moveTo(plot.toX(from[0]), plot.toY(from[1]));
  context.lineTo(plot.toX(to[0]), plot.toY(to[1]));
  context.stroke();
  context.setLineDash([]);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ x: number, y: number }} point
 * @param {Theme} theme
 */
export function ringPoint(context, { x, y }, theme) {
  const ring = new Path2D();
  addRing(ring, x, y, 7.5);
  context.strokeStyle = theme.text;
  context.lineWidth = 1.6;
  context.stroke(ring);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {[number, number][]} line
 * @param {Theme} theme
 */
export function drawLasso(context, line, theme) {
  context.beginPath();
  line.forEach(([x, y]) => context.lineTo(x, y));
  context.setLineDash([5, 4]);
  context.strokeStyle = theme.text;
  context.lineWidth = 1.5;
  context.stroke();
  context.setLineDash([]);
}
