// The band in which the boundaries of resamples differ. Needs no DOM but for its legend.

/** @import { Theme } from "../../components/js/theme.js" */
/** @import { Plot } from "../../components/js/plot.js" */
/** @import { Lattice } from "./field.js" */
/** @import { Rings } from "./rings.js" */
import { listItem, svgElement } from "../../components/js/dom.js";
import { icon } from "../../components/js/markers.js";
import { BAND_EDGE_OPACITY, BAND_OPACITY, DASHES } from "../../components/js/palette.js";
import { flatMap, placeRings, ringsOf } from "./rings.js";

/**
 * Fields at some levels, in steps of a unit for each of them; between levels they are interpolated.
 * @typedef {{ steps: Int16Array, units: Float64Array }} Side
 */
/**
 * @typedef {object} Band
 * @property {Lattice} lattice It reaches one pixel beyond the picture.
 * @property {Float64Array} levels Ascending.
 * @property {Side} inner Not negative inside the inner side.
 * @property {Side} outer Not negative inside the outer side.
 * @property {string} name
 */
/** @typedef {{ inner: Rings, outer: Rings, share: number }} BandSlice The share of the picture. */


/**
 * Returns a field at a level; beyond all levels, that of the nearest.
 * @param {Band} band
 * @param {Side} side
 * @param {number} level
 * @returns {Float32Array}
 */
export function sideAt({ levels, lattice: { columns, rows } }, { steps, units }, level) {
  const [last, size] = [levels.length - 1, columns * rows];
  let after = 1;
  while (after < last && levels[after] < level) after += 1;
  const gap = levels[after] - levels[after - 1];
  const part = Math.min(1, Math.max(0, (level - levels[after - 1]) / gap));
  const [below, above] = [(1 - part) * units[after - 1], part * units[after]];
  const [first, second] = [size * (after - 1), size * after];
  const field = new Float32Array(size);
  for (let k = 0; k < size; k += 1) field[k] = below * steps[first + k] + above * steps[second + k];
  return field;
}

/** @param {Lattice} lattice @param {Float32Array} inner @param {Float32Array} outer */
function shareBetween({ columns, rows }, inner, outer) {
  let count = 0;
  for (let y = 1; y < rows - 1; y += 1) {
    for (let k = y * columns + 1; k < (y + 1) * columns - 1; k += 1) {
      if (outer[k] >= 0 && inner[k] < 0) count += 1;
    }
  }
  return count / ((columns - 2) * (rows - 2));
}

/** @type {WeakMap<Band, { level: number, slice: BandSlice }>} */
const slices = new WeakMap();

/**
 * Returns both sides of the band at a level.
 * @param {Band} band
 * @param {number} level
 * @returns {BandSlice}
 */
export function bandAt(band, level) {
  const known = slices.get(band);
  if (known?.level === level) return known.slice;
  const [inner, outer] = [sideAt(band, band.inner, level), sideAt(band, band.outer, level)];
  const slice = {
    inner: ringsOf(inner, band.lattice),
    outer: ringsOf(outer, band.lattice),
    share: shareBetween(band.lattice, inner, outer),
  };
  slices.set(band, { level, slice });
  return slice;
}

/**
 * Shades the band, with dotted edges. The canvas is cut to the panel.
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {Band} band
 * @param {number} level
 * @param {Theme} theme
 */
export function drawBand(context, plot, band, level, theme) {
  const { inner, outer } = bandAt(band, level);
  const map = flatMap(plot);
  context.save();
  context.beginPath();
  placeRings(context, outer, map);
  placeRings(context, inner, map);
  context.fillStyle = context.strokeStyle = theme.text;
  context.globalAlpha = BAND_OPACITY;
  context.fill("evenodd");
  context.globalAlpha = BAND_EDGE_OPACITY;
  context.lineWidth = 1;
  context.setLineDash(DASHES.band);
  context.stroke();
  context.restore();
}

/** @param {string} name @param {Theme} theme @returns {HTMLLIElement} */
export function bandLegend(name, theme) {
  const area = svgElement("rect", {
    x: 1, y: 2, width: 16, height: 10, fill: theme.text, "fill-opacity": BAND_OPACITY,
    stroke: theme.text, "stroke-opacity": BAND_EDGE_OPACITY, "stroke-dasharray": DASHES.band.join(" "),
  });
  return listItem(icon(18, area), name);
}
