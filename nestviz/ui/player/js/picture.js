// The player's canvas: what a scene looks like at a level.

/** @import { Plot } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { Scene } from "./decode.js" */
/** @import { Memory } from "./memory.js" */
import { clipToPlot, drawAxes } from "../../components/js/axes.js";
import { contextOf, fitCanvas, pixelRatio } from "../../components/js/dom.js";
import { HALO_OPACITY, HALO_WIDTH, HATCH_OPACITY, OUTLINE_WIDTH } from "../../components/js/palette.js";
import { makePlot } from "../../components/js/plot.js";
import { drawBand } from "./band.js";
import { hatchPattern } from "./hatch.js";
import { drawHill } from "./hill.js";
import { BESIDE_STORY, SIDE_BY_SIDE, panelBoxes } from "./layout.js";
import { drawDivider, drawProbed, ringPoint } from "./overlays.js";
import { canvasPositions, drawMarked, drawPoints, drawnKinds } from "./points.js";
import { evenLevels, levelAt } from "./scale.js";
import { PanelSets } from "./sets.js";
import { drawStack } from "./stack.js";
import { drawTruth } from "./truth.js";

/** @import { PointHit } from "./hits.js" */
/** @import { Line } from "./profile.js" */
/** One panel on the canvas; in a swipe two of them share a plot and are cut at the divider. */
/** @typedef {{ panel: number, plot: Plot, from: number, to: number }} Slot */

const SHEETS = 14;

export class ScenePicture {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Scene} scene
   * @param {Theme} theme
   * @param {Memory} memory
   * @param {() => void} onChange Called when more of the sets is known.
   */
  constructor(canvas, scene, theme, memory, onChange) {
    this.canvas = canvas;
    this.context = contextOf(canvas);
    this.backdrop = document.createElement("canvas");
    this.marks = document.createElement("canvas");
    this.scene = scene;
    this.theme = theme;
    this.memory = memory;
    this.onChange = onChange;
    /** @type {number[]} */
    this.marked = [];
    this.width = 0;
    this.height = 0;
    this.ratio = 1;
    /** Factor of type and marks, larger in a presentation. */
    this.grown = 1;
    /** Height that a presentation leaves for all panels. @type {number | null} */
    this.room = null;
    /** @type {Slot[]} */
    this.slots = [];
    /** @type {Float32Array[]} */
    this.positions = [];
    /** @type {PanelSets[]} */
    this.sets = scene.panels.map((panel) => new PanelSets(panel, onChange));
    /** @type {CanvasPattern | string} */
    this.hatch = "";
    /** The line that the chart of a story is about. @type {Line | null} */
    this.line = null;
  }

  get views() {
    return this.memory.views;
  }

  get accent() {
    return this.theme.palette[0];
  }

  /** Not the colour of either of two classes. */
  get alarm() {
    return this.theme.palette[3];
  }

  get swiping() {
    return this.views.has("swipe") && this.scene.panels.length === 2 && !this.views.has("stack");
  }

  get view() {
    return this.memory.zoom ?? this.scene.view;
  }

  /** Shows another scene; `layout` follows. @param {Scene} scene @param {Memory} memory */
  take(scene, memory) {
    this.dispose();
    this.scene = scene;
    this.memory = memory;
    this.sets = scene.panels.map((panel) => new PanelSets(panel, this.onChange));
  }

  /** Shows the same sets with other points, until theirs are known. @param {Scene} scene */
  showPoints(scene) {
    this.scene = scene;
    this.positions = scene.panels.map(({ points }, k) => canvasPositions(points, this.slots[k].plot));
    this.drawMarks();
  }

  dispose() {
    this.sets.forEach((sets) => sets.dispose());
  }

  /** Arranges the panels for a width. @param {number} width */
  layout(width) {
    const { panels, player } = this.scene;
    const count = this.swiping ? 1 : panels.length;
    const most = this.room ?? player.height;
    const least = player.story ? BESIDE_STORY : SIDE_BY_SIDE;
    const { boxes, height } = panelBoxes(count, width, most, this.view, this.grown, this.room !== null, least);
    this.width = width;
    this.height = height;
    this.ratio = pixelRatio();
    this.slots = panels.map((_, panel) => {
      const plot = makePlot(boxes[this.swiping ? 0 : panel], this.view);
      return { panel, plot, from: plot.x, to: plot.x + plot.w };
    });
    this.cutAtDivider();
    this.positions = panels.map(({ points }, k) => canvasPositions(points, this.slots[k].plot));
    this.sets.forEach((sets, k) => sets.arrange(this.slots[k].plot));
    fitCanvas(this.canvas, width, height);
    this.hatch = hatchPattern(this.context, this.alarm, this.ratio);
    this.drawBackdrop();
    this.drawMarks();
  }

  /** Points that do not change with the level are drawn once. */
  drawMarks() {
    const context = fitCanvas(this.marks, this.width, this.height);
    if (this.changing) return;
    this.slots.forEach(({ panel, plot }) => {
      context.save();
      clipToPlot(context, plot);
      this.drawPanelPoints(context, panel, 0);
      context.restore();
    });
  }

  /** Whether points look different at every level. */
  get changing() {
    return this.views.has("sizes") || this.views.has("roles");
  }

  /** @param {CanvasRenderingContext2D} context @param {number} panel @param {number} level */
  drawPanelPoints(context, panel, level) {
    drawPoints(context, this.scene.panels[panel], this.positions[panel], {
      kinds: drawnKinds(this.scene).length, theme: this.theme, grown: this.grown,
      level, sizes: this.views.has("sizes"), roles: this.views.has("roles"),
    });
  }

  cutAtDivider() {
    if (!this.swiping) return;
    const [left, right] = this.slots;
    left.to = right.from = left.plot.x + this.memory.divider * left.plot.w;
  }

  drawBackdrop() {
    const context = fitCanvas(this.backdrop, this.width, this.height);
    const [xName, yName] = this.scene.axis_names;
    const titles = this.scene.panels.map(({ title }) => title);
    const shown = this.swiping ? [titles.join("  |  ")] : titles;
    if (this.views.has("stack")) return;
    shown.forEach((title, k) => {
      drawAxes(context, this.slots[k].plot, this.theme, { title, xName, yName, grown: this.grown });
    });
  }

  /**
   * Calls a function for each panel with the canvas cut to its part.
   * @param {(slot: Slot, sets: PanelSets) => void} pass
   */
  each(pass) {
    const { context } = this;
    this.slots.forEach((slot) => {
      context.save();
      clipToPlot(context, slot.plot);
      context.beginPath();
      context.rect(slot.from, slot.plot.y, slot.to - slot.from, slot.plot.h);
      context.clip();
      pass(slot, this.sets[slot.panel]);
      context.restore();
    });
  }

  /** @param {PanelSets} sets */
  drawGhosts(sets) {
    const { context } = this;
    context.strokeStyle = this.accent;
    context.lineWidth = 1;
    evenLevels(this.scene.scale, this.scene.ghosts).forEach((level, k, all) => {
      const path = sets.set(level, true);
      context.globalAlpha = 0.3 + (0.45 * k) / Math.max(1, all.length - 1);
      if (path) context.stroke(path);
    });
  }

  /**
   * Sets are filled below the points and outlined above them, so that both stay legible.
   * @param {Slot} slot
   * @param {PanelSets} sets
   * @param {number} level
   * @param {boolean} moving
   */
  drawBelow(slot, sets, level, moving) {
    const { context } = this;
    const hill = this.views.has("hill") ? sets.hill(this.scene.scale, this.theme) : null;
    if (hill) drawHill(context, slot.plot, hill, this.hatch, this.theme);
    context.globalAlpha = 1;
    if (this.views.has("levels") && this.scene.ghosts) this.drawGhosts(sets);
    const set = this.views.has("fill") && !this.views.has("hill") ? sets.set(level, moving) : null;
    if (set) {
      context.fillStyle = this.accent;
      context.globalAlpha = this.theme.fillOpacity;
      context.fill(set, "evenodd");
    }
    const { band } = this.scene.panels[slot.panel];
    if (band && this.views.has("band")) drawBand(context, slot.plot, band, level, this.theme);
    const broken = this.views.has("overlay") ? sets.broken(level) : null;
    if (broken) {
      context.fillStyle = this.hatch;
      context.globalAlpha = HATCH_OPACITY;
      context.fill(broken, "evenodd");
    }
    context.globalAlpha = 1;
  }

  /** @param {Slot} slot @param {PanelSets} sets @param {number} level @param {boolean} moving */
  drawAbove({ plot }, sets, level, moving) {
    const { context, theme, scene } = this;
    /** @param {Path2D | null} path @param {string} color */
    const outline = (path, color) => {
      if (!path) return;
      context.strokeStyle = theme.background;
      context.lineWidth = this.grown * HALO_WIDTH;
      context.globalAlpha = HALO_OPACITY;
      context.stroke(path);
      context.strokeStyle = color;
      context.lineWidth = this.grown * OUTLINE_WIDTH;
      context.globalAlpha = 1;
      context.stroke(path);
    };
    if (this.views.has("outline")) outline(sets.set(level, moving), this.accent);
    if (this.views.has("overlay")) outline(sets.broken(level), this.alarm);
    if (scene.truth && this.views.has("truth")) {
      drawTruth(context, plot, scene.truth, level * scene.truth.factor, theme);
    }
  }

  /**
   * Draws the picture at a position.
   * @param {number} position
   * @param {boolean} moving Whether the level or a setting changes right now.
   * @param {PointHit | null} hover
   */
  draw(position, moving, hover) {
    if (pixelRatio() !== this.ratio) this.layout(this.width);
    const { context, width, height, scene } = this;
    const level = levelAt(scene.scale, position);
    context.clearRect(0, 0, width, height);
    if (this.views.has("stack")) {
      this.drawStacks(level);
      return;
    }
    context.drawImage(this.backdrop, 0, 0, width, height);
    this.each((slot, sets) => {
      this.drawBelow(slot, sets, level, moving);
      if (this.changing) this.drawPanelPoints(context, slot.panel, level);
      else context.drawImage(this.marks, 0, 0, width, height);
      this.drawAbove(slot, sets, level, moving);
      drawMarked(context, this.positions[slot.panel], this.marked, this.theme);
    });
    if (this.swiping) drawDivider(context, this.slots[0].plot, this.slots[0].to, this.theme);
    this.each(({ plot, panel }) => drawProbed(this, plot, panel, level));
    if (hover) ringPoint(context, hover, this.theme);
  }

  /** @param {number} level */
  drawStacks(level) {
    const { scene, theme, context, memory } = this;
    const levels = evenLevels(scene.scale, SHEETS);
    this.slots.forEach(({ panel, plot }) => {
      const { title, points, classes } = scene.panels[panel];
      const stack = this.sets[panel].stack(levels, scene.scale);
      if (!stack) return;
      drawStack(context, plot, stack, level, memory.angle, theme, {
        points, classes: scene.neutral ? undefined : classes, title, axisNames: scene.axis_names, grown: this.grown,
      });
    });
  }

  /** How much of the picture is violated at each level, in the panel where it is most. */
  shares() {
    const found = this.sets.map((sets) => sets.shares()).filter((shares) => shares !== null);
    return found.sort((a, b) => Math.max(0, ...b.shares) - Math.max(0, ...a.shares))[0] ?? null;
  }
}
