// Sliders for settings: the picture follows while they move, the page when they are released.

/** @import { Knob } from "./knob_values.js" */
import { curveSigns } from "./curve_drawing.js";
import { CurveChart } from "./knob_curve.js";
import { knobText, knobPosition, spreadLabels, knobValue } from "./knob_values.js";

/** @typedef {(key: string, value: number) => void} KnobCall */
/**
 * @typedef {object} KnobCalls
 * @property {KnobCall} onInput Called while a knob moves.
 * @property {KnobCall} onRelease Called with another value for good.
 * @property {() => void} [onReturn] Called when a knob is back where it was.
 */

const KEY_REST = 150;
let knobCount = 0;

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function knobPart(tag, className, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

/** One slider with its name, its number and its marks. */
class KnobRow {
  /** @param {Knob} knob @param {KnobCalls} calls */
  constructor(knob, calls) {
    this.knob = knob;
    this.calls = calls;
    this.value = knob.value;
    /** Released, and not yet returned by Python. @type {number[]} */
    this.released = [];
    this.held = false;
    this.frame = 0;
    this.timer = 0;
    this.slider = knobPart("input", "knob-slider");
    Object.assign(this.slider, { type: "range", min: "0", max: "1", step: "any" });
    this.slider.id = `knob-${knob.key}-${(knobCount += 1)}`;
    this.label = knobPart("label", "knob-label");
    this.label.htmlFor = this.slider.id;
    this.number = knobPart("span", "knob-value");
    this.number.setAttribute("aria-hidden", "true");
    this.marks = knobPart("span", "knob-marks");
    const track = knobPart("span", "knob-track", this.slider, this.marks);
    this.element = knobPart("div", "knob", this.label, this.number, track);
    this.element.dataset.key = knob.key;
    this.curve = knob.curve ? this.addCurve() : null;
    this.listen();
    this.show(knob);
  }

  addCurve() {
    const chart = new CurveChart({
      point: (value) => { this.held = true; this.take(value); },
      keep: (value) => this.goTo(value),
      leave: () => this.goBack(),
    });
    this.element.classList.add("with-curve");
    this.element.prepend(chart.element);
    return chart;
  }

  /** The value that was released last, or that Python has sent. */
  get kept() {
    return this.released.at(-1) ?? this.knob.value;
  }

  listen() {
    const { slider } = this;
    slider.addEventListener("pointerdown", () => { this.held = true; });
    slider.addEventListener("input", () => {
      this.held = true;
      this.take(knobValue(this.knob, Number(slider.value)));
    });
    // A press that changes nothing ends without a change, and a change by other means has no press.
    for (const name of ["change", "pointerup", "pointercancel"]) {
      slider.addEventListener(name, () => this.release());
    }
    slider.addEventListener("keydown", (event) => this.onKey(event));
    slider.addEventListener("blur", () => { if (this.timer) this.release(); });
    new ResizeObserver(() => this.placeMarks()).observe(this.marks);
  }

  /** Takes over what Python sends. @param {Knob} knob */
  show(knob) {
    const before = this.knob.value;
    this.knob = knob;
    this.label.textContent = knob.label;
    this.label.title = knob.help ?? "";
    const own = this.released.indexOf(knob.value);
    // An answer to an earlier release, or to none, must not undo what was done since.
    if (own >= 0) this.released.splice(0, own + 1);
    else if (knob.value !== before && !this.held) {
      this.released = [];
      this.value = knob.value;
    }
    this.element.classList.toggle("still", Boolean(knob.curve?.still));
    this.curve?.take(knob);
    this.showMarks();
    this.showValue();
  }

  showMarks() {
    const { knob } = this;
    const inside = knob.marks.filter(([value]) => value >= knob.low && value <= knob.high)
      .sort(([a], [b]) => a - b);
    this.stops = inside.map(([value]) => value);
    const written = JSON.stringify([inside, knob.low, knob.high]);
    if (this.marks.dataset.marks === written) return;
    this.marks.dataset.marks = written;
    const signs = this.curve ? curveSigns(knob) : new Map();
    this.marks.replaceChildren(...inside.flatMap(([value, name]) => {
      const tick = knobPart("span", "knob-tick");
      tick.style.setProperty("--at", String(knobPosition(knob, value)));
      const mark = knobPart("span", "knob-mark", ...(signs.get(name) ?? []), name);
      const way = "Click, or Shift and an arrow key, to go there.";
      mark.title = `${name}: ${knobText(knob, value)}. ${way}`;
      mark.addEventListener("click", () => this.goTo(value));
      return [tick, mark];
    }));
    this.placeMarks();
  }

  placeMarks() {
    const width = this.marks.clientWidth;
    const labels = [...this.marks.querySelectorAll(".knob-mark")]
      .filter((mark) => mark instanceof HTMLElement);
    const stops = this.stops ?? [];
    const centres = stops.map((value) => knobPosition(this.knob, value) * width);
    const placed = spreadLabels(centres, labels.map((label) => label.offsetWidth + 8), width);
    // Below a curve the names are a list: there are too many for one row.
    labels.forEach((label, k) => { label.style.left = this.curve ? "" : `${placed[k]}px`; });
  }

  showValue() {
    const { knob, value, slider } = this;
    const text = knobText(knob, value);
    const position = knobPosition(knob, value);
    // While it is held the browser moves the thumb, finer than the value is rounded.
    const apart = Math.abs(Number(slider.value) - position);
    if (!this.held || apart > 1e-3) slider.value = String(position);
    slider.style.setProperty("--fill", `${100 * position}%`);
    slider.setAttribute("aria-valuetext", text);
    this.number.textContent = `= ${text}`;
    this.element.dataset.value = String(value);
    this.element.dataset.kept = String(this.kept);
    this.curve?.show(value, this.kept);
  }

  /** Shows a value, and reports it with the next picture. @param {number} value */
  take(value) {
    if (value === this.value) return;
    this.value = value;
    this.showValue();
    this.frame ||= requestAnimationFrame(() => this.report());
  }

  report() {
    this.frame = 0;
    this.calls.onInput(this.knob.key, this.value);
  }

  /** Reports the value for good, unless it is the one known. */
  release() {
    clearTimeout(this.timer);
    [this.timer, this.held] = [0, false];
    if (this.frame) {
      cancelAnimationFrame(this.frame);
      this.report();
    }
    const known = this.value === this.kept;
    if (!known) this.released.push(this.value);
    this.showValue();
    if (known) this.calls.onReturn?.();
    else this.calls.onRelease(this.knob.key, this.value);
  }

  /** @param {number} value */
  goTo(value) {
    this.take(value);
    this.release();
  }

  /** Returns to the value that is kept: the pointer only looked. */
  goBack() {
    if (!this.held) return;
    this.take(this.kept);
    this.release();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const value = shiftKey ? this.nextMark(key) : this.stepped(key);
    if (value === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.held = true;
    this.take(value);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.release(), KEY_REST);
  }

  /** @param {string} key @returns {number | undefined} The value after a step by a key. */
  stepped(key) {
    const { knob } = this;
    /** @type {Record<string, number>} */
    const steps = {
      ArrowLeft: -0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowUp: 0.01,
      PageDown: -0.1, PageUp: 0.1, Home: -1, End: 1,
    };
    if (!(key in steps)) return undefined;
    return knobValue(knob, knobPosition(knob, this.value) + steps[key]);
  }

  /** @param {string} key @returns {number | undefined} The next mark in the direction of a key. */
  nextMark(key) {
    const stops = this.stops ?? [];
    const near = 1e-9 * Math.abs(this.value);
    if (["ArrowRight", "ArrowUp"].includes(key)) {
      return stops.find((stop) => stop > this.value + near) ?? this.value;
    }
    if (!["ArrowLeft", "ArrowDown"].includes(key)) return undefined;
    return stops.findLast((stop) => stop < this.value - near) ?? this.value;
  }
}

export class Knobs {
  /**
   * @param {HTMLElement} container
   * @param {KnobCalls} calls
   * @param {HTMLElement | null} beside Where knobs with a curve are, if not with the others.
   */
  constructor(container, calls, beside = null) {
    this.container = container;
    this.beside = beside;
    this.calls = calls;
    /** @type {Map<string, KnobRow>} */
    this.rows = new Map();
    container.classList.add("knobs");
  }

  /**
   * Shows these knobs; those with a known key stay, also while they are held.
   * @param {Knob[]} knobs
   */
  show(knobs) {
    const rows = knobs.map((knob) => {
      const found = this.rows.get(knob.key);
      // A row is made with a curve or without.
      const known = found && Boolean(found.curve) === Boolean(knob.curve) ? found : null;
      known?.show(knob);
      return known ?? new KnobRow(knob, this.calls);
    });
    const same = rows.length === this.rows.size && rows.every((row) => this.rows.get(row.knob.key) === row);
    this.rows = new Map(rows.map((row) => [row.knob.key, row]));
    if (same) return;
    const above = rows.filter(({ curve }) => curve && this.beside);
    const below = rows.filter((row) => !above.includes(row));
    this.container.replaceChildren(...below.map((row) => row.element));
    this.container.hidden = !below.length;
    this.beside?.replaceChildren(...above.map((row) => row.element));
    if (this.beside) this.beside.hidden = !above.length;
  }

  /** The values shown, by key. @returns {Record<string, number>} */
  get values() {
    return Object.fromEntries([...this.rows].map(([key, row]) => [key, row.value]));
  }
}
