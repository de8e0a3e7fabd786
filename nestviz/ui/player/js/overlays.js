// What lies above a picture: the divider of a swipe, a pinned location, the point at hand.

/** @import { Plot } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
import { addRing } from "../../components/js/markers.js";

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
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {[number, number]} location
 * @param {Theme} theme
 */
export function drawPin(context, plot, [u, v], theme) {
  const [x, y, pin] = [plot.toX(u), plot.toY(v), new Path2D()];
  addRing(pin, x, y, 6);
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    pin.moveTo(x + 4 * dx, y + 4 * dy);
    pin.lineTo(x + 12 * dx, y + 12 * dy);
  }
  context.strokeStyle = theme.background;
  context.lineWidth = 4;
  context.stroke(pin);
  context.strokeStyle = theme.text;
  context.lineWidth = 1.6;
  context.stroke(pin);
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
