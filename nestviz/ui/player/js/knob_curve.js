// Draws the curve above a slider; the slider follows the pointer over it.

/** @import { Plot } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { KnobCurve } from "./curve_values.js" */
/** @import { Knob } from "./knob_values.js" */
import { writeAbove } from "../../components/js/axes.js";
import { fitCanvas } from "../../components/js/dom.js";
import { makePlot } from "../../components/js/plot.js";
import { readTheme } from "../../components/js/theme.js";
import { drawBands, drawCurveFrame, drawRules, drawTried, upright } from "./curve_drawing.js";
import { curveWords, heightAt, heightRange, pointedValue } from "./curve_values.js";
import { knobPosition } from "./knob_values.js";

/** @typedef {{ point: (value: number) => void, keep: (value: number) => void, leave: () => void }} CurveCalls */

/** The middle of the slider's thumb at both ends, beside the numbers of the heights. */
const CURVE_MARGIN = { left: 54.5, right: 14.5, top: 26, bottom: 20 };
const WIDE_CHART = 262;
const NARROW_CHART = 190;
const NARROW_WIDTH = 420;
/** From which a named width attracts the pointer, in pixels. */
const CURVE_REACH = 9;

export class CurveChart {
  /** @param {CurveCalls} calls */
  constructor(calls) {
    this.calls = calls;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "knob-curve";
    this.canvas.setAttribute("role", "img");
    /** @type {Knob | null} */
    this.knob = null;
    /** The value shown, and the one that is kept. */
    this.value = 0;
    this.kept = 0;
    this.pressed = false;
    /** @type {Theme | null} */
    this.theme = null;
    /** @type {Plot | null} */
    this.plot = null;
    /** @type {CanvasRenderingContext2D | null} */
    this.context = null;
    this.element = document.createElement("div");
    this.element.className = "knob-chart";
    this.element.append(this.canvas);
    this.listen();
    new ResizeObserver(() => this.layout()).observe(this.element);
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.knob?.curve?.still) return;
      this.pressed = true;
      canvas.setPointerCapture(event.pointerId);
      this.follow(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      // A finger that only passes over the chart scrolls the page.
      if (this.pressed || event.pointerType === "mouse") this.follow(event);
    });
    canvas.addEventListener("pointerup", () => {
      if (!this.pressed) return;
      this.pressed = false;
      this.calls.keep(this.value);
    });
    for (const name of ["pointerleave", "pointercancel"]) {
      canvas.addEventListener(name, () => {
        if (this.pressed && name === "pointerleave") return;
        this.pressed = false;
        this.calls.leave();
      });
    }
  }

  /** @param {PointerEvent} event */
  follow({ offsetX }) {
    const { plot, knob } = this;
    if (!plot || !knob) return;
    const position = Math.min(Math.max((offsetX - plot.x) / plot.w, 0), 1);
    this.calls.point(pointedValue(knob, position, CURVE_REACH / plot.w));
  }

  /** Takes over another curve or theme. @param {Knob} knob */
  take(knob) {
    this.knob = knob;
    this.theme = readTheme(this.canvas);
    this.layout();
  }

  /** @param {number} value @param {number} kept */
  show(value, kept) {
    this.value = value;
    this.kept = kept;
    this.draw();
  }

  layout() {
    const width = this.element.clientWidth;
    if (width <= 0 || !this.knob?.curve) return;
    const height = width < NARROW_WIDTH ? NARROW_CHART : WIDE_CHART;
    const { left, right, top, bottom } = CURVE_MARGIN;
    this.theme = readTheme(this.canvas);
    this.context = fitCanvas(this.canvas, width, height);
    const box = { x: left, y: top, w: Math.max(40, width - left - right), h: height - top - bottom };
    this.plot = makePlot(box, [0, 1, ...heightRange(this.knob.curve)]);
    this.draw();
  }

  draw() {
    const { context, plot, theme, knob } = this;
    if (!context || !plot || !theme || !knob?.curve) return;
    const { curve } = knob;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.save();
    drawCurveFrame(context, plot, knob, curve, theme);
    drawBands(context, plot, knob, curve, theme);
    drawRules(context, plot, knob, theme);
    drawTried(context, plot, knob, curve, theme);
    if (!curve.still) this.drawValues(context, plot, knob, curve, theme);
    context.restore();
    this.canvas.setAttribute("aria-label", `${curve.alt} ${curve.still ? "" : curveWords(knob, this.kept)}`);
  }

  /**
   * The value that is kept, and the one under the pointer.
   * @param {CanvasRenderingContext2D} context
   * @param {Plot} plot
   * @param {Knob} knob
   * @param {KnobCurve} curve
   * @param {Theme} theme
   */
  drawValues(context, plot, knob, curve, theme) {
    const dots = this.value === this.kept ? [this.kept] : [this.kept, this.value];
    for (const value of dots) {
      const x = plot.toX(knobPosition(knob, value));
      const height = heightAt(knob, curve, value);
      context.strokeStyle = theme.text;
      context.lineWidth = 1.5;
      context.globalAlpha = value === this.value ? 1 : 0.35;
      upright(context, plot, x, []);
      if (height === null) continue;
      // A ring: what is below it, such as the star, stays visible.
      for (const [color, width] of /** @type {const} */ ([[theme.background, 4.5], [theme.text, 2]])) {
        context.beginPath();
        context.arc(x, plot.toY(height), 9.5, 0, 2 * Math.PI);
        context.strokeStyle = color;
        context.lineWidth = width;
        context.stroke();
      }
    }
    context.globalAlpha = 1;
    context.font = `600 12.5px ${theme.font}`;
    context.textBaseline = "top";
    const words = curveWords(knob, this.value);
    const half = context.measureText(words).width / 2 + 4;
    const at = plot.toX(knobPosition(knob, this.value));
    const height = heightAt(knob, curve, this.value);
    const covered = height !== null && plot.toY(height) < plot.y + 32;
    const y = covered ? plot.y + 0.4 * plot.h : plot.y + 5;
    writeAbove(context, theme, words, Math.min(Math.max(at, plot.x + half), plot.x + plot.w - half), y);
  }
}
