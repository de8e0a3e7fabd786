// An axis with a handle for each of some numbers: drag to move, click the axis to add, Delete to
// remove. The page follows when a handle is released.

/** @import { Component } from "./dom.js" */
/** @import { HandleAxis } from "./handle_values.js" */
import { knobPosition, knobText, knobValue, spreadLabels } from "../../player/js/knob_values.js";
import { handlesWords, movedHandle, removedHandle, withoutHandle } from "./handle_values.js";
import { find } from "./dom.js";

const KEY_STEP = 0.01;
const HANDLE_REST = 400;
/** @type {Record<string, number>} */
const HANDLE_KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

/** @type {WeakMap<HTMLElement, HandleField>} */
const handleFields = new WeakMap();

class HandleField {
  /** @param {HTMLElement} root @param {Component<HandleAxis>} component */
  constructor(root, component) {
    this.component = component;
    this.axis = component.data;
    this.values = [...component.data.values];
    this.held = -1;
    /** Those that are not held. @type {number[]} */
    this.others = [];
    this.timer = 0;
    this.track = find(root, ".handles-track", HTMLElement);
    this.marks = find(root, ".handles-marks", HTMLElement);
    this.label = find(root, ".handles-label", HTMLElement);
    this.said = find(root, ".handles-said", HTMLElement);
    this.track.addEventListener("pointerdown", (event) => this.onPress(event));
    this.track.addEventListener("pointermove", (event) => this.onMove(event));
    for (const name of ["pointerup", "pointercancel"]) {
      this.track.addEventListener(name, () => this.onRelease());
    }
    this.track.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(() => this.placeMarks()).observe(this.marks);
  }

  /** Takes over what Python sends. @param {Component<HandleAxis>} component */
  show(component) {
    this.component = component;
    this.axis = component.data;
    this.label.textContent = this.axis.label;
    if (this.held < 0 && !this.timer) {
      this.values = [...this.axis.values];
      this.say(handlesWords(this.axis, this.values));
    }
    this.draw();
    this.drawMarks();
  }

  draw() {
    const buttons = [...this.track.querySelectorAll("button")];
    for (const spare of buttons.slice(this.values.length)) spare.remove();
    this.values.forEach((value, k) => {
      const button = buttons[k] ?? this.track.appendChild(document.createElement("button"));
      const { low, high } = this.axis;
      button.className = "handle";
      button.type = "button";
      button.style.setProperty("--at", String(knobPosition(this.axis, value)));
      for (const [name, text] of Object.entries({
        role: "slider", "aria-label": `${this.axis.label}, ${k + 1} of ${this.values.length}`,
        "aria-valuemin": low, "aria-valuemax": high, "aria-valuenow": value,
        "aria-valuetext": knobText(this.axis, value),
      })) button.setAttribute(name, String(text));
      button.title = `${knobText(this.axis, value)}: drag to move, Delete to remove`;
    });
  }

  drawMarks() {
    this.marks.replaceChildren(...this.axis.marks.map(([value, name]) => {
      const mark = document.createElement("span");
      mark.textContent = name;
      mark.title = `${name}: ${knobText(this.axis, value)}`;
      return mark;
    }));
    this.placeMarks();
  }

  placeMarks() {
    const labels = [...this.marks.children].filter((mark) => mark instanceof HTMLElement);
    const width = this.marks.clientWidth;
    const centres = this.axis.marks.map(([value]) => knobPosition(this.axis, value) * width);
    const placed = spreadLabels(centres, labels.map((label) => label.offsetWidth + 8), width);
    labels.forEach((label, k) => { label.style.left = `${placed[k]}px`; });
  }

  /** @param {PointerEvent} event */
  valueAt(event) {
    const box = this.track.getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(box.width, 1);
    return knobValue(this.axis, Math.min(Math.max(share, 0), 1));
  }

  /** @param {number} index */
  focus(index) {
    this.track.querySelectorAll("button")[index]?.focus();
  }

  /** @param {PointerEvent} event */
  onPress(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    this.held = button ? [...this.track.querySelectorAll("button")].indexOf(button) : -1;
    this.others = this.held < 0 ? this.values : withoutHandle(this.values, this.held);
    if (this.held < 0 && this.values.length >= this.axis.most) {
      this.say(`At most ${this.axis.most} are possible.`);
    } else if (this.held < 0) {
      this.place(this.valueAt(event));
    }
    if (this.held < 0) return;
    this.track.setPointerCapture(event.pointerId);
    this.focus(this.held);
  }

  /** Moves the handle that is held. @param {number} value */
  place(value) {
    const moved = movedHandle(this.axis, this.others, value);
    [this.values, this.held] = [moved.values, moved.index];
    this.draw();
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    if (this.held < 0) return;
    this.place(this.valueAt(event));
    this.focus(this.held);
    this.say(knobText(this.axis, this.values[this.held] ?? 0), "off");
  }

  onRelease() {
    if (this.held < 0) return;
    this.held = -1;
    this.report();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const buttons = [...this.track.querySelectorAll("button")];
    const index = buttons.findIndex((button) => button === event.target);
    const value = this.values[index];
    if (value === undefined) return;
    const way = HANDLE_KEYS[event.key];
    if (way !== undefined) {
      const step = way * KEY_STEP * (event.shiftKey ? 5 : 1);
      const share = Math.min(Math.max(knobPosition(this.axis, value) + step, 0), 1);
      const others = withoutHandle(this.values, index);
      const moved = movedHandle(this.axis, others, knobValue(this.axis, share));
      this.values = moved.values;
      this.draw();
      this.focus(moved.index);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      const rest = removedHandle(this.axis, this.values, index);
      if (rest === this.values) {
        this.say(`At least ${this.axis.least} must stay.`);
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      this.values = rest;
      this.draw();
      this.focus(Math.min(index, this.values.length - 1));
    } else return;
    event.preventDefault();
    event.stopPropagation();
    // Keys come in bursts: the page runs when they rest.
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.report(), HANDLE_REST);
  }

  /** @param {string} text @param {"polite" | "off"} [live] Off while a handle moves. */
  say(text, live = "polite") {
    this.said.setAttribute("aria-live", live);
    if (this.said.textContent !== text) this.said.textContent = text;
  }

  report() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.say(handlesWords(this.axis, this.values));
    // The time makes each report a new one.
    this.component.setStateValue("handles", { values: this.values, time: Date.now() });
  }
}

/** @param {Component<HandleAxis>} component */
export default function mountHandles(component) {
  const root = find(component.parentElement, ".handles", HTMLElement);
  const field = handleFields.get(root) ?? new HandleField(root, component);
  handleFields.set(root, field);
  field.show(component);
}
