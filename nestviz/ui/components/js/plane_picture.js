// How the plane is drawn: areas, points, lines and what is selected among them.

/** @import { Plot } from "./plot.js" */
/** @import { Theme } from "./theme.js" */
/** @import { Light } from "./linked.js" */
/** @import { Area, PlaneMessage, Thread } from "./plane.js" */
/** @import { EntryMap } from "./plane_sets.js" */
import { traceSet } from "../../player/js/contour.js";
import { writeAbove } from "./axes.js";
import { blend, traceRings } from "./geometry.js";
import { addMarker, addRing, markerRadius, paintMarkers } from "./markers.js";
import { DASHES } from "./palette.js";
import { fieldAtLevel, partsAround } from "./plane_sets.js";
import { paletteColor } from "./theme.js";

/** @typedef {CanvasRenderingContext2D} Context */

const SHADES = 16;
const MANY = 12;

/**
 * Returns a colour from quiet to loud. Most points have a middling score; the loud end is
 * reserved for the top.
 * @param {number} share
 * @param {Theme} theme
 * @returns {string}
 */
function scoreColor(share, theme) {
  return blend(...theme.scoreRange, share ** 4);
}

/**
 * Returns what points of one kind look like.
 * @param {PlaneMessage} data
 * @param {number} kind
 * @param {Theme} theme
 * @returns {{ color: string, shape: string, quiet: boolean }}
 */
export function lookOf(data, kind, theme) {
  const { colour, shape } = data.kinds[kind];
  const quiet = colour < 0;
  const color = data.shades ? scoreColor(quiet ? 0.5 : 1, theme) : paletteColor(colour, theme);
  return { color, shape, quiet };
}

/** @param {Context} context @param {Area} area @param {Plot} plot @param {Theme} theme */
export function drawArea(context, { rings, colour, dashed }, plot, theme) {
  const path = new Path2D();
  traceRings(path, rings, plot);
  context.fillStyle = paletteColor(colour, theme);
  context.strokeStyle = paletteColor(colour, theme);
  context.globalAlpha = colour < 0 ? 0.06 : 0.17;
  context.fill(path, "evenodd");
  context.globalAlpha = colour < 0 ? 0.55 : 0.9;
  context.lineWidth = 1.5;
  context.setLineDash(dashed ? DASHES.area : []);
  context.stroke(path);
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/**
 * Draws markers of the same look in one go; those in front are the more abnormal ones.
 * @param {Context} context
 * @param {PlaneMessage} data
 * @param {number[]} positions
 * @param {Theme} theme
 * @param {number[]} [rows] All points, by default.
 */
export function drawPlanePoints(context, data, positions, theme, rows) {
  const { kind_of: kindOf, shades } = data;
  const looks = data.kinds.map((_, kind) => lookOf(data, kind, theme));
  /** @type {Map<number, { kind: number, shade: number, path: Path2D }>} */
  const groups = new Map();
  const base = markerRadius(kindOf.length);
  for (const i of rows ?? kindOf.keys()) {
    const kind = kindOf[i];
    const shade = shades ? Math.round(shades[i] * SHADES) : 0;
    const name = shade * 1000 + kind;
    const group = groups.get(name) ?? { kind, shade, path: new Path2D() };
    groups.set(name, group);
    const { quiet, shape } = looks[kind];
    const radius = base * (shades ? 0.8 + 0.75 * (shade / SHADES) ** 3 : quiet ? 0.75 : 1.05);
    addMarker(group.path, shape, positions[2 * i], positions[2 * i + 1], radius);
  }
  for (const [, { kind, shade, path }] of [...groups].sort(([a], [b]) => a - b)) {
    const { color, quiet } = looks[kind];
    context.globalAlpha = 1;
    if (quiet && !shades) {
      context.fillStyle = color;
      context.globalAlpha = 0.5;
      context.fill(path);
    } else {
      paintMarkers(context, path, shades ? scoreColor(shade / SHADES, theme) : color, theme);
    }
  }
  context.globalAlpha = 1;
}

/**
 * Draws the set at a level: its outline, and filled those of its parts that lit points are in.
 * @param {Context} context
 * @param {EntryMap} map
 * @param {Light & { level: number }} light
 * @param {number[]} points x and y in turn, in steps.
 * @param {Plot} plot
 * @param {Theme} theme
 */
export function drawLitSet(context, map, { level, rows, colour }, points, plot, theme) {
  const field = fieldAtLevel(map, level);
  const [all, part] = [new Path2D(), new Path2D()];
  traceSet(field, map, all, plot.toX, plot.toY);
  /** @type {[number, number][]} */
  const inside = rows.map((row) => [points[2 * row], points[2 * row + 1]]);
  traceSet(partsAround(field, map, inside, -level), map, part, plot.toX, plot.toY);
  context.strokeStyle = theme.text;
  context.lineWidth = 1.4;
  context.globalAlpha = 0.75;
  context.stroke(all);
  context.fillStyle = paletteColor(colour, theme);
  context.globalAlpha = 0.3;
  context.fill(part, "evenodd");
  context.globalAlpha = 1;
  context.lineWidth = 2.4;
  context.stroke(part);
}

/**
 * Draws rings around selected points, in two colours: they stand out from markers and areas
 * alike. Many rings must not hide what they surround.
 * @param {Context} context
 * @param {number[]} rows
 * @param {number[]} positions
 * @param {Theme} theme
 */
export function drawSelectionRings(context, rows, positions, theme) {
  const many = rows.length > MANY;
  const path = new Path2D();
  for (const row of rows) addRing(path, positions[2 * row], positions[2 * row + 1], many ? 4.5 : 7);
  if (!many) {
    context.strokeStyle = theme.background;
    context.lineWidth = 4;
    context.stroke(path);
  }
  context.strokeStyle = theme.text;
  context.lineWidth = many ? 0.9 : 1.6;
  context.globalAlpha = many ? 0.75 : 1;
  context.stroke(path);
  context.globalAlpha = 1;
}

/** @param {Context} context @param {Thread} thread @param {Plot} plot @param {Theme} theme */
export function drawThread(context, { from, to, weight, pushes }, plot, theme) {
  context.strokeStyle = pushes ? theme.palette[1] : theme.palette[0];
  context.lineWidth = 1 + 4 * weight;
  context.setLineDash(pushes ? DASHES.repelling : []);
  context.beginPath();
  context.moveTo(plot.toX(from[0]), plot.toY(from[1]));
  context.lineTo(plot.toX(to[0]), plot.toY(to[1]));
  context.globalAlpha = 0.75;
  context.stroke();
  context.globalAlpha = 1;
  context.setLineDash([]);
}

/**
 * @param {Context} context
 * @param {string} text
 * @param {{ x: number, y: number, top: number }} at Of the point, and the upper edge of the plot.
 * @param {Theme} theme
 */
export function drawPointLabel(context, text, { x, y, top }, theme) {
  context.font = `600 11.5px ${theme.font}`;
  const below = y - 12 < top + 8;
  context.textBaseline = below ? "top" : "alphabetic";
  writeAbove(context, theme, text, x, below ? y + 9 : y - 9);
}

/** @param {Context} context @param {number} x @param {number} y @param {Theme} theme */
export function drawSpot(context, x, y, theme) {
  for (const [color, width] of /** @type {const} */ ([[theme.background, 6], [theme.palette[3], 2.8]])) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x - 9, y);
    context.lineTo(x + 9, y);
    context.moveTo(x, y - 9);
    context.lineTo(x, y + 9);
    context.stroke();
  }
}

/** @param {Context} context @param {[number, number][]} lasso @param {Theme} theme */
export function drawLasso(context, lasso, theme) {
  context.beginPath();
  lasso.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  context.fillStyle = theme.palette[0];
  context.globalAlpha = 0.1;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = theme.palette[0];
  context.lineWidth = 1.5;
  context.setLineDash([5, 4]);
  context.stroke();
  context.setLineDash([]);
}
