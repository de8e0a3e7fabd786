// Points in the plane that can be clicked and lassoed, above the sets they lie in.

/** @import { Component } from "./dom.js" */
/** @import { Light } from "./linked.js" */
/** @import { EntryMap, PackedMap } from "./plane_sets.js" */
/** @import { Hover, PictureMessage } from "./pointing.js" */
/** @import { View } from "./plot.js" */
import { clipToPlot, drawAxes } from "./axes.js";
import { contextOf, find, fitCanvas, pointOn } from "./dom.js";
import { insidePolygon, nearestIndex } from "./geometry.js";
import { lightWords } from "./level_words.js";
import { shineLight, watchLight } from "./linked.js";
import { mounting } from "./mounted.js";
import { PLANE_STEPS } from "./palette.js";
import {
  drawArea, drawLasso, drawLitSet, drawPlanePoints, drawPointLabel, drawSelectionRings, drawSpot,
  drawThread, lookOf,
} from "./plane_picture.js";
import { readEntryMap } from "./plane_sets.js";
import { makePlot } from "./plot.js";
import { legendItems, Pointed } from "./pointing.js";

/** @typedef {{ rings: number[][], colour: number, dashed: boolean }} Area */
/**
 * @typedef {object} Thread
 * @property {[number, number]} from
 * @property {[number, number]} to
 * @property {number} weight
 * @property {boolean} pushes
 */
/**
 * The message of plane.py. Coordinates are whole steps across the view, except the view itself.
 * @typedef {object} PlaneFields
 * @property {number[]} points x and y in turn.
 * @property {View} view
 * @property {[string, string]} axis_names
 * @property {{ name: string, colour: number, shape: string }[]} kinds
 * @property {number[]} kind_of
 * @property {Area[]} areas
 * @property {number[]} chosen
 * @property {number[] | null} shades
 * @property {string[] | null} notes
 * @property {string[] | null} names
 * @property {Thread[]} threads
 * @property {{ row: number, text: string }[]} labels
 * @property {[number, number] | null} spot
 * @property {boolean} takes_places
 * @property {string} link Of the pictures that light the same points.
 * @property {PackedMap | null} sets
 */
/** @typedef {PictureMessage & PlaneFields} PlaneMessage */

const NEAR = 9;
const DRAG_STARTS = 6;
/** Opacity of the other points where some are lit. */
const FADED = 0.22;
const PLANE_MARGIN = { left: 50, right: 12, top: 30, bottom: 44 };

/** @extends {Pointed<PlaneMessage>} */
class Plane extends Pointed {
  /** @param {HTMLElement} root @param {Component<PlaneMessage>} component */
  constructor(root, component) {
    super(root, component);
    this.backdrop = document.createElement("canvas");
    this.crowd = document.createElement("canvas");
    this.legend = find(root, ".legend", HTMLElement);
    this.chosen = component.data.chosen;
    this.spot = component.data.spot;
    /** @type {number[]} */
    this.positions = [];
    /** @type {[number, number] | null} */
    this.from = null;
    /** @type {[number, number][] | null} */
    this.lasso = null;
    /** @type {Light | null} */
    this.light = null;
    /** Read when it is first needed. @type {EntryMap | null} */
    this.map = null;
    this.endWatch = watchLight((light) => this.onLight(light));
  }

  /** @override */
  stopped() {
    super.stopped();
    this.endWatch();
  }

  /** @override @param {PlaneMessage} data */
  receive(data) {
    super.receive(data);
    this.light = null;
    if (data.sets?.codes !== this.data.sets?.codes) this.map = null;
    this.chosen = data.chosen;
    this.spot = data.spot;
    const used = new Set(data.kind_of);
    const kinds = data.kinds.map((kind, k) => ({ name: kind.name, ...lookOf(data, k, this.theme) }));
    this.legend.replaceChildren(...legendItems(kinds.filter((_, k) => used.has(k))));
  }

  /** @override */
  layout() {
    const { width, data, theme } = this;
    const { left, right, top, bottom } = PLANE_MARGIN;
    const largest = { x: left, y: top, w: Math.max(40, width - left - right), h: data.height - top - bottom };
    // To scale; the height follows.
    const box = { ...makePlot(largest, data.view, true), y: top };
    this.height = Math.ceil(box.h) + top + bottom;
    // All coordinates are steps across the view; only the axes show the units of the data.
    const plot = makePlot(box, [0, PLANE_STEPS, 0, PLANE_STEPS]);
    this.plot = plot;
    this.root.dataset.plot = JSON.stringify([box.x, box.y, box.w, box.h]);
    this.root.dataset.locations = String(this.data.takes_places);
    const [across, up] = data.points;
    this.root.dataset.first = JSON.stringify([across / PLANE_STEPS, 1 - up / PLANE_STEPS]);
    this.positions = data.points.map((step, k) => (k % 2 ? plot.toY(step) : plot.toX(step)));
    fitCanvas(this.canvas, width, this.height);
    for (const layer of [this.backdrop, this.crowd]) fitCanvas(layer, width, this.height);
    const [context, crowd] = [this.backdrop, this.crowd].map((layer) => contextOf(layer));
    const [xName, yName] = data.axis_names;
    // A narrow plot has free space beside it.
    const titleWidth = width - box.x;
    drawAxes(context, makePlot(box, data.view), theme, { title: data.title, xName, yName, titleWidth });
    for (const layer of [context, crowd]) {
      layer.save();
      clipToPlot(layer, plot);
    }
    for (const area of data.areas) drawArea(context, area, plot, theme);
    drawPlanePoints(crowd, data, this.positions, theme);
    for (const layer of [context, crowd]) layer.restore();
    this.draw();
  }

  /** @override */
  paint() {
    const { context, width, height, theme, data, plot, positions, light } = this;
    context.clearRect(0, 0, width, height);
    context.drawImage(this.backdrop, 0, 0, width, height);
    context.save();
    clipToPlot(context, plot);
    if (light && light.level !== null && this.sets) {
      drawLitSet(context, this.sets, { ...light, level: light.level }, data.points, plot, theme);
    }
    context.globalAlpha = light ? FADED : 1;
    context.drawImage(this.crowd, 0, 0, width, height);
    context.globalAlpha = 1;
    if (light) drawPlanePoints(context, data, positions, theme, light.rows);
    context.lineCap = "round";
    for (const thread of data.threads) drawThread(context, thread, plot, theme);
    drawSelectionRings(context, this.chosen, positions, theme);
    for (const { row, text } of data.labels) {
      const at = { x: positions[2 * row], y: positions[2 * row + 1], top: plot.y };
      drawPointLabel(context, text, at, theme);
    }
    if (this.spot) drawSpot(context, plot.toX(this.spot[0]), plot.toY(this.spot[1]), theme);
    if (this.hover) {
      context.strokeStyle = theme.text;
      context.lineWidth = 1.6;
      context.beginPath();
      context.arc(this.hover.x, this.hover.y, 7.5, 0, 2 * Math.PI);
      context.stroke();
    }
    if (this.lasso) drawLasso(context, this.lasso, theme);
    context.restore();
    this.root.dataset.chosen = String(this.chosen.length);
    this.root.dataset.lit = String(light ? light.rows.length : 0);
    this.root.dataset.level = String(light?.level ?? "");
  }

  /** @returns {EntryMap | null} */
  get sets() {
    if (!this.map && this.data.sets) this.map = readEntryMap(this.data.sets);
    return this.map;
  }

  /** @param {Light} light */
  onLight(light) {
    if (light.link !== this.data.link || light.from === this.data.name) return;
    this.light = light.rows.length ? light : null;
    this.draw();
    this.describeSoon();
  }

  /** @override */
  seen() {
    return this.light ? lightWords(this.light, this.sets) : "";
  }

  /** @override @param {Hover | null} hover */
  setHover(hover) {
    const before = this.hover;
    super.setHover(hover);
    if (hover?.index === before?.index) return;
    const { link, name } = this.data;
    shineLight({ link, from: name, rows: hover ? [hover.index] : [], level: null, colour: -1 });
  }

  /** @param {number} x @param {number} y @returns {Hover | null} */
  pointAt(x, y) {
    const index = nearestIndex(this.positions, x, y, NEAR);
    if (index < 0 || !this.plot.holds(x, y)) return null;
    const { notes, names, kinds, kind_of: kindOf } = this.data;
    const lines = [names ? names[index] : `point ${index}`, kinds[kindOf[index]].name, notes ? notes[index] : ""];
    return {
      index, x: this.positions[2 * index], y: this.positions[2 * index + 1],
      text: lines.filter(Boolean).join("\n"),
    };
  }

  /** @override @param {PointerEvent} event */
  onDown(event) {
    // A finger that moves scrolls the page; with a mouse or a pen it is a lasso.
    const { x, y } = pointOn(event);
    if (event.button !== 0 || !this.plot.holds(x, y)) return;
    this.from = [x, y];
    if (event.pointerType !== "touch") this.canvas.setPointerCapture(event.pointerId);
  }

  /** @override @param {PointerEvent} event */
  onMove(event) {
    const { x, y } = pointOn(event);
    const { from } = this;
    if (!from) {
      this.setHover(this.pointAt(x, y));
    } else if (event.pointerType !== "touch"
      && (this.lasso || Math.hypot(x - from[0], y - from[1]) > DRAG_STARTS)) {
      this.lasso ??= [from];
      this.lasso.push([x, y]);
      this.setHover(null);
      this.draw();
    }
  }

  /** @override @param {PointerEvent} event */
  onUp(event) {
    const { shiftKey } = event;
    const { x, y } = pointOn(event);
    const { from, lasso } = this;
    [this.from, this.lasso] = [null, null];
    if (!from) return;
    if (lasso) {
      const rows = this.data.kind_of.map((_, row) => row).filter(
        (row) => insidePolygon(lasso, this.positions[2 * row], this.positions[2 * row + 1]),
      );
      this.choose(shiftKey ? [...new Set([...this.chosen, ...rows])] : rows);
      return;
    }
    const hit = this.pointAt(x, y);
    if (hit) this.choose(shiftKey ? this.toggled(hit.index) : [hit.index]);
    else if (this.data.takes_places) this.report(x, y);
    else this.choose([]);
  }

  /** @override */
  onCancel() {
    [this.from, this.lasso] = [null, null];
    this.draw();
  }

  /** @param {number} row @returns {number[]} */
  toggled(row) {
    return this.chosen.includes(row)
      ? this.chosen.filter((other) => other !== row)
      : [row, ...this.chosen];
  }

  /** Shown at once; Python's answer follows a moment later. @param {number[]} rows */
  choose(rows) {
    this.chosen = rows;
    this.draw();
    this.component.setTriggerValue("rows", rows);
  }

  /** Reports a click on a location without a point. @param {number} x @param {number} y */
  report(x, y) {
    /** @type {[number, number]} */
    const location = [this.plot.fromX(x), this.plot.fromY(y)];
    this.spot = location;
    this.draw();
    this.component.setTriggerValue("place", location);
  }
}

export default mounting(Plane, ".plane");
