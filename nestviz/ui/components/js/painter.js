// The painter: click adds a point, drag sprays points or erases them.

/** @import { Component } from "./dom.js" */
/** @import { Point } from "./painter_memory.js" */
/** @import { View } from "./plot.js" */
import { clipToPlot, drawAxes } from "./axes.js";
import { contextOf, find, fitCanvas, pointOn } from "./dom.js";
import { addMarker, markerRadius, paintMarkers } from "./markers.js";
import { Mounted, mounting } from "./mounted.js";
import {
  addPoint, endStroke, erasePoints, normalPair, recallDrawing, remember, undoStroke,
} from "./painter_memory.js";
import { SHAPES } from "./palette.js";
import { makePlot, UNPLACED } from "./plot.js";

/**
 * The message of painter.py.
 * @typedef {object} PainterMessage
 * @property {string} id
 * @property {string} base
 * @property {Point[]} points
 * @property {View} view
 * @property {number} height
 * @property {number} cap
 * @property {number} seed
 */
/** @typedef {{ x: number, y: number, spraying: boolean, owed: number }} Stroke */

const SPRAY_STARTS = 4;
const SMALLEST_ERASER = 10;
const PAINTER_MARGIN = { left: 50, right: 14, top: 10, bottom: 30 };

/** @extends {Mounted<PainterMessage>} */
class Painter extends Mounted {
  /** @param {HTMLElement} root @param {Component<PainterMessage>} component */
  constructor(root, component) {
    super(root, component);
    this.backdrop = document.createElement("canvas");
    this.context = contextOf(this.canvas);
    this.tools = [...root.querySelectorAll("input")].filter(({ name }) => name === "tool");
    this.radius = find(root, ".radius", HTMLInputElement);
    this.rate = find(root, ".rate", HTMLInputElement);
    this.undoButton = find(root, "[data-action=undo]", HTMLButtonElement);
    this.clearButton = find(root, "[data-action=clear]", HTMLButtonElement);
    this.count = find(root, ".count", HTMLElement);
    this.limit = find(root, ".limit", HTMLElement);
    this.drawing = recallDrawing(component.data);
    this.plot = UNPLACED;
    this.height = 0;
    /** @type {Stroke | null} */
    this.stroke = null;
    /** @type {{ x: number, y: number } | null} */
    this.pointer = null;
    this.listen();
  }

  listen() {
    for (const tool of this.tools) {
      tool.addEventListener("change", () => { this.drawing.tool = Number(tool.value); });
    }
    this.radius.addEventListener("input", () => {
      this.drawing.radius = Number(this.radius.value);
      this.showControls();
    });
    this.rate.addEventListener("input", () => {
      this.drawing.rate = Number(this.rate.value);
      this.showControls();
    });
    this.undoButton.addEventListener("click", () => this.undo());
    this.clearButton.addEventListener("click", () => this.clear());
    this.root.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z") {
        event.preventDefault();
        this.undo();
      }
    });
    this.canvas.addEventListener("pointerdown", (event) => this.begin(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", () => this.end());
    this.canvas.addEventListener("pointercancel", () => this.end());
    this.canvas.addEventListener("pointerleave", () => {
      if (!this.stroke) this.pointer = null;
      this.draw();
    });
  }

  /** @override @param {Component<PainterMessage>} component */
  update(component) {
    const generation = super.update(component);
    // The page may have been left in the middle of a stroke, before it was reported.
    if (!this.stroke && this.drawing.points !== this.drawing.reported) this.report();
    return generation;
  }

  /** @override @param {PainterMessage} data */
  receive(data) {
    if (data.base !== this.data.base) this.stroke = null;
    this.drawing = recallDrawing(data);
    this.root.style.setProperty("--plus", this.theme.palette[0]);
    this.root.style.setProperty("--minus", this.theme.palette[1]);
    this.showControls();
  }

  /** @override */
  stopped() {
    this.stroke = null;
  }

  /** @override */
  layout() {
    const { width, data } = this;
    const { left, right, top, bottom } = PAINTER_MARGIN;
    const largest = { x: left, y: top, w: width - left - right, h: data.height - top - bottom };
    // To scale; the height follows.
    this.plot = makePlot({ ...makePlot(largest, data.view, true), y: top }, data.view);
    this.height = Math.ceil(this.plot.h) + top + bottom;
    drawAxes(fitCanvas(this.backdrop, width, this.height), this.plot, this.theme, {});
    fitCanvas(this.canvas, width, this.height);
    this.root.dataset.plots = JSON.stringify([[this.plot.x, this.plot.y, this.plot.w, this.plot.h]]);
    this.show();
  }

  showControls() {
    for (const tool of this.tools) tool.checked = Number(tool.value) === this.drawing.tool;
    this.radius.value = String(this.drawing.radius);
    this.rate.value = String(this.drawing.rate);
    for (const slider of [this.radius, this.rate]) {
      const [value, min, max] = [slider.value, slider.min, slider.max].map(Number);
      slider.style.setProperty("--fill", `${(100 * (value - min)) / (max - min)}%`);
    }
  }

  show() {
    const { points, past } = this.drawing;
    const plus = points.filter(([, , kind]) => kind > 0).length;
    const total = points.length === 1 ? "1 point" : `${points.length} points`;
    const text = `${total}: ${plus} of class +1, ${points.length - plus} of class −1`;
    this.root.dataset.count = String(points.length);
    if (!this.stroke) {
      this.count.textContent = text;
      this.canvas.setAttribute("aria-label", `Drawing area with ${text}`);
    }
    const limit = points.length < this.data.cap ? ""
      : `That is the limit of ${this.data.cap.toLocaleString("en")} points; erase some to add others.`;
    if (this.limit.textContent !== limit) this.limit.textContent = limit;
    // Not disabled: a disabled button loses the focus of the reader who just pressed it.
    this.undoButton.setAttribute("aria-disabled", String(past.length === 0));
    this.clearButton.setAttribute("aria-disabled", String(points.length === 0));
    this.draw();
  }

  draw() {
    if (this.width === 0) return;
    const { context, plot, theme } = this;
    const { points } = this.drawing;
    context.clearRect(0, 0, this.width, this.height);
    context.drawImage(this.backdrop, 0, 0, this.width, this.height);
    const paths = [new Path2D(), new Path2D()];
    const radius = markerRadius(points.length);
    for (const [x, y, kind] of points) {
      const k = kind > 0 ? 0 : 1;
      addMarker(paths[k], SHAPES[k], plot.toX(x), plot.toY(y), radius);
    }
    context.save();
    clipToPlot(context, plot);
    paths.forEach((path, k) => paintMarkers(context, path, theme.palette[k], theme));
    if (this.pointer) this.drawBrush(this.pointer);
    context.restore();
  }

  get erasing() {
    return this.drawing.tool === 0;
  }

  get reach() {
    return this.erasing ? Math.max(SMALLEST_ERASER, this.drawing.radius) : this.drawing.radius;
  }

  /** @param {{ x: number, y: number }} pointer */
  drawBrush({ x, y }) {
    const { context, theme } = this;
    context.beginPath();
    context.arc(x, y, Math.max(2, this.reach), 0, 2 * Math.PI);
    context.strokeStyle = theme.text;
    context.globalAlpha = 0.45;
    context.lineWidth = 1.2;
    context.setLineDash(this.erasing ? [4, 4] : []);
    context.stroke();
    context.globalAlpha = 1;
  }

  /** @param {PointerEvent} event */
  begin(event) {
    const { button, pointerId } = event;
    const { x, y } = pointOn(event);
    if (button !== 0 || this.stroke || !this.plot.holds(x, y)) return;
    this.canvas.setPointerCapture(pointerId);
    remember(this.drawing);
    this.pointer = { x, y };
    this.stroke = { x, y, spraying: false, owed: 0 };
    if (this.erasing) erasePoints(this.drawing, this.plot, { x, y }, this.reach);
    else addPoint(this.drawing, this.plot, { x, y }, this.data.cap);
    this.show();
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { x, y } = pointOn(event);
    this.pointer = { x, y };
    const { stroke } = this;
    if (!stroke) {
      this.draw();
      return;
    }
    if (this.erasing) erasePoints(this.drawing, this.plot, { x, y }, this.reach);
    else if (!stroke.spraying && Math.hypot(x - stroke.x, y - stroke.y) > SPRAY_STARTS) {
      this.startSpray(stroke);
    }
    this.show();
  }

  /**
   * From the first real movement on, points come at a steady rate until the button is released.
   * @param {Stroke} stroke
   */
  startSpray(stroke) {
    stroke.spraying = true;
    let before = performance.now();
    /** @param {number} now */
    const step = (now) => {
      if (stroke !== this.stroke) return;
      stroke.owed += (Math.min(Math.max(now - before, 0), 100) / 1000) * this.drawing.rate;
      before = now;
      for (; stroke.owed >= 1; stroke.owed -= 1) this.sprayOne(this.pointer ?? stroke);
      this.show();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /** @param {{ x: number, y: number }} centre */
  sprayOne({ x, y }) {
    const [dx, dy] = normalPair(this.drawing.random);
    const spread = this.drawing.radius / 2;
    addPoint(this.drawing, this.plot, { x: x + dx * spread, y: y + dy * spread }, this.data.cap);
  }

  end() {
    if (!this.stroke) return;
    this.stroke = null;
    const changed = endStroke(this.drawing);
    this.show();
    if (changed) this.report();
  }

  undo() {
    if (this.stroke || !undoStroke(this.drawing)) return;
    this.show();
    this.report();
  }

  clear() {
    if (this.stroke || this.drawing.points.length === 0) return;
    remember(this.drawing);
    this.drawing.points = [];
    this.show();
    this.report();
  }

  report() {
    this.drawing.reported = this.drawing.points;
    this.drawing.turn += 1;
    const { base, turn, points } = this.drawing;
    this.component.setStateValue("drawing", { base, turn, points });
  }
}

export default mounting(Painter, ".painter");
