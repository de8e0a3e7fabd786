// The chart beside the picture of a story; it follows the level.

/** @import { Box } from "../../components/js/plot.js" */
/** @import { Scene } from "./decode.js" */
/** @import { Family } from "./family.js" */
/** @import { ScenePicture } from "./picture.js" */
/** @import { Probe } from "./probe.js" */
/** @import { Line, Location, Profile } from "./profile.js" */
/** @import { PointRanks } from "./rank_lines.js" */
import { AtRest } from "../../components/js/at_rest.js";
import { find, fitCanvas } from "../../components/js/dom.js";
import { drawChart } from "./chart_drawing.js";
import { kernelAt } from "./family.js";
import { PANEL_MARGIN } from "./layout.js";
import { probeOf } from "./probe.js";
import { lineThrough, profileOf, profileRange, ratioRange, ratiosAt } from "./profile.js";
import { rankLines } from "./rank_lines.js";
import { levelAt } from "./scale.js";

/**
 * What is known of a scene and a pin, computed once for all levels.
 * @typedef {{ kind: "profile", line: Line, profile: Profile, range: [number, number] }
 *   | { kind: "course", probe: Probe, family: Family, kernels: Float64Array[], ratios: Float64Array,
 *       range: [number, number] }
 *   | { kind: "ranks", ranks: PointRanks[] | null }
 *   | { kind: "excess", values: number[] }} Prepared
 */

const SAMPLES = 160;
/** Height where the chart is below the picture. */
const BELOW_HEIGHT = 280;

/**
 * Prepares what a chart shows; null where there is nothing.
 * @param {Scene} scene
 * @param {Location | null} pin
 * @returns {Prepared | null}
 */
export function prepareChart(scene, pin) {
  const { story } = scene.player;
  if (!story?.chart) return null;
  if (story.chart === "excess") return { kind: "excess", values: story.excess };
  const panel = scene.panels.find(({ family }) => !family.derived);
  if (!panel) return null;
  if (story.chart === "ranks") return { kind: "ranks", ranks: rankLines(panel) };
  if (!pin || !story.centre) return null;
  const { family } = panel;
  if (story.chart === "profile") {
    const line = lineThrough(story.centre, pin, scene.view);
    const profile = profileOf(family, line, pin, SAMPLES);
    return { kind: "profile", line, profile, range: profileRange(profile, scene.scale) };
  }
  return prepareCourse(scene, family, pin);
}

/**
 * @param {Scene} scene
 * @param {Family} family
 * @param {Location} pin
 * @returns {Prepared}
 */
function prepareCourse({ scale }, family, pin) {
  const last = scale.levels.length - 1;
  const ends = [scale.levels[0], scale.levels[last]];
  const kernels = [kernelAt(family, ...pin)];
  const ratios = Float64Array.from({ length: SAMPLES }, (_, k) => (
    ratiosAt({ family, kernels }, levelAt(scale, (k * last) / (SAMPLES - 1)))[0]
  ));
  const probe = probeOf(family, ...pin, Math.min(...ends), Math.max(...ends));
  return { kind: "course", probe, kernels, family, ratios, range: ratioRange(ratios) };
}

export class SideChart {
  /** @param {HTMLElement} element With a canvas. */
  constructor(element) {
    this.element = element;
    this.canvas = find(element, "canvas", HTMLCanvasElement);
    /** @type {Prepared | null} */
    this.prepared = null;
    /** What it was prepared for. @type {unknown[]} */
    this.source = [];
    /** @type {CanvasRenderingContext2D | null} */
    this.context = null;
    /** @type {Box} */
    this.box = { x: 0, y: 0, w: 0, h: 0 };
    this.width = 0;
    this.height = 0;
    this.words = "";
    this.rest = new AtRest();
  }

  /** Shows or hides the chart, before the picture is given its width. @param {Scene} scene */
  announce(scene) {
    this.element.hidden = !scene.player.story?.chart;
  }

  /** Arranges the chart beside the picture, or below it. @param {ScenePicture} picture */
  layout({ height, slots, grown }) {
    if (this.element.hidden) return;
    const { left, right, top, bottom } = PANEL_MARGIN;
    const width = this.element.clientWidth;
    const beside = this.element.offsetTop < height / 2;
    const high = beside ? height : BELOW_HEIGHT;
    const [{ plot }] = slots;
    const [y, h] = beside ? [plot.y, plot.h] : [grown * top, high - grown * (top + bottom)];
    this.width = width;
    this.height = high;
    this.box = { x: grown * left, y, w: Math.max(40, width - grown * (left + right)), h };
    this.context = fitCanvas(this.canvas, width, high);
  }

  /**
   * Draws the chart at a level, and tells the picture which line it is about.
   * @param {ScenePicture} picture
   * @param {number} position
   */
  show(picture, position) {
    const { context } = this;
    const { scene, memory, theme, grown } = picture;
    picture.line = null;
    if (this.element.hidden || !context || this.width <= 0) return;
    const source = [scene, String(memory.probe)];
    if (source.some((part, k) => part !== this.source[k])) {
      this.prepared = prepareChart(scene, memory.probe);
      this.source = source;
    }
    context.clearRect(0, 0, this.width, this.height);
    const level = levelAt(scene.scale, position);
    const words = drawChart(context, this.box, this.prepared, { scene, position, level, theme, grown });
    if (words !== this.words) this.rest.then(() => this.canvas.setAttribute("aria-label", words));
    this.words = words;
    if (this.prepared?.kind === "profile") picture.line = this.prepared.line;
  }
}
