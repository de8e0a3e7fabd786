// The coefficients of all points along the level, below the picture.

/** @import { Box } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { Panel, Scene } from "./decode.js" */
/** @import { Scale } from "./scale.js" */
import { AtRest } from "../../components/js/at_rest.js";
import { fitCanvas, pixelRatio } from "../../components/js/dom.js";
import { drawnKinds, rolesAt, sizesAt } from "./points.js";
import { labelAt, levelAt, positionAt } from "./scale.js";

const PATHS_HEIGHT = 210;
const PATHS_MARGIN = { left: 50, right: 14, top: 24, bottom: 36 };
const SAMPLED = 180;
const MOST_EVENTS = 1500;
const LINE_REACH = 6;
/** Selected points that are named one by one. */
const NAMED_POINTS = 3;
/** By the roles of points. */
const ROLE_WORDS = ["at the bound", "in between", "zero"];

/**
 * Returns the coefficient of each point at evenly spaced positions, as a share of its bound.
 * @param {Panel} panel
 * @param {Scale} scale
 * @param {number} count
 * @returns {Float32Array} For each point its line, from small sets to large ones.
 */
export function pathLines(panel, scale, count) {
  const n = panel.classes.length;
  const lines = new Float32Array(n * count);
  const last = scale.levels.length - 1;
  for (let k = 0; k < count; k++) {
    const sizes = sizesAt(panel, levelAt(scale, (k * last) / (count - 1)));
    for (let i = 0; sizes && i < n; i++) lines[i * count + k] = Math.min(sizes[i], 1);
  }
  return lines;
}

/**
 * Returns the line nearest to a location of the chart, or -1.
 * @param {Float32Array} lines
 * @param {number} count
 * @param {number} share Along the chart.
 * @param {number} value
 * @param {number} reach In the unit of the value.
 * @returns {number}
 */
export function lineAt(lines, count, share, value, reach) {
  const at = Math.min(Math.max(share, 0), 1) * (count - 1);
  const low = Math.min(Math.floor(at), count - 2);
  let [best, nearest] = [-1, reach];
  for (let i = 0; i * count < lines.length; i++) {
    const [a, b] = [lines[i * count + low], lines[i * count + low + 1]];
    const distance = Math.abs(a + (at - low) * (b - a) - value);
    if (distance < nearest) [best, nearest] = [i, distance];
  }
  return best;
}

/**
 * Says what the coefficients are at a position, and those of the selected points.
 * @param {Scene} scene
 * @param {number} position
 * @param {number[]} marked
 * @returns {string}
 */
export function pathWords({ scale, panels, point_names: names }, position, marked) {
  const level = levelAt(scale, position);
  const parts = panels.map((panel) => {
    const roles = rolesAt(panel, level);
    if (!roles) return "";
    const counts = ROLE_WORDS.map((words, k) => `${roles.filter((role) => role === k).length} ${words}`);
    const own = marked.filter((row) => row < roles.length).slice(0, NAMED_POINTS)
      .map((row) => `${names?.[row] ?? `point ${row}`} ${ROLE_WORDS[roles[row]]}`);
    const words = [counts.join(", "), ...own].join("; ");
    return `${panel.title ? `${panel.title}: ` : ""}${words}.`;
  });
  const head = "Coefficients of all points along the level";
  return [`${head}. At ${scale.name} = ${labelAt(scale, position)}:`, ...parts.filter(Boolean)].join(" ");
}

export class PathsChart {
  /** @param {HTMLCanvasElement} canvas @param {(row: number) => void} onLine Called with a clicked line. */
  constructor(canvas, onLine) {
    this.canvas = canvas;
    this.backdrop = document.createElement("canvas");
    /** @type {Float32Array[]} */
    this.lines = [];
    /** @type {Box[]} */
    this.boxes = [];
    this.width = 0;
    this.rest = new AtRest();
    /** What the text of the chart is of. @type {unknown[]} */
    this.source = [];
    canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const row = this.rowAt(offsetX, offsetY);
      if (row >= 0) onLine(row);
    });
  }

  /** Draws the lines once. @param {Scene} scene @param {number} width @param {Theme} theme */
  layout(scene, width, theme) {
    const { left, right, top, bottom } = PATHS_MARGIN;
    const columns = width >= 640 ? scene.panels.length : 1;
    const wide = width / columns;
    this.width = width;
    this.boxes = scene.panels.map((_, k) => ({
      x: (k % columns) * wide + left,
      y: Math.floor(k / columns) * PATHS_HEIGHT + top,
      w: wide - left - right,
      h: PATHS_HEIGHT - top - bottom,
    }));
    const height = PATHS_HEIGHT * Math.ceil(scene.panels.length / columns);
    fitCanvas(this.canvas, width, height);
    const context = fitCanvas(this.backdrop, width, height);
    this.lines = scene.panels.map((panel) => pathLines(panel, scene.scale, SAMPLED));
    scene.panels.forEach((panel, k) => {
      this.drawFrame(context, panel, this.boxes[k], scene.scale, theme);
      this.drawLines(context, this.lines[k], panel, k, theme, drawnKinds(scene).length);
    });
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Panel} panel
   * @param {Box} box
   * @param {Scale} scale
   * @param {Theme} theme
   */
  drawFrame(context, { title, family }, { x, y, w, h }, scale, theme) {
    const last = scale.levels.length - 1;
    context.fillStyle = context.strokeStyle = theme.text;
    context.globalAlpha = 0.22;
    context.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, Math.round(w), Math.round(h));
    context.globalAlpha = 0.72;
    context.font = `11.5px ${theme.font}`;
    context.textAlign = "right";
    context.fillText("bound", x - 7, y + 8);
    context.fillText("0", x - 7, y + h);
    context.textAlign = "left";
    context.fillText(labelAt(scale, 0), x, y + h + 16);
    context.textAlign = "right";
    context.fillText(labelAt(scale, last), x + w, y + h + 16);
    context.textAlign = "center";
    context.fillText(scale.name, x + w / 2, y + h + 28);
    const step = Math.max(1, Math.floor(family.levels.length / MOST_EVENTS));
    context.globalAlpha = 0.5;
    context.beginPath();
    for (let k = 0; k < family.levels.length; k += step) {
      const at = x + (positionAt(scale, family.levels[k]) / last) * w;
      context.moveTo(at, y + h);
      context.lineTo(at, y + h + 4);
    }
    context.stroke();
    context.globalAlpha = 1;
    context.textAlign = "left";
    context.font = `600 13px ${theme.font}`;
    context.fillText(`Coefficients: ${title}`, x, y - 9);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Float32Array} lines
   * @param {Panel} panel
   * @param {number} k
   * @param {Theme} theme
   * @param {number} kinds
   */
  drawLines(context, lines, { classes }, k, theme, kinds) {
    context.globalAlpha = Math.min(0.5, Math.max(0.1, 40 / classes.length));
    context.lineWidth = 1;
    for (let kind = 0; kind < kinds; kind++) {
      context.strokeStyle = kinds === 1 ? theme.palette[0] : theme.palette[kind];
      context.beginPath();
      classes.forEach((own, i) => { if (kinds === 1 || own === kind) this.trace(context, lines, i, k); });
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** @param {CanvasRenderingContext2D} context @param {Float32Array} lines @param {number} i @param {number} k */
  trace(context, lines, i, k) {
    const { x, y, w, h } = this.boxes[k];
    for (let at = 0; at < SAMPLED; at++) {
      const [px, py] = [x + (at / (SAMPLED - 1)) * w, y + (1 - lines[i * SAMPLED + at]) * h];
      if (at === 0) context.moveTo(px, py);
      else context.lineTo(px, py);
    }
  }

  /**
   * Draws the present level and the selected points above the lines.
   * @param {Scene} scene
   * @param {number} position
   * @param {number[]} marked
   * @param {Theme} theme
   */
  show(scene, position, marked, theme) {
    const height = this.backdrop.height / pixelRatio();
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    context.clearRect(0, 0, this.width, height);
    context.drawImage(this.backdrop, 0, 0, this.width, height);
    const last = Math.max(1, scene.scale.levels.length - 1);
    this.boxes.forEach(({ x, y, w, h }, k) => {
      context.strokeStyle = theme.palette[3];
      marked.slice(0, 40).forEach((row, order) => {
        if (row * SAMPLED >= this.lines[k].length) return;
        context.lineWidth = order === 0 ? 3 : 1.5;
        context.beginPath();
        this.trace(context, this.lines[k], row, k);
        context.stroke();
      });
      context.strokeStyle = theme.text;
      context.lineWidth = 1.4;
      context.setLineDash([5, 4]);
      context.beginPath();
      context.moveTo(x + (position / last) * w, y);
      context.lineTo(x + (position / last) * w, y + h);
      context.stroke();
      context.setLineDash([]);
    });
    const source = [scene, position, String(marked)];
    if (source.every((part, k) => part === this.source[k])) return;
    this.source = source;
    this.rest.then(() => this.canvas.setAttribute("aria-label", pathWords(scene, position, marked)));
  }

  /** @param {number} x @param {number} y @returns {number} The point whose line is there, or -1. */
  rowAt(x, y) {
    const k = this.boxes.findIndex((box) => x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h);
    if (k < 0) return -1;
    const { x: left, y: top, w, h } = this.boxes[k];
    return lineAt(this.lines[k], SAMPLED, (x - left) / w, 1 - (y - top) / h, LINE_REACH / h);
  }
}
