// Markers of points: on the canvas, and as SVG in legends.

/** @import { Theme } from "./theme.js" */
import { svgElement } from "./dom.js";
import { MARKER_OPACITY, MARKER_RADII, RIM_WIDTH, SPOKES } from "./palette.js";

/**
 * What a marker is drawn on: a Path2D or a PathText.
 * @typedef {Pick<Path2D, "moveTo" | "lineTo" | "closePath" | "arc">} MarkerPath
 */

/**
 * Adds one marker to a path.
 * @param {MarkerPath} path
 * @param {string} shape
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function addMarker(path, shape, x, y, r) {
  if (shape === "circle") {
    addRing(path, x, y, r);
    return;
  }
  const [size, lengths, first] = SPOKES[shape];
  lengths.forEach((length, k) => {
    const [angle, radius] = [first + (2 * Math.PI * k) / lengths.length, r * size * length];
    const [px, py] = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    if (k === 0) path.moveTo(px, py);
    else path.lineTo(px, py);
  });
  path.closePath();
}

/**
 * Adds a circle to a path, without a line from the point before.
 * @param {Pick<Path2D, "moveTo" | "arc">} path
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function addRing(path, x, y, r) {
  path.moveTo(x + r, y);
  path.arc(x, y, r, 0, 2 * Math.PI);
}

/**
 * Fills markers and sets them off by a rim in the background colour. Below them it separates
 * classes and leaves crowds of small markers whole; above them it also separates large ones that
 * overlap.
 * @param {CanvasRenderingContext2D} context
 * @param {Path2D} path
 * @param {string} color
 * @param {Theme} theme
 * @param {boolean} [rimAbove]
 */
export function paintMarkers(context, path, color, theme, rimAbove = false) {
  const rim = () => {
    context.lineWidth = rimAbove ? 1 : RIM_WIDTH;
    context.strokeStyle = theme.background;
    context.stroke(path);
  };
  if (!rimAbove) rim();
  context.fillStyle = color;
  context.globalAlpha = MARKER_OPACITY;
  context.fill(path);
  context.globalAlpha = 1;
  if (rimAbove) rim();
}

/** @param {number} count @returns {number} The radius of a marker among so many. */
export function markerRadius(count) {
  return MARKER_RADII.find(([most]) => count <= most)?.[1] ?? 0;
}

/** A path that writes itself down as the `d` of an SVG path. */
export class PathText {
  constructor() { this.text = ""; }

  /** @param {number} x @param {number} y */
  moveTo(x, y) { this.text += `M${x} ${y}`; }

  /** @param {number} x @param {number} y */
  lineTo(x, y) { this.text += `L${x} ${y}`; }

  closePath() { this.text += "Z"; }

  /** A whole circle, begun at its right end. @param {number} _x @param {number} _y @param {number} r */
  arc(_x, _y, r) { this.text += `a${r} ${r} 0 1 0 ${-2 * r} 0a${r} ${r} 0 1 0 ${2 * r} 0`; }
}

/** @param {number} width @param {SVGElement[]} content @returns {SVGElement} */
export function icon(width, ...content) {
  const size = { viewBox: `0 0 ${width} 14`, width, height: 14, "aria-hidden": "true" };
  return svgElement("svg", size, ...content);
}

/** @param {string} shape @param {string} color @returns {SVGElement} */
export function markerIcon(shape, color) {
  const path = new PathText();
  addMarker(path, shape, 7, 7, 4);
  return icon(14, svgElement("path", { d: path.text, fill: color }));
}
