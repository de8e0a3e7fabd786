// The points of a panel, and rings around selected ones.

/** @import { Plot } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { Panel, Scene } from "./decode.js" */
import { addMarker, addRing, markerRadius, paintMarkers } from "../../components/js/markers.js";
import { SHAPES } from "../../components/js/palette.js";
import { coefficientsAt } from "./family.js";
import { sizedRadius, weightedRadius } from "./layout.js";

/**
 * Returns where points lie on the canvas, x and y in turn.
 * @param {Float64Array} points
 * @param {Plot} plot
 * @returns {Float32Array}
 */
export function canvasPositions(points, plot) {
  const positions = new Float32Array(points.length);
  for (let k = 0; k < positions.length; k += 2) {
    positions[k] = plot.toX(points[k]);
    positions[k + 1] = plot.toY(points[k + 1]);
  }
  return positions;
}

/** @param {Pick<Scene, "class_names" | "neutral">} scene @returns {string[]} Names of what is drawn differently. */
export function drawnKinds({ class_names: names, neutral }) {
  return neutral ? ["points"] : names;
}

/** @param {number} index @param {number} kinds @param {Theme} theme @returns {string} */
export function classColor(index, kinds, theme) {
  return kinds === 1 ? theme.single : theme.palette[index];
}

/** What a point does in the solution at a level, by its coefficient. */
export const ROLES = ["coefficient at its bound", "coefficient in between", "coefficient zero"];
const ROUNDING = 1e-6;

/**
 * Returns coefficients as shares of their bound, which follows the weight; repeated points divide one.
 * @param {Panel} panel
 * @param {number} level
 * @returns {Float64Array | null}
 */
export function sizesAt({ family, classes, sizeScale, sizeRows, weights }, level) {
  if (sizeScale === null) return null;
  const coefficients = coefficientsAt(family, level);
  const repeats = new Float64Array(coefficients.length);
  classes.forEach((_, i) => { repeats[sizeRows ? sizeRows[i] : i] += weights ? weights[i] : 1; });
  return Float64Array.from(classes, (_, i) => {
    const row = sizeRows ? sizeRows[i] : i;
    return (Math.abs(coefficients[row]) * sizeScale) / (repeats[row] || 1);
  });
}

/**
 * Returns what each point does in the solution at a level: an index of `ROLES`.
 * @param {Panel} panel
 * @param {number} level
 * @returns {Uint8Array | null}
 */
export function rolesAt(panel, level) {
  const { classes, family } = panel;
  const shares = sizesAt(panel, level);
  // Of two classes the bound is the asymmetry itself, or what is left of 1.
  const two = family.orientation === 1;
  return shares && Uint8Array.from(shares, (share, i) => {
    const bound = two ? Math.max(classes[i] === 0 ? level : 1 - level, 1e-12) : 1;
    if (share >= bound * (1 - ROUNDING)) return 0;
    return share > ROUNDING * bound ? 1 : 2;
  });
}

/**
 * Draws the points of a panel.
 * @param {CanvasRenderingContext2D} context
 * @param {Panel} panel
 * @param {Float32Array} positions
 * @param {{ kinds: number, theme: Theme, level: number, sizes: boolean, roles: boolean, grown: number }} look
 */
export function drawPoints(context, panel, positions, { kinds, theme, level, sizes, roles, grown }) {
  const { classes, hollow, weights } = panel;
  const base = grown * markerRadius(classes.length);
  const sized = sizes ? sizesAt(panel, level) : null;
  const shown = roles ? rolesAt(panel, level) : null;
  const paths = Array.from({ length: shown ? ROLES.length : kinds }, () => new Path2D());
  for (let i = 0; i < classes.length; i++) {
    const own = weights ? weightedRadius(base, weights[i]) : base;
    const radius = sized ? sizedRadius(base, sized[i]) : own;
    const kind = shown ? shown[i] : kinds === 1 ? 0 : classes[i];
    addMarker(paths[kind], SHAPES[kind], positions[2 * i], positions[2 * i + 1], radius);
  }
  paths.forEach((path, kind) => {
    const color = shown ? theme.palette[kind] : classColor(kind, kinds, theme);
    paintMarkers(context, path, color, theme, sized !== null);
  });
  if (!hollow) return;
  const holes = new Path2D();
  hollow.forEach((flag, i) => {
    if (flag) addRing(holes, positions[2 * i], positions[2 * i + 1], 0.55 * base);
  });
  context.fillStyle = theme.background;
  context.fill(holes);
}

/**
 * Draws thin rings around marked points; the first, whose details are shown, has a larger one.
 * @param {CanvasRenderingContext2D} context
 * @param {Float32Array} positions
 * @param {number[]} marked
 * @param {Theme} theme
 */
export function drawMarked(context, positions, marked, theme) {
  if (!marked.length) return;
  const rings = new Path2D();
  marked.forEach((i, order) => {
    if (2 * i >= positions.length) return;
    addRing(rings, positions[2 * i], positions[2 * i + 1], order === 0 ? 9 : 5.5);
  });
  context.strokeStyle = theme.background;
  context.lineWidth = marked.length > 20 ? 2.4 : 4;
  context.stroke(rings);
  context.strokeStyle = theme.text;
  context.lineWidth = marked.length > 20 ? 1.1 : 1.8;
  context.stroke(rings);
}
