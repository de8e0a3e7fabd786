// The hill: the entry level of each location as a colour, with the overhangs of an un-nested family.

/** @import { Plot } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { Lattice } from "./field.js" */
/** @import { Rings } from "./rings.js" */
/** @import { Scale } from "./scale.js" */
import { clipToPlot } from "../../components/js/axes.js";
import { contextOf, listItem, svgElement } from "../../components/js/dom.js";
import { icon } from "../../components/js/markers.js";
import { HATCH_OPACITY, THEMES } from "../../components/js/palette.js";
import { flatMap, placeRings, ringsOf, withoutSpecks } from "./rings.js";
import { labelAt, positionAt } from "./scale.js";

/**
 * @typedef {object} Hill
 * @property {HTMLCanvasElement} image One pixel for each of the lattice.
 * @property {Rings} outline Around the locations that are inside at some level.
 * @property {Lattice} lattice
 * @property {Rings[]} contours Outlines of the locations entered up to some levels.
 * @property {Rings} overhangs Around the locations that are outside again at a larger set.
 */

const HILL_CONTOURS = 7;
const HILL_COLORS = 256;
/** Share of the scale by which entry and exit must differ: below that it is rounding. */
const OVERHANG_LEAST = 0.01;
/** Of the lattice, in pixels: smaller overhangs come from the grid. */
const OVERHANG_AREA = 6;

/**
 * Returns a colour of the ramp as red, green and blue from 0 to 255.
 * @param {readonly string[]} ramp Colours as #rrggbb, evenly spaced.
 * @param {number} share 0 for the smallest set, 1 for the largest.
 * @returns {number[]}
 */
export function rampColor(ramp, share) {
  const at = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
  const k = Math.min(Math.floor(at), ramp.length - 2);
  return [1, 3, 5].map((digit) => {
    const [from, to] = [ramp[k], ramp[k + 1]].map((color) => parseInt(color.slice(digit, digit + 2), 16));
    return Math.round(from + (at - k) * (to - from));
  });
}

/** @param {Theme} theme @returns {string[]} Colours from the smallest set to the largest. */
export function hillRamp(theme) {
  return THEMES[theme.dark ? "dark" : "light"].hill;
}

/**
 * Returns each level as a share of the scale: 0 at the smallest set shown, 1 at the largest; NaN
 * where there is no level.
 * @param {ArrayLike<number>} levels
 * @param {Scale} scale
 * @returns {Float32Array}
 */
export function sharesOfScale(levels, scale) {
  const last = Math.max(1, scale.levels.length - 1);
  const first = scale.levels[0];
  const final = scale.levels[scale.levels.length - 1];
  const direction = final < first ? -1 : 1;
  return Float32Array.from(levels, (level) => (
    // Sets larger than those shown do not count; smaller ones are the top of the hill.
    direction * (level - final) <= 0 ? positionAt(scale, level) / last : NaN
  ));
}

/**
 * Returns whether each location overhangs: it was inside and is outside at a larger set.
 * @param {Float32Array} entry Shares of the scale, NaN where never.
 * @param {Float32Array} exit From here on it stays inside; NaN where it does not.
 * @returns {Float32Array} 1 or 0.
 */
export function overhangMask(entry, exit) {
  return entry.map((share, k) => {
    const end = Number.isNaN(exit[k]) ? 1 : exit[k];
    return end - share > OVERHANG_LEAST ? 1 : 0;
  });
}

/**
 * Returns the outline of a mask of ones and zeros, with its steps smoothed.
 * @param {Float32Array} mask
 * @param {Lattice} lattice
 * @returns {Rings}
 */
export function maskRings(mask, lattice) {
  const { columns, rows } = lattice;
  /** @type {(field: Float32Array, step: number, index: (k: number) => number, count: number) => Float32Array} */
  const blur = (field, step, index, count) => field.map((value, k) => {
    const at = index(k);
    const before = at > 0 ? field[k - step] : value;
    return (before + 2 * value + (at < count - 1 ? field[k + step] : value)) / 4;
  });
  const across = blur(mask, 1, (k) => k % columns, columns);
  const smooth = blur(across, columns, (k) => Math.floor(k / columns), rows);
  return ringsOf(smooth.map((value) => value - 0.5), lattice);
}

/**
 * Gives each pixel beside the hill the entry share of its latest neighbour, so that an outline
 * between two pixels has colour on both sides.
 * @param {Float32Array} shares
 * @param {number} columns
 * @returns {Float32Array}
 */
function withRim(shares, columns) {
  const rows = shares.length / columns;
  return shares.map((share, k) => {
    if (!Number.isNaN(share)) return share;
    const [i, j] = [k % columns, Math.floor(k / columns)];
    let latest = NaN;
    for (let y = Math.max(0, j - 1); y <= Math.min(rows - 1, j + 1); y++) {
      for (let x = Math.max(0, i - 1); x <= Math.min(columns - 1, i + 1); x++) {
        const near = shares[y * columns + x];
        if (!(near <= latest) && !Number.isNaN(near)) latest = near;
      }
    }
    return latest;
  });
}

/**
 * Paints one pixel for each of the lattice; transparent where a location is never inside, except
 * for a rim of one pixel that is cut off along the outline. The lattice begins at the bottom, the
 * image at the top.
 * @param {ArrayLike<number>} entry Entry levels, NaN where never.
 * @param {Lattice} lattice
 * @param {Scale} scale
 * @param {Theme} theme
 * @returns {HTMLCanvasElement}
 */
export function paintHill(entry, { columns, rows }, scale, theme) {
  const shares = withRim(sharesOfScale(entry, scale), columns);
  const ramp = hillRamp(theme);
  const colors = Array.from({ length: HILL_COLORS }, (_, k) => rampColor(ramp, k / (HILL_COLORS - 1)));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [columns, rows];
  const context = contextOf(canvas);
  const image = context.createImageData(columns, rows);
  shares.forEach((share, k) => {
    if (Number.isNaN(share)) return;
    const row = rows - 1 - Math.floor(k / columns);
    const color = colors[Math.round(share * (HILL_COLORS - 1))];
    image.data.set([...color, 255], 4 * (row * columns + (k % columns)));
  });
  context.putImageData(image, 0, 0);
  return canvas;
}

/**
 * Prepares what does not change with the view: the image, its contour lines and the overhangs.
 * @param {Float32Array} entry Entry levels, NaN where never.
 * @param {Float32Array | null} exit From this level on a location stays inside; null if nested.
 * @param {Lattice} lattice
 * @param {Scale} scale
 * @param {Theme} theme
 * @returns {Hill}
 */
export function makeHill(entry, exit, lattice, scale, theme) {
  const shares = sharesOfScale(entry, scale);
  const contours = Array.from({ length: HILL_CONTOURS }, (_, k) => {
    const at = (k + 1) / (HILL_CONTOURS + 1);
    return ringsOf(shares.map((share) => at - (Number.isNaN(share) ? 1.02 : share)), lattice);
  });
  const over = exit ? overhangMask(shares, sharesOfScale(exit, scale)) : new Float32Array(shares.length);
  return {
    image: paintHill(entry, lattice, scale, theme),
    lattice,
    outline: maskRings(shares.map((share) => Number(!Number.isNaN(share))), lattice),
    contours,
    overhangs: withoutSpecks(maskRings(over, lattice), Math.abs(OVERHANG_AREA * lattice.du * lattice.dv)),
  };
}

/**
 * Draws a hill, below points and outlines.
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {Hill} hill
 * @param {CanvasPattern | string} hatch Of broken areas.
 * @param {Theme} theme
 */
export function drawHill(context, plot, { image, lattice, outline, contours, overhangs }, hatch, theme) {
  const { u0, v0, du, dv, columns, rows } = lattice;
  const map = flatMap(plot);
  context.save();
  clipToPlot(context, plot);
  context.beginPath();
  placeRings(context, outline, map);
  context.clip("evenodd");
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = "high";
  // A pixel of the lattice is the centre of a pixel of the image.
  const [left, top] = [plot.toX(u0 - du / 2), plot.toY(v0 + (rows - 0.5) * dv)];
  const [right, bottom] = [plot.toX(u0 + (columns - 0.5) * du), plot.toY(v0 - dv / 2)];
  context.drawImage(image, left, top, right - left, bottom - top);
  context.strokeStyle = theme.background;
  context.lineWidth = 0.8;
  context.globalAlpha = 0.55;
  context.beginPath();
  for (const rings of contours) placeRings(context, rings, map);
  context.stroke();
  context.beginPath();
  placeRings(context, overhangs, map);
  // A veil, so that the hatching is seen on every colour of the ramp.
  context.fillStyle = theme.background;
  context.globalAlpha = 0.55;
  context.fill("evenodd");
  context.fillStyle = hatch;
  context.globalAlpha = HATCH_OPACITY;
  context.fill("evenodd");
  context.strokeStyle = theme.palette[3];
  context.lineWidth = 1.2;
  context.globalAlpha = 1;
  context.stroke();
  context.restore();
}

/**
 * Returns the entry of the legend: the ramp with the levels at its ends.
 * @param {Scale} scale
 * @param {Theme} theme
 * @returns {HTMLLIElement}
 */
export function hillLegend(scale, theme) {
  const ramp = hillRamp(theme);
  const [count, width] = [24, 3];
  const steps = Array.from({ length: count }, (_, k) => svgElement("rect", {
    x: width * k, y: 1, width: width + 0.3, height: 12,
    fill: `rgb(${rampColor(ramp, k / (count - 1)).join(",")})`,
  }));
  const [first, last] = [0, scale.levels.length - 1].map((position) => labelAt(scale, position));
  return listItem(
    `first inside at ${scale.name} = ${first} `, icon(count * width, ...steps), ` ${last}`,
  );
}

/** @param {Theme} theme @returns {HTMLLIElement} The entry of the legend for overhangs. */
export function overhangLegend(theme) {
  const area = svgElement("path", {
    d: "M1.75 1.75h14.5v10.5H1.75zM3 11 9 3M7 12 14 3M12 12 16 6.5",
    stroke: theme.palette[3], "stroke-width": 1.4, fill: "none",
  });
  return listItem(icon(18, area), "overhang: outside again at a larger set");
}
