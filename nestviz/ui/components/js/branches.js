// A tree whose branches can be clicked, and beside it the number of clusters at every height.

/** @import { BranchesMessage } from "./branches_message.js" */
/** @import { Component } from "./dom.js" */
/** @import { Light } from "./linked.js" */
/** @import { Hover } from "./pointing.js" */
/** @import { Range } from "./tree_moves.js" */
import { clipToPlot, drawAxes } from "./axes.js";
import {
  countAt, drawBase, drawBranch, drawBranchLabels, drawCounts, drawCut, drawHeightLine,
  drawLitParts,
} from "./branches_picture.js";
import { TreeTools } from "./branches_tools.js";
import { fitCanvas, pointOn } from "./dom.js";
import { distanceToLines, traceLine, traceRings } from "./geometry.js";
import { heightTicks, levelAt, levelText } from "./height_scale.js";
import { treeWords } from "./level_words.js";
import { shineLight, watchLight } from "./linked.js";
import { mounting } from "./mounted.js";
import { makePlot, UNPLACED } from "./plot.js";
import { Pointed } from "./pointing.js";
import { keptInside, zoomedRange } from "./tree_moves.js";
import { filledParts, rowsAt } from "./tree_points.js";

const TREE_MARGIN = { left: 60, right: 10, top: 30, bottom: 44 };
const CLOSE = 8;
const GRIP = 7;
const GAP = 26;
const PAN_STARTS = 6;

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
    /** @type {{ y: number, range: Range, moved: boolean } | null} */
    this.pressed = null;
    /** @type {Range} */
    this.range = component.data.heights;
    /** @type {"whole" | "splits" | "own"} */
    this.zoom = "whole";
    /** Of the scale. */
    this.kind = "";
    /** @type {Light | null} */
    this.light = null;
    /** What was last said of the cut. */
    this.saidOfCut = "";
    this.tools = new TreeTools(root, this);
    this.endWatch = watchLight((light) => this.onLight(light));
  }

  /** @override @param {BranchesMessage} data */
  receive(data) {
    super.receive(data);
    this.cut = data.cut;
    // What a page shows when it opens is read when a reader comes to it; only what differs is said.
    this.saidOfCut ||= data.cut === null ? "" : treeWords(data, data.cut);
    this.chosen = data.chosen;
    this.light = null;
    if (data.scale.kind !== this.kind) {
      this.kind = data.scale.kind;
      this.zoom = this.tools.firstZoom(data);
    }
    this.range = this.zoom === "own" ? keptInside(this.range, data.heights)
      : this.tools.rangeFor(data, this.zoom) ?? data.heights;
    this.tools.show(data, this.theme);
  }

  /** @override */
  stopped() {
    super.stopped();
    this.endWatch();
  }

  /** @override */
  layout() {
    const { width, data, range } = this;
    this.height = Math.min(data.height, Math.max(300, width * 0.95));
    const inner = width - TREE_MARGIN.left - TREE_MARGIN.right;
    const aside = Math.min(130, Math.max(70, inner * 0.2));
    const box = { y: TREE_MARGIN.top, h: this.height - TREE_MARGIN.top - TREE_MARGIN.bottom };
    const treeBox = { ...box, x: TREE_MARGIN.left, w: Math.max(40, inner - aside - GAP) };
    const plot = makePlot(treeBox, [0, 1, ...range]);
    this.plot = plot;
    const most = Math.max(1, ...data.counts.map(([, , count]) => count));
    this.side = makePlot({ ...box, x: plot.x + plot.w + GAP, w: aside }, [0, most * 1.15, ...range]);
    this.root.dataset.plot = JSON.stringify([plot.x, plot.y, plot.w, plot.h]);
    this.root.dataset.heights = JSON.stringify(range);
    this.root.dataset.zoom = this.zoom;
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
    const yTicks = heightTicks(data.scale, ...this.range, Math.min(6, plot.h / 50));
    drawAxes(context, plot, theme, { title, base, yTicks, yGap: 46, ...names });
    if (base !== null) drawBase(context, { plot, right: side.x + side.w, base, note }, theme);
    context.save();
    clipToPlot(context, plot);
    data.nodes.forEach((node, k) => {
      const state = { chosen: this.chosen.includes(k), pointed: this.hover?.index === k };
      drawBranch(context, node, this.paths[k], state, theme);
    });
    const { light, hover } = this;
    if (light) drawLitParts(context, filledParts(data.points, data.nodes, light.rows), plot, theme);
    drawBranchLabels(context, data.nodes, plot, theme);
    if (hover?.height !== undefined) drawHeightLine(context, plot, hover.height, theme);
    context.restore();
    drawCounts(context, data.counts, side, theme);
    if (cut !== null) drawCut(context, { plot, side, cut, count: countAt(data.counts, cut), held }, theme);
    this.root.dataset.chosen = this.chosen.join(" ");
    this.root.dataset.cut = String(cut);
    this.root.dataset.lit = String(light ? light.rows.length : 0);
  }

  /** @override */
  seen() {
    return this.cut === null ? "" : treeWords(this.data, this.cut);
  }

  /** @override @param {string} seen */
  described(seen) {
    if (this.saidOfCut !== "" && seen !== this.saidOfCut) this.tools.say(seen);
    this.saidOfCut = seen;
  }

  /** @param {Range} range @param {"whole" | "splits" | "own"} zoom */
  look(range, zoom) {
    this.range = range;
    this.zoom = zoom;
    this.setHover(null);
    this.tools.refresh();
    this.refit();
  }

  /** @param {number} factor @param {number} [height] That stays; the middle, by default. */
  zoomBy(factor, height = (this.range[0] + this.range[1]) / 2) {
    const home = this.data.heights;
    const range = zoomedRange(this.range, height, factor, home);
    this.look(range, range[1] - range[0] < (home[1] - home[0]) * 0.999 ? "own" : "whole");
  }

  /** @param {Light} light */
  onLight(light) {
    if (light.link !== this.data.link || light.from === this.data.name) return;
    this.light = light.rows.length ? light : null;
    this.draw();
  }

  /** @override @param {Hover | null} hover */
  setHover(hover) {
    const before = this.hover;
    super.setHover(hover);
    const { link, name, sets, scale, nodes, points } = this.data;
    if (hover?.height !== undefined) {
      const branch = nodes[hover.index];
      const level = sets && !branch.lines.length ? levelAt(scale, hover.height) : null;
      const rows = rowsAt(points, hover.index, branch, hover.height);
      shineLight({ link, from: name, rows, level, colour: branch.colour });
    } else if (before) {
      shineLight({ link, from: name, rows: [], level: null, colour: -1 });
    }
  }

  /** Points at a branch, as pointer and keys do. @param {number} index @param {number} height @param {number} [x] */
  pointAt(index, height, x) {
    const { data, plot } = this;
    const branch = data.nodes[index];
    const lines = [branch.text];
    if (!branch.lines.length && data.points.node_of.length) {
      const count = rowsAt(data.points, index, branch, height).length;
      const level = levelText(levelAt(data.scale, height));
      lines.push(`at ${data.level_name} = ${level}: ${count} point${count === 1 ? "" : "s"}`);
    }
    const text = lines.join("\n");
    this.setHover({ index, x: x ?? plot.toX(branch.centre), y: plot.toY(height), text, height });
  }

  /** @param {number} x @param {number} y @returns {boolean} */
  onCut(x, y) {
    const { plot, side, cut } = this;
    return cut !== null && x >= plot.x - 8 && x <= side.x + side.w
      && Math.abs(y - plot.toY(cut)) <= GRIP;
  }

  /**
   * Returns the branch under the pointer: the smallest that contains it, or a thin one close by.
   * @param {number} x
   * @param {number} y
   * @returns {number} −1 where there is none.
   */
  nodeAt(x, y) {
    const { plot, data } = this;
    if (!plot.holds(x, y)) return -1;
    let [index, nearest] = [-1, CLOSE];
    data.nodes.forEach((node, k) => {
      const [top, bottom] = [plot.toY(node.top), plot.toY(node.bottom)];
      if (y < Math.min(top, bottom) - 3 || y > Math.max(top, bottom) + 3) return;
      const distance = this.distanceTo(k, x, y);
      if (distance < nearest || (distance === 0 && nearest === 0)) [index, nearest] = [k, distance];
    });
    return index;
  }

  /** @param {number} k @param {number} x @param {number} y @returns {number} */
  distanceTo(k, x, y) {
    const { lines, centre } = this.data.nodes[k];
    if (lines.length) return distanceToLines(lines, this.plot, x, y);
    const ratio = this.canvas.width / this.width;
    const inside = this.context.isPointInPath(this.paths[k], x * ratio, y * ratio);
    return inside ? 0 : Math.abs(x - this.plot.toX(centre));
  }

  /** @param {number} index −1 for none. Shown at once; Python's answer follows a moment later. */
  choose(index) {
    this.chosen = index < 0 ? [] : [index];
    this.draw();
    this.component.setTriggerValue("node", index);
  }

  /** @override @param {PointerEvent} event */
  onDown(event) {
    const { button, pointerId } = event;
    const { x, y } = pointOn(event);
    if (button !== 0) return;
    this.tools.armed = true;
    if (!this.onCut(x, y)) {
      this.pressed = this.plot.holds(x, y) ? { y, range: this.range, moved: false } : null;
      return;
    }
    this.held = true;
    this.canvas.setPointerCapture(pointerId);
    this.setHover(null);
    this.draw();
  }

  /** @override @param {PointerEvent} event */
  onMove(event) {
    const { pointerType } = event;
    const { x, y } = pointOn(event);
    const { held, pressed, plot, data } = this;
    if (held) {
      const [low, high] = data.heights;
      this.cut = Math.min(Math.max(plot.fromY(y), data.base ?? low), high);
      this.draw();
      this.describeSoon();
      return;
    }
    if (pressed && this.zoom !== "whole" && pointerType !== "touch"
      && (pressed.moved || Math.abs(y - pressed.y) > PAN_STARTS)) {
      pressed.moved = true;
      const [low, high] = pressed.range;
      const by = ((y - pressed.y) / plot.h) * (high - low);
      this.look(keptInside([low + by, high + by], data.heights), "own");
      return;
    }
    this.canvas.classList.toggle("holding", this.onCut(x, y));
    const index = this.onCut(x, y) ? -1 : this.nodeAt(x, y);
    if (index < 0) this.setHover(null);
    else {
      const { bottom, top } = data.nodes[index];
      this.pointAt(index, Math.min(Math.max(plot.fromY(y), bottom), top), x);
    }
  }

  /** @override @param {PointerEvent} event */
  onUp(event) {
    const { x, y } = pointOn(event);
    const { held, pressed } = this;
    this.onCancel();
    if (held) this.component.setTriggerValue("cut", this.cut);
    else if (pressed && !pressed.moved) this.choose(this.nodeAt(x, y));
  }

  /** @override */
  onCancel() {
    [this.held, this.pressed] = [false, null];
    this.draw();
  }
}

export default mounting(Branches, ".branches");
