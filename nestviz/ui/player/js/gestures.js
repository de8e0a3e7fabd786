// What hands do on the picture: pointer, wheel, two fingers and keys, as calls of a host.

import { pointOn } from "../../components/js/dom.js";
import { keyAction } from "./gesture_keys.js";
import { extendLasso } from "./lasso.js";
import { WHEEL_UNITS, wheelFactor } from "./view_moves.js";

/** @typedef {"look" | "lasso" | "edit" | "turn"} Mode */
/**
 * What is done with the picture. All x and y are pixels of the canvas, and a panel is its index.
 * @typedef {object} GestureHost
 * @property {Mode} mode
 * @property {boolean} zoomed Whether part of the picture is out of view: then one finger moves it.
 * @property {(x: number, y: number) => number} panelAt −1 where there is none.
 * @property {(panel: number) => [x: number, y: number]} centreOf
 * @property {(panel: number, x: number, y: number, factor: number) => void} zoomAt
 * @property {(panel: number, dx: number, dy: number) => void} pan
 * @property {() => void} resetView Called for the second click of a double click, instead of `tap`.
 * @property {(panel: number, x: number, y: number) => void} hover
 * @property {() => void} leave
 * @property {(panel: number, x: number, y: number, event: PointerEvent) => void} tap
 * @property {(panel: number, polygon: [number, number][]) => void} lasso The closed line.
 * @property {(panel: number, polygon: [number, number][]) => void} [lassoing] The line so far;
 *   empty when it was given up.
 * @property {(panel: number, x: number, y: number) => boolean} grab Whether something is held there.
 * @property {(panel: number, x: number, y: number) => void} drag
 * @property {(panel: number, x: number, y: number) => void} drop
 * @property {(dx: number, dy: number) => void} turn
 * @property {() => void} [wheelLeft] The wheel was left to the page.
 */
/** @typedef {{ x: number, y: number }} Spot */
/** @typedef {"none" | "press" | "pan" | "drag" | "lasso" | "turn" | "pinch" | "rest"} Action */

const MOUSE_SLACK = 5;
const FINGER_SLACK = 10;
const DOUBLE_TIME = 350;
const DOUBLE_REACH = 24;

export class Gestures {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {GestureHost} host
   * @param {HTMLElement} [root] Listens for keys; the nearest element around that takes the focus.
   */
  constructor(canvas, host, root) {
    this.canvas = canvas;
    this.host = host;
    this.root = root ?? canvas.closest("[tabindex]") ?? canvas;
    /** @type {Map<number, Spot>} */
    this.pointers = new Map();
    /** @type {Action} */
    this.action = "none";
    this.panel = -1;
    /** @type {Spot} */
    this.from = { x: 0, y: 0 };
    /** @type {[number, number][]} */
    this.line = [];
    this.lastTap = { x: 0, y: 0, time: -Infinity };
    /** Whether the wheel zooms without a key: after a click, until the pointer leaves. */
    this.armed = false;
    this.over = false;
    this.listening = new AbortController();
    this.listen();
    this.refresh();
  }

  listen() {
    const { signal } = this.listening;
    /** @type {Record<string, (event: PointerEvent) => void>} */
    const handlers = {
      pointerdown: (event) => this.onDown(event),
      pointermove: (event) => this.onMove(event),
      pointerup: (event) => this.onUp(event),
      pointercancel: (event) => this.onCancel(event),
      pointerleave: (event) => this.onLeave(event),
    };
    for (const [name, handler] of Object.entries(handlers)) {
      this.canvas.addEventListener(name, (event) => {
        if (event instanceof PointerEvent) handler(event);
      }, { signal });
    }
    const active = { signal, passive: false };
    this.canvas.addEventListener("wheel", (event) => this.onWheel(event), active);
    for (const name of /** @type {const} */ (["touchstart", "touchmove"])) {
      this.canvas.addEventListener(name, (event) => {
        // Otherwise two fingers, or one that holds something, would also scroll the page.
        const ours = event.touches.length > 1 || !["none", "press", "rest"].includes(this.action);
        if (ours && event.cancelable) event.preventDefault();
      }, active);
    }
    // In the capture phase: the player's own arrow keys must not act as well.
    this.root.addEventListener("keydown", (event) => this.onKey(event), { signal, capture: true });
  }

  dispose() {
    this.giveUp();
    this.listening.abort();
  }

  /** Shows mode and zoom by the cursor, and leaves to the browser what it may do with a finger. */
  refresh() {
    const { mode, zoomed } = this.host;
    const busy = ["pan", "turn", "drag"].includes(this.action);
    const cursors = { look: "", lasso: "crosshair", edit: "crosshair", turn: "grab" };
    this.canvas.style.touchAction = mode === "look" && !zoomed ? "pan-y" : "none";
    this.canvas.style.cursor = busy ? "grabbing" : cursors[mode];
  }

  /** @param {PointerEvent} event */
  onDown(event) {
    const { pointerId, pointerType, button } = event;
    const { x, y } = pointOn(event);
    if (pointerType === "mouse" && button !== 0) return;
    this.refresh();
    if (this.pointers.size === 0) {
      this.panel = this.host.panelAt(x, y);
      if (this.panel < 0) return;
    }
    this.pointers.set(pointerId, { x, y });
    this.canvas.setPointerCapture(pointerId);
    if (this.pointers.size === 1) {
      this.from = { x, y };
      this.armed = pointerType !== "touch";
      this.action = this.host.grab(this.panel, x, y) ? "drag" : "press";
      if (this.action === "drag") this.refresh();
    } else {
      this.giveUp();
      this.action = this.pointers.size === 2 ? "pinch" : "rest";
    }
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const { pointerId } = event;
    const { x, y } = pointOn(event);
    const before = this.pointers.get(pointerId);
    if (!before) {
      this.pointAt(event);
      return;
    }
    if (this.action === "pinch") {
      this.pinch(pointerId, { x, y });
      return;
    }
    if (this.action === "press") this.begin(event);
    const [dx, dy] = [x - before.x, y - before.y];
    if (this.action === "press") return;
    this.pointers.set(pointerId, { x, y });
    if (this.action === "pan") this.host.pan(this.panel, dx, dy);
    else if (this.action === "turn") this.host.turn(dx, dy);
    else if (this.action === "drag") this.host.drag(this.panel, x, y);
    else if (this.action === "lasso" && extendLasso(this.line, x, y)) {
      this.host.lassoing?.(this.panel, this.line);
    }
  }

  /** Turns a press into what the mode makes of a drag. @param {PointerEvent} event */
  begin(event) {
    const { pointerType } = event;
    const { x, y } = pointOn(event);
    const { host, from } = this;
    const touch = pointerType === "touch";
    if (Math.hypot(x - from.x, y - from.y) < (touch ? FINGER_SLACK : MOUSE_SLACK)) return;
    if (host.mode === "lasso") {
      this.action = "lasso";
      this.line = [[from.x, from.y]];
    } else if (host.mode === "turn") this.action = "turn";
    // A finger on the whole picture scrolls the page.
    else this.action = touch && !host.zoomed ? "rest" : "pan";
    if (this.over) host.leave();
    this.over = false;
    this.refresh();
  }

  /** @param {PointerEvent} event */
  pointAt(event) {
    const { pointerType } = event;
    const { x, y } = pointOn(event);
    if (pointerType === "touch" || this.pointers.size) return;
    const panel = this.host.panelAt(x, y);
    if (panel >= 0) this.host.hover(panel, x, y);
    else if (this.over) this.host.leave();
    this.over = panel >= 0;
  }

  /** @param {number} id @param {Spot} spot */
  pinch(id, spot) {
    const other = [...this.pointers].find(([key]) => key !== id)?.[1];
    const before = this.pointers.get(id);
    if (!other || !before) return;
    const spread = Math.hypot(before.x - other.x, before.y - other.y);
    const factor = Math.hypot(spot.x - other.x, spot.y - other.y) / spread;
    this.pointers.set(id, spot);
    this.host.pan(this.panel, (spot.x - before.x) / 2, (spot.y - before.y) / 2);
    if (!Number.isFinite(factor) || factor <= 0) return;
    this.host.zoomAt(this.panel, (spot.x + other.x) / 2, (spot.y + other.y) / 2, factor);
  }

  /** @param {PointerEvent} event */
  onUp(event) {
    const { pointerId } = event;
    const { x, y } = pointOn(event);
    if (!this.pointers.delete(pointerId)) return;
    const { action, panel, line, host } = this;
    // What remains of two fingers does nothing until it is lifted.
    this.action = this.pointers.size ? "rest" : "none";
    this.line = [];
    if (action === "press") this.tapped(event);
    else if (action === "drag") host.drop(panel, x, y);
    else if (action === "lasso") {
      if (line.length > 2) host.lasso(panel, line);
      else host.lassoing?.(panel, []);
    }
    this.refresh();
  }

  /** @param {PointerEvent} event */
  tapped(event) {
    const { timeStamp } = event;
    const { x, y } = pointOn(event);
    const { lastTap: last } = this;
    const near = Math.hypot(x - last.x, y - last.y) < DOUBLE_REACH;
    // Points may be added in quick succession.
    const twice = this.host.mode !== "edit" && near && timeStamp - last.time < DOUBLE_TIME;
    this.lastTap = { x, y, time: twice ? -Infinity : timeStamp };
    if (twice) this.host.resetView();
    else this.host.tap(this.panel, x, y, event);
  }

  /** @param {PointerEvent} event */
  onCancel({ pointerId }) {
    if (!this.pointers.delete(pointerId)) return;
    this.giveUp();
    this.action = this.pointers.size ? "rest" : "none";
    this.refresh();
  }

  /** Ends what a drag does without its result; what is held stays where it is. */
  giveUp() {
    const { action, panel, host } = this;
    const [last] = this.pointers.values();
    if (action === "drag") host.drop(panel, last?.x ?? this.from.x, last?.y ?? this.from.y);
    if (action === "lasso") host.lassoing?.(panel, []);
    this.line = [];
    this.action = "rest";
  }

  /** @param {PointerEvent} event */
  onLeave({ pointerType }) {
    if (pointerType === "touch") return;
    this.armed = false;
    if (this.over) this.host.leave();
    this.over = false;
  }

  /** @param {WheelEvent} event */
  onWheel(event) {
    const { deltaX, deltaY, deltaMode } = event;
    const { x, y } = pointOn(event);
    const panel = this.host.panelAt(x, y);
    if (panel < 0) return;
    const asked = event.ctrlKey || event.metaKey;
    if (!asked && !this.armed) {
      this.host.wheelLeft?.();
      return;
    }
    event.preventDefault();
    if (!asked && Math.abs(deltaX) > Math.abs(deltaY)) {
      this.host.pan(panel, -deltaX * WHEEL_UNITS[deltaMode], 0);
    } else this.host.zoomAt(panel, x, y, wheelFactor(event));
    this.refresh();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const giveUp = event.key === "Escape" && this.action === "lasso";
    const act = giveUp ? () => this.giveUp() : keyAction(event, this.host, Math.max(this.panel, 0));
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
    this.refresh();
  }
}
