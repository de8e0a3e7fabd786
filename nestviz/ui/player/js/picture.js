// The player's canvas: what a sweep looks like at a (possibly fractional) frame.

/** @import { Plot } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { Sweep, ViewName } from "./decode.js" */
import { clipToPlot, drawAxes } from "../../components/js/axes.js";
import { contextOf, fitCanvas } from "../../components/js/dom.js";
import { nearestIndex } from "../../components/js/geometry.js";
import { addMarker, addRing, markerRadius, paintMarkers } from "../../components/js/markers.js";
import {
  HALO_OPACITY, HALO_WIDTH, HATCH_OPACITY, OUTLINE_WIDTH, SHAPES,
} from "../../components/js/palette.js";
import { makePlot } from "../../components/js/plot.js";
import { canvasPositions, traceFrame } from "./decode.js";
import { hatchPattern } from "./hatch.js";
import { framesAround, panelBoxes, sizedRadius } from "./layout.js";

/** @typedef {{ panel: number, index: number, x: number, y: number }} PointHit */
/** @typedef {(k: number, frame: number, weight: number) => void} Pass */

export const HOVER_REACH = 8;

/** A sweep on a canvas. Whoever changes sweep, theme, views or marks calls `layout` afterwards. */
export class SweepPicture {
  /** @param {HTMLCanvasElement} canvas @param {Sweep} sweep @param {Theme} theme */
  constructor(canvas, sweep, theme) {
    this.canvas = canvas;
    this.context = contextOf(canvas);
    this.backdrop = document.createElement("canvas");
    this.marks = document.createElement("canvas");
    this.sweep = sweep;
    this.theme = theme;
    /** @type {Set<ViewName>} */
    this.views = new Set();
    /** @type {number[]} */
    this.marked = [];
    this.width = 0;
    this.height = 0;
    this.ratio = 1;
    /** @type {Plot[]} */
    this.plots = [];
    /** @type {Float32Array[]} */
    this.positions = [];
    /** @type {{ sets: Path2D[], overlay: Path2D[] }[]} */
    this.paths = [];
    /** @type {CanvasPattern | string} */
    this.hatch = "";
  }

  /** Whether markers change from frame to frame; if not, they are drawn once. */
  get moving() {
    return this.views.has("sizes") && this.sweep.panels.some((panel) => panel.markerSizes);
  }

  get accent() {
    return this.theme.palette[0];
  }

  /** Not the colour of either of two classes. */
  get alarm() {
    return this.theme.palette[3];
  }

  /** @param {number} index @returns {string} */
  classColor(index) {
    return this.sweep.class_names.length === 1 ? this.theme.single : this.theme.palette[index];
  }

  /** Arranges the panels for a width; all cached drawing is forgotten. @param {number} width */
  layout(width) {
    const { panels, player, view, keep_aspect: keepAspect } = this.sweep;
    const { boxes, height } = panelBoxes(panels.length, width, player.height);
    this.width = width;
    this.height = height;
    this.ratio = window.devicePixelRatio || 1;
    this.plots = boxes.map((box) => makePlot(box, view, keepAspect));
    this.positions = panels.map(({ points }, k) => canvasPositions(points, this.plots[k]));
    this.paths = panels.map(() => ({ sets: [], overlay: [] }));
    fitCanvas(this.canvas, width, height);
    this.hatch = hatchPattern(this.context, this.alarm, this.ratio);
    this.drawBackdrop();
    const context = fitCanvas(this.marks, width, height);
    if (!this.moving) panels.forEach((_, k) => this.drawPoints(context, k, 0, 0, 0));
  }

  /** @param {number} k @param {"sets" | "overlay"} name @param {number} frame @returns {Path2D} */
  path(k, name, frame) {
    const known = this.paths[k][name];
    const layer = this.sweep.panels[k][name];
    if (!known[frame]) {
      known[frame] = new Path2D();
      if (layer) traceFrame(known[frame], layer, frame, this.plots[k]);
    }
    return known[frame];
  }

  drawBackdrop() {
    const context = fitCanvas(this.backdrop, this.width, this.height);
    const [xName, yName] = this.sweep.axis_names;
    this.sweep.panels.forEach(({ title }, k) => {
      drawAxes(context, this.plots[k], this.theme, { title, xName, yName });
      if (this.views.has("levels")) this.drawGhosts(context, k);
    });
  }

  /**
   * Draws thin outlines of every few levels, stronger towards the end of the sweep.
   * @param {CanvasRenderingContext2D} context
   * @param {number} k
   */
  drawGhosts(context, k) {
    const frames = this.sweep.levels.length;
    if (!this.sweep.ghost_every) return;
    context.save();
    clipToPlot(context, this.plots[k]);
    context.strokeStyle = this.accent;
    context.lineWidth = 1;
    for (let frame = 0; frame < frames; frame += this.sweep.ghost_every) {
      context.globalAlpha = 0.3 + (0.45 * frame) / Math.max(1, frames - 1);
      context.stroke(this.path(k, "sets", frame));
    }
    context.restore();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} k
   * @param {number} low
   * @param {number} high
   * @param {number} share
   */
  drawPoints(context, k, low, high, share) {
    const { classes, markerSizes, flags } = this.sweep.panels[k];
    const { moving } = this;
    const [positions, count] = [this.positions[k], classes.length];
    const base = markerRadius(count);
    const paths = this.sweep.class_names.map(() => new Path2D());
    for (let i = 0; i < count; i++) {
      const radius = markerSizes && moving
        ? sizedRadius(base, markerSizes[low * count + i], markerSizes[high * count + i], share)
        : base;
      addMarker(paths[classes[i]], SHAPES[classes[i]], positions[2 * i], positions[2 * i + 1], radius);
    }
    context.save();
    clipToPlot(context, this.plots[k]);
    paths.forEach((path, kind) => {
      paintMarkers(context, path, this.classColor(kind), this.theme, moving);
    });
    if (flags) {
      // Flagged points are hollow.
      const holes = new Path2D();
      flags.forEach((flag, i) => {
        if (flag) addRing(holes, positions[2 * i], positions[2 * i + 1], 0.55 * base);
      });
      context.fillStyle = this.theme.background;
      context.fill(holes);
    }
    context.restore();
  }

  /** @param {number} k @returns {boolean} */
  hatched(k) {
    return this.views.has("overlay") && this.sweep.panels[k].overlay !== null;
  }

  /**
   * A set is filled below the points and outlined above them, so that both stay legible.
   * @param {number} k
   * @param {number} frame
   * @param {number} weight
   */
  fillSet(k, frame, weight) {
    const { context } = this;
    if (this.views.has("fill")) {
      context.fillStyle = this.accent;
      context.globalAlpha = weight * this.theme.fillOpacity;
      context.fill(this.path(k, "sets", frame), "evenodd");
    }
    if (this.hatched(k)) {
      context.fillStyle = this.hatch;
      context.globalAlpha = weight * HATCH_OPACITY;
      context.fill(this.path(k, "overlay", frame), "evenodd");
    }
  }

  /** @param {number} k @param {number} frame @param {number} weight */
  outlineSet(k, frame, weight) {
    const { context, theme } = this;
    /** @param {Path2D} path @param {string} color */
    const outline = (path, color) => {
      context.strokeStyle = theme.background;
      context.lineWidth = HALO_WIDTH;
      context.globalAlpha = weight * HALO_OPACITY;
      context.stroke(path);
      context.strokeStyle = color;
      context.lineWidth = OUTLINE_WIDTH;
      context.globalAlpha = weight;
      context.stroke(path);
    };
    if (this.views.has("outline")) outline(this.path(k, "sets", frame), this.accent);
    if (this.hatched(k)) outline(this.path(k, "overlay", frame), this.alarm);
  }

  /**
   * Draws the sets of each panel, fading from one frame into the next.
   * @param {Pass} pass
   * @param {{ low: number, high: number, share: number }} frames
   */
  eachSet(pass, { low, high, share }) {
    this.plots.forEach((plot, k) => {
      this.context.save();
      clipToPlot(this.context, plot);
      if (share < 1) pass(k, low, 1 - share);
      if (share > 0) pass(k, high, share);
      this.context.restore();
    });
  }

  /**
   * Draws the picture at a position; between two frames it shows something of both.
   * @param {number} position
   * @param {PointHit | null} hover
   */
  draw(position, hover) {
    if ((window.devicePixelRatio || 1) !== this.ratio) this.layout(this.width);
    const { context, width, height } = this;
    const frames = framesAround(position, this.sweep.levels.length - 1);
    context.clearRect(0, 0, width, height);
    context.drawImage(this.backdrop, 0, 0, width, height);
    this.eachSet((k, frame, weight) => this.fillSet(k, frame, weight), frames);
    if (!this.moving) context.drawImage(this.marks, 0, 0, width, height);
    else this.plots.forEach((_, k) => this.drawPoints(context, k, frames.low, frames.high, frames.share));
    this.eachSet((k, frame, weight) => this.outlineSet(k, frame, weight), frames);
    this.plots.forEach((_, k) => this.drawMarked(k));
    if (hover) this.drawHover(hover);
  }

  /**
   * Draws rings around marked points, above everything else; the first, whose details are shown,
   * has a larger ring.
   * @param {number} k
   */
  drawMarked(k) {
    if (!this.marked.length) return;
    const [context, positions, rings] = [this.context, this.positions[k], new Path2D()];
    this.marked.forEach((i, order) => {
      if (2 * i >= positions.length) return;
      addRing(rings, positions[2 * i], positions[2 * i + 1], order === 0 ? 9.5 : 6);
    });
    context.save();
    clipToPlot(context, this.plots[k]);
    context.strokeStyle = this.theme.background;
    context.lineWidth = 5;
    context.stroke(rings);
    context.strokeStyle = this.theme.text;
    context.lineWidth = 2.2;
    context.stroke(rings);
    context.restore();
  }

  /** @param {PointHit} hover */
  drawHover({ panel, index }) {
    const ring = new Path2D();
    addRing(ring, this.positions[panel][2 * index], this.positions[panel][2 * index + 1], 7.5);
    this.context.strokeStyle = this.theme.text;
    this.context.lineWidth = 1.6;
    this.context.stroke(ring);
  }

  /**
   * Returns the point nearest to a location on the canvas, if one is near.
   * @param {number} x
   * @param {number} y
   * @param {number} [reach]
   * @returns {PointHit | null}
   */
  pointAt(x, y, reach = HOVER_REACH) {
    const panel = this.plots.findIndex((plot) => plot.holds(x, y));
    if (panel < 0) return null;
    const positions = this.positions[panel];
    const index = nearestIndex(positions, x, y, reach);
    return index < 0 ? null : { panel, index, x: positions[2 * index], y: positions[2 * index + 1] };
  }
}
