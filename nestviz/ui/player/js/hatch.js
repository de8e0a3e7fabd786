// The pattern of hatched areas.

import { contextOf } from "../../components/js/dom.js";
import { HATCH_SPACING, HATCH_WIDTH } from "../../components/js/palette.js";

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} color
 * @param {number} ratio
 * @returns {CanvasPattern}
 */
export function hatchPattern(context, color, ratio) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = Math.round(HATCH_SPACING * ratio);
  const pen = contextOf(tile);
  pen.scale(tile.width / HATCH_SPACING, tile.height / HATCH_SPACING);
  pen.strokeStyle = color;
  pen.lineWidth = HATCH_WIDTH;
  pen.beginPath();
  // Three lines, so that the tile fits its neighbours at the corners.
  for (const shift of [-HATCH_SPACING, 0, HATCH_SPACING]) {
    pen.moveTo(shift, HATCH_SPACING);
    pen.lineTo(shift + HATCH_SPACING, 0);
  }
  pen.stroke();
  const pattern = context.createPattern(tile, "repeat");
  if (!pattern) throw new Error("This browser cannot hatch an area.");
  pattern.setTransform(new DOMMatrix().scale(HATCH_SPACING / tile.width));
  return pattern;
}
