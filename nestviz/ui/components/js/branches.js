// A tree whose branches can be clicked, and beside it the number of clusters at every height.

/** @import { Count } from "./branches_picture.js" */
/** @import { Component } from "./dom.js" */
/** @import { Hover, PictureMessage } from "./pointing.js" */
import { clipToPlot, drawAxes } from "./axes.js";
import {
  countAt, drawBase, drawBranch, drawBranchLabel, drawCounts, drawCut,
} from "./branches_picture.js";
import { fitCanvas, pointOn } from "./dom.js";
import { distanceToLines, traceLine, traceRings } from "./geometry.js";
import { mounting } from "./mounted.js";
import { makePlot, UNPLACED } from "./plot.js";
import { Pointed } from "./pointing.js";

/**
 * @typedef {object} Branch
 * @property {number[]} outline x and y in turn; empty if extrapolated.
 * @property {number[][]} lines Of an extrapolated branch.
 * @property {number} centre
 * @property {number} bottom
 * @property {number} top
 * @property {number} colour
 * @property {string} label
 * @property {string} text
 */
/**
 * The message of branches.py.
 * @typedef {object} BranchesFields
 * @property {[low: number, high: number]} heights
 * @property {string} height_name
 * @property {Count[]} counts
 * @property {number} cut
 * @property {number | null} base Height below which nothing is to scale.
 * @property {string} note
 * @property {number[]} chosen
 * @property {Branch[]} nodes
 */
/** @typedef {PictureMessage & BranchesFields} BranchesMessage */

const TREE_MARGIN = { left: 52, right: 10, top: 30, bottom: 44 };
const CLOSE = 8;
const GRIP = 7;
const GAP = 26;

/** @extends {Pointed<BranchesMessage>} */
class Branches extends Pointed {
  /** @param {HTMLElement} root @param {Component<BranchesMessage>} component */
  constructor(root, component) {
    super(root, component);
    this.cut = component.data.cut;
    this.chosen = component.data.chosen;
    this.side = UNPLACED;
    /** @type {Path2D[]} */
    this.paths = [];
    this.held = false;
    this.pressed = false;
  }

  /** @override @param {BranchesMessage} data */
  receive(data) {
    super.receive(data);
    this.cut = data.cut;
    this.chosen = data.chosen;
  }

  /** @override */
  layout() {
    const { width, data } = this;
    this.height = Math.min(data.height, Math.max(300, width * 0.95));
    const inner = width - TREE_MARGIN.left - TREE_MARGIN.right;
    const aside = Math.min(130, Math.max(70, inner * 0.2));
    const box = { y: TREE_MARGIN.top, h: this.height - TREE_MARGIN.top - TREE_MARGIN.bottom };
    const [low, high] = data.heights;
    const treeBox = { ...box, x: TREE_MARGIN.left, w: Math.max(40, inner - aside - GAP) };
    const plot = makePlot(treeBox, [0, 1, low, high]);
    this.plot = plot;
    const most = Math.max(1, ...data.counts.map(([, , count]) => count));
    this.side = makePlot({ ...box, x: plot.x + plot.w + GAP, w: aside }, [0, most * 1.15, low, high]);
    this.root.dataset.plot = JSON.stringify([plot.x, plot.y, plot.w, plot.h]);
    this.root.dataset.heights = JSON.stringify(data.heights);
    this.paths = data.nodes.map(({ lines, outline }) => {
      const path = new Path2D();
      if (lines.length) for (const line of lines) traceLine(path, line, plot);
      else traceRings(path, [outline], plot);
      return path;
    });
    fitCanvas(this.canvas, width, this.height);
    this.draw();
  }

  /** @override */
  paint() {
    const { context, width, height, data, theme, plot, side, cut, held } = this;
    const { title, base, note } = data;
    context.clearRect(0, 0, width, height);
    const names = { xName: "share of the points", yName: data.height_name };
    drawAxes(context, plot, theme, { title, base, ...names });
    if (base !== null) drawBase(context, { plot, right: side.x + side.w, base, note }, theme);
    context.save();
    clipToPlot(context, plot);
    data.nodes.forEach((node, k) => {
      const state = { chosen: this.chosen.includes(k), pointed: this.hover?.index === k };
      drawBranch(context, node, this.paths[k], state, theme);
    });
    for (const node of data.nodes) drawBranchLabel(context, node, plot, theme);
    context.restore();
    drawCounts(context, data.counts, side, theme);
    drawCut(context, { plot, side, cut, count: countAt(data.counts, cut), held }, theme);
    this.root.dataset.chosen = this.chosen.join(" ");
    this.root.dataset.cut = String(cut);
  }

  /** @param {number} x @param {number} y @returns {boolean} */
  onCut(x, y) {
    const { plot, side } = this;
    return x >= plot.x - 8 && x <= side.x + side.w && Math.abs(y - plot.toY(this.cut)) <= GRIP;
  }

  /**
   * Returns the branch under the pointer: the smallest that contains it, or a thin one close by.
   * @param {number} x
   * @param {number} y
   * @returns {Hover | null}
   */
  nodeAt(x, y) {
    const { plot, data } = this;
    if (!plot.holds(x, y)) return null;
    let [index, nearest] = [-1, CLOSE];
    data.nodes.forEach((node, k) => {
      const [top, bottom] = [plot.toY(node.top), plot.toY(node.bottom)];
      if (y < Math.min(top, bottom) - 3 || y > Math.max(top, bottom) + 3) return;
      const distance = this.distanceTo(k, x, y);
      if (distance < nearest || (distance === 0 && nearest === 0)) [index, nearest] = [k, distance];
    });
    return index < 0 ? null : { index, x, y, text: data.nodes[index].text };
  }

  /** @param {number} k @param {number} x @param {number} y @returns {number} */
  distanceTo(k, x, y) {
    const { lines, centre } = this.data.nodes[k];
    if (lines.length) return distanceToLines(lines, this.plot, x, y);
    const ratio = this.canvas.width / this.width;
    const inside = this.context.isPointInPath(this.paths[k], x * ratio, y * ratio);
    return inside ? 0 : Math.abs(x - this.plot.toX(centre));
  }

  /** @override @param {PointerEvent} event */
  onDown(event) {
    const { button, pointerId } = event;
    const { x, y } = pointOn(event);
    if (button !== 0) return;
    if (!this.onCut(x, y)) {
      this.pressed = this.plot.holds(x, y);
      return;
    }
    this.held = true;
    this.canvas.setPointerCapture(pointerId);
    this.setHover(null);
    this.draw();
  }

  /** @override @param {PointerEvent} event */
  onMove(event) {
    const { x, y } = pointOn(event);
    if (this.held) {
      const [low, high] = this.data.heights;
      this.cut = Math.min(Math.max(this.plot.fromY(y), this.data.base ?? low), high);
      this.draw();
      return;
    }
    this.canvas.classList.toggle("holding", this.onCut(x, y));
    this.setHover(this.onCut(x, y) ? null : this.nodeAt(x, y));
  }

  /** @override @param {PointerEvent} event */
  onUp(event) {
    const { x, y } = pointOn(event);
    const { held, pressed } = this;
    this.onCancel();
    if (held) {
      this.component.setTriggerValue("cut", this.cut);
    } else if (pressed) {
      const hit = this.nodeAt(x, y);
      this.chosen = hit ? [hit.index] : [];
      this.draw();
      this.component.setTriggerValue("node", hit ? hit.index : -1);
    }
  }

  /** @override */
  onCancel() {
    [this.held, this.pressed] = [false, false];
    this.draw();
  }
}

export default mounting(Branches, ".branches");
