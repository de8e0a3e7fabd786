// Buttons, wheel and keys of the tree, its legend, and what it says to screen readers.

/** @import { BranchesMessage } from "./branches_message.js" */
/** @import { Hover } from "./pointing.js" */
/** @import { Theme } from "./theme.js" */
/** @import { Range } from "./tree_moves.js" */
import { wheelFactor } from "../../player/js/view_moves.js";
import { find, pointOn } from "./dom.js";
import { STABILITY_OPACITY } from "./palette.js";
import { entryHeight, keptInside, nextBranch, splitRange } from "./tree_moves.js";

/**
 * The tree, as its tools see it.
 * @typedef {object} TreeView
 * @property {BranchesMessage} data
 * @property {HTMLCanvasElement} canvas
 * @property {{ fromY: (pixel: number) => number }} plot
 * @property {Range} range
 * @property {"whole" | "splits" | "own"} zoom
 * @property {(range: Range, zoom: "whole" | "splits" | "own") => void} look
 * @property {(factor: number, height?: number) => void} zoomBy
 * @property {Hover | null} hover
 * @property {number[]} chosen
 * @property {(hover: null) => void} setHover
 * @property {(index: number, height: number) => void} pointAt
 * @property {(index: number) => void} choose
 */

const STEP = 1.5;
/** Share of the range in view that a key moves the level by. */
const LEVEL_STEP = 0.02;
/** Share of the whole below which branches cannot be made out. */
const TOO_SMALL = 0.05;
const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
const KEYS_HELP = "Arrow keys move between branches, with Shift the level inside a branch. Enter "
  + "selects a branch. Plus and minus zoom, Page up and Page down move, S shows the splits, 0 the "
  + "whole tree.";

export class TreeTools {
  /** @param {HTMLElement} root @param {TreeView} tree */
  constructor(root, tree) {
    this.tree = tree;
    this.stage = find(root, ".stage", HTMLElement);
    this.spoken = find(root, ".said", HTMLElement);
    this.splits = find(root, ".splits", HTMLButtonElement);
    this.whole = find(root, ".whole", HTMLButtonElement);
    this.wider = find(root, ".wider", HTMLButtonElement);
    this.legend = find(root, ".shades", HTMLElement);
    /** Whether the wheel zooms without a key: after a click, until the pointer leaves. */
    this.armed = false;
    this.stage.setAttribute("aria-description", KEYS_HELP);
    this.splits.addEventListener("click", () => this.toSplits());
    this.whole.addEventListener("click", () => this.toWhole());
    this.wider.addEventListener("click", () => tree.zoomBy(1 / STEP));
    find(root, ".closer", HTMLButtonElement).addEventListener("click", () => tree.zoomBy(STEP));
    this.stage.addEventListener("keydown", (event) => this.onKeyDown(event));
    this.stage.addEventListener("blur", () => tree.setHover(null));
    tree.canvas.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    tree.canvas.addEventListener("pointerleave", () => { this.armed = false; });
  }

  /** @param {BranchesMessage} data @param {Theme} theme */
  show(data, theme) {
    this.stage.setAttribute("aria-label", data.name);
    this.splits.textContent = data.splits.length ? "Zoom to splits" : "Zoom to tips";
    this.splits.title = `${data.splits.length
      ? "Show the heights at which branches split" : "No branch splits: show where points leave"} (S)`;
    this.splits.disabled = this.rangeFor(data, "splits") === null;
    this.legend.hidden = data.stability === "";
    const [ramp, most] = this.legend.children;
    const ends = STABILITY_OPACITY.map((share) => (
      `color-mix(in srgb, ${theme.text} ${100 * share}%, transparent)`));
    if (ramp instanceof HTMLElement) {
      ramp.style.background = `linear-gradient(to right, ${ends.join(", ")})`;
    }
    most.textContent = `stability, 0 to ${data.stability}`;
    this.refresh(data);
  }

  /** @param {BranchesMessage} [data] */
  refresh(data = this.tree.data) {
    const { range } = this.tree;
    const whole = range[1] - range[0] >= (data.heights[1] - data.heights[0]) * 0.999;
    this.whole.disabled = whole;
    this.wider.disabled = whole;
  }

  /**
   * Returns the range of heights of a zoom; null where there is none.
   * @param {BranchesMessage} data
   * @param {"whole" | "splits"} zoom
   * @returns {Range | null}
   */
  rangeFor(data, zoom) {
    if (zoom === "whole") return data.heights;
    const { node_of: nodeOf, exits } = data.points;
    return splitRange(data.splits, exits.filter((_, row) => nodeOf[row] >= 0), data.heights);
  }

  /**
   * Returns the zoom to begin with. Inverse levels grow without bound as levels fall: on them a
   * tree may be too small to be seen.
   * @param {BranchesMessage} data
   * @returns {"whole" | "splits"}
   */
  firstZoom(data) {
    const range = data.scale.kind === "inverse" ? this.rangeFor(data, "splits") : null;
    const whole = data.heights[1] - data.heights[0];
    return range && range[1] - range[0] < TOO_SMALL * whole ? "splits" : "whole";
  }

  toSplits() {
    const range = this.rangeFor(this.tree.data, "splits");
    if (range) this.tree.look(range, "splits");
  }

  toWhole() {
    this.tree.look(this.tree.data.heights, "whole");
  }

  /** @param {number} turn */
  pan(turn) {
    const [low, high] = this.tree.range;
    const by = (turn * (high - low)) / 4;
    this.tree.look(keptInside([low + by, high + by], this.tree.data.heights), this.tree.zoom);
  }

  /** @param {KeyboardEvent} event */
  onKeyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { tree } = this;
    /** @type {Record<string, () => unknown>} */
    const keys = {
      "+": () => tree.zoomBy(STEP), "=": () => tree.zoomBy(STEP),
      "-": () => tree.zoomBy(1 / STEP), "−": () => tree.zoomBy(1 / STEP),
      0: () => this.toWhole(), s: () => this.toSplits(),
      PageUp: () => this.pan(1), PageDown: () => this.pan(-1),
      Escape: () => tree.setHover(null),
      Enter: () => tree.choose(tree.hover?.index ?? -1),
      " ": () => tree.choose(tree.hover?.index ?? -1),
    };
    for (const key of ARROWS) keys[key] = () => this.move(key);
    if (event.shiftKey) {
      keys.ArrowUp = () => this.moveLevel(1);
      keys.ArrowDown = () => this.moveLevel(-1);
    }
    if (!(event.key in keys)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }

  /** Points at the branch that an arrow leads to. @param {string} key */
  move(key) {
    const { hover, chosen, data } = this.tree;
    if (!data.nodes.length) return;
    const first = chosen[0] ?? 0;
    this.goTo(hover?.height === undefined ? first
      : nextBranch(data.nodes, hover.index, hover.height, key));
  }

  /** Moves the level inside a branch. @param {number} turn Up, 1, or down, −1. */
  moveLevel(turn) {
    const { hover, data, range } = this.tree;
    if (hover?.height === undefined) {
      this.move("ArrowUp");
      return;
    }
    const { bottom, top } = data.nodes[hover.index];
    const height = hover.height + turn * LEVEL_STEP * (range[1] - range[0]);
    this.tree.pointAt(hover.index, Math.min(Math.max(height, bottom), top));
    this.say(this.tree.hover?.text ?? "");
  }

  /** Points at a branch, and brings it into view. @param {number} index */
  goTo(index) {
    const { data, range: [low, high], zoom } = this.tree;
    const height = entryHeight(data.nodes[index]);
    if (height < low || height > high) {
      const half = (high - low) / 2;
      this.tree.look(keptInside([height - half, height + half], data.heights), zoom);
    }
    this.tree.pointAt(index, height);
    this.say(this.tree.hover?.text ?? "");
  }

  /** @param {WheelEvent} event */
  onWheel(event) {
    // Without a click or Ctrl the wheel scrolls the page, as everywhere.
    if (!this.armed && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.tree.zoomBy(wheelFactor(event), this.tree.plot.fromY(pointOn(event).y));
  }

  /** @param {string} text */
  say(text) {
    this.spoken.textContent = text.replaceAll("\n", ". ");
  }
}
