// Zooming and moving a view. Needs no DOM.

/** @import { View } from "../../components/js/plot.js" */

/** A view is at most this many times as wide as at home, and at least home divided by CLOSEST_VIEW. */
const WIDEST_VIEW = 2;
const CLOSEST_VIEW = 1e5;

/** @param {number} value @param {number} low @param {number} high @returns {number} */
function between(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/**
 * Returns a view around the location (u, v), which stays where it is on the screen.
 * @param {View} view
 * @param {number} u
 * @param {number} v
 * @param {number} factor Above 1 zooms in, below 1 out.
 * @param {View} home The whole picture; limits how far the zoom goes.
 * @returns {View}
 */
export function zoomedView(view, u, v, factor, home) {
  const wide = view[1] - view[0];
  const whole = home[1] - home[0];
  const share = between(wide / factor, whole / CLOSEST_VIEW, whole * WIDEST_VIEW) / wide;
  const [xmin, xmax, ymin, ymax] = view;
  return keptNear([
    u + (xmin - u) * share, u + (xmax - u) * share, v + (ymin - v) * share, v + (ymax - v) * share,
  ], home);
}

/**
 * Returns the view after its content has moved by (du, dv), as if held by the pointer.
 * @param {View} view
 * @param {number} du
 * @param {number} dv
 * @param {View} [home] The centre of the view stays inside it.
 * @returns {View}
 */
export function pannedView([xmin, xmax, ymin, ymax], du, dv, home) {
  /** @type {View} */
  const moved = [xmin - du, xmax - du, ymin - dv, ymax - dv];
  return home ? keptNear(moved, home) : moved;
}

/** Returns whether part of the picture is out of view. @param {View} view @param {View} home */
export function isZoomedIn(view, home) {
  const slack = 1e-6 * (home[1] - home[0]);
  return view[0] > home[0] + slack || view[1] < home[1] - slack
    || view[2] > home[2] + slack || view[3] < home[3] - slack;
}

/**
 * Moves a view so that its centre is inside home.
 * @param {View} view
 * @param {View} home
 * @returns {View}
 */
function keptNear([xmin, xmax, ymin, ymax], home) {
  const [u, v] = [(xmin + xmax) / 2, (ymin + ymax) / 2];
  const du = between(u, home[0], home[1]) - u;
  const dv = between(v, home[2], home[3]) - v;
  return [xmin + du, xmax + du, ymin + dv, ymax + dv];
}

/** Pixels of a line and of a page of the wheel, by its delta mode. */
export const WHEEL_UNITS = [1, 16, 400];

/** @param {WheelEvent} event @returns {number} */
export function wheelFactor({ deltaY, deltaMode, ctrlKey }) {
  const pixels = deltaY * WHEEL_UNITS[deltaMode];
  // Two fingers on a trackpad arrive as small steps of a wheel with Ctrl.
  const power = ctrlKey ? Math.min(Math.max(pixels, -40), 40) * 0.01
    : Math.min(Math.max(pixels, -240), 240) * 0.002;
  return Math.exp(-power);
}
