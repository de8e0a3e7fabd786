// The true level set, where the density of the sample is known.

/** @import { Plot } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { Lattice } from "./field.js" */
/** @import { Rings } from "./rings.js" */
import { clipToPlot } from "../../components/js/axes.js";
import { listItem, svgElement } from "../../components/js/dom.js";
import { icon } from "../../components/js/markers.js";
import { DASHES, HALO_OPACITY, HALO_WIDTH } from "../../components/js/palette.js";
import { flatMap, placeRings, ringsOf } from "./rings.js";

/** @typedef {{ lattice: Lattice, values: Float32Array }} Truth The density at each pixel. */

const TRUTH_WIDTH = 1.6;

/** @type {WeakMap<Truth, { threshold: number, rings: Rings }>} */
const tracedTruths = new WeakMap();

/**
 * Returns the outline of the locations whose density is at least the threshold.
 * @param {Truth} truth
 * @param {number} threshold
 * @returns {Rings}
 */
export function truthRings(truth, threshold) {
  const known = tracedTruths.get(truth);
  if (known?.threshold === threshold) return known.rings;
  const rings = ringsOf(truth.values.map((value) => value - threshold), truth.lattice);
  tracedTruths.set(truth, { threshold, rings });
  return rings;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {Truth} truth
 * @param {number} threshold
 * @param {Theme} theme
 */
export function drawTruth(context, plot, truth, threshold, theme) {
  context.save();
  clipToPlot(context, plot);
  context.beginPath();
  placeRings(context, truthRings(truth, threshold), flatMap(plot));
  context.strokeStyle = theme.background;
  context.lineWidth = HALO_WIDTH;
  context.globalAlpha = HALO_OPACITY;
  context.stroke();
  context.setLineDash(DASHES.truth);
  context.strokeStyle = theme.text;
  context.lineWidth = TRUTH_WIDTH;
  context.globalAlpha = 1;
  context.stroke();
  context.restore();
}

/** @param {Theme} theme @returns {HTMLLIElement} */
export function truthLegend(theme) {
  const line = svgElement("path", {
    d: "M1 7h18", stroke: theme.text, "stroke-width": TRUTH_WIDTH,
    "stroke-dasharray": DASHES.truth.join(" "),
  });
  return listItem(icon(20, line), "true level set");
}
