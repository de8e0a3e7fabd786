// The player: a picture, its controls, and a memory that outlives both.

/** @import { Component } from "../../components/js/dom.js" */
/** @import { Sweep, ViewName } from "./decode.js" */
/** @import { PointHit } from "./picture.js" */
import { find } from "../../components/js/dom.js";
import { showHint } from "../../components/js/hint.js";
import { Mounted, mounting } from "../../components/js/mounted.js";
import { Controls } from "./controls.js";
import { decodeSweep } from "./decode.js";
import { legendEntries, pointText } from "./hints.js";
import { marksOf, setMarks, watchMarks } from "./marks.js";
import { advance, nearestFrame, recall } from "./memory.js";
import { HOVER_REACH, SweepPicture } from "./picture.js";

const TOUCH_REACH = 18;
const REPORT_DELAY = 250;
const ANNOUNCE_EVERY = 4000;

/** @returns {boolean} Whether the reader's system asks for less motion. */
function stillWanted() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @extends {Mounted<Uint8Array>} */
class Player extends Mounted {
  /** @param {HTMLElement} root @param {Component<Uint8Array>} component */
  constructor(root, component) {
    super(root, component);
    this.tooltip = find(root, ".tooltip", HTMLElement);
    this.controls = new Controls(root);
    this.sweep = decodeSweep(component.data);
    this.memory = recall(this.sweep, stillWanted());
    this.picture = new SweepPicture(this.canvas, this.sweep, this.theme);
    /** What the controls show; they change less often than the picture. */
    this.shown = "";
    /** @type {Sweep | null} */
    this.shownSweep = null;
    this.token = 0;
    this.announced = 0;
    this.reportTimer = 0;
    this.announceTimer = 0;
    /** @type {PointHit | null} */
    this.hover = null;
    this.unwatch = watchMarks((id) => { if (id === this.sweep.player.id) this.showMarks(); });
    this.listen();
  }

  listen() {
    const { play, back, forward, bounce, views, scrubber, speed } = this.controls;
    play.addEventListener("click", () => this.togglePlay());
    back.addEventListener("click", () => this.goTo(this.frame - 1));
    forward.addEventListener("click", () => this.goTo(this.frame + 1));
    bounce.addEventListener("click", () => {
      this.memory.bounce = !this.memory.bounce;
      this.showSettings();
    });
    for (const { element, name } of views) {
      element.addEventListener("click", () => this.toggleView(name));
    }
    scrubber.addEventListener("input", () => this.goTo(Number(scrubber.value)));
    speed.addEventListener("change", () => { this.memory.speed = Number(speed.value); });
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    this.canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
      if (this.width > 0) this.setHover(this.picture.pointAt(offsetX, offsetY));
    });
    this.canvas.addEventListener("pointerleave", () => this.setHover(null));
    this.canvas.addEventListener("click", (event) => this.onClick(event));
  }

  /** @override @param {Component<Uint8Array>} component */
  update(component) {
    const generation = super.update(component);
    if (this.memory.playing) this.run();
    else this.report();
    return generation;
  }

  /** @override @param {Uint8Array} data */
  receive(data) {
    if (data !== this.data) {
      this.sweep = decodeSweep(data);
      this.memory = recall(this.sweep, stillWanted());
      this.picture.sweep = this.sweep;
      this.setHover(null);
    }
    this.picture.theme = this.theme;
    this.picture.views = this.memory.views;
    this.picture.marked = marksOf(this.sweep.player.id) ?? [];
    this.canvas.setAttribute("aria-label", this.sweep.alt);
    this.showSettings();
  }

  /** @override */
  layout() {
    this.picture.layout(this.width);
    this.root.dataset.plots = JSON.stringify(
      this.picture.plots.map(({ x, y, w, h }) => [x, y, w, h]),
    );
    this.show();
  }

  /** @override */
  stopped() {
    this.token += 1;
    this.unwatch();
    clearTimeout(this.reportTimer);
    clearTimeout(this.announceTimer);
  }

  get frame() {
    return nearestFrame(this.memory);
  }

  showSettings() {
    this.controls.showSettings(this.sweep, this.memory);
    this.root.dataset.marked = this.picture.marked.join(" ");
    const wanted = this.sweep.player.show.includes("legend");
    this.controls.showLegend(legendEntries(this.picture), wanted);
  }

  show() {
    const { memory, sweep, frame } = this;
    const smooth = memory.playing && !stillWanted();
    if (this.width > 0) this.picture.draw(smooth ? memory.position : frame, this.hover);
    const shown = `${frame} ${memory.playing}`;
    if (this.shownSweep === sweep && this.shown === shown) return;
    [this.shownSweep, this.shown] = [sweep, shown];
    this.controls.showFrame(sweep, memory, frame);
    this.announce();
  }

  /** Says the level aloud: soon after it came to rest, now and then while playing. */
  announce() {
    const say = () => {
      this.controls.say(this.sweep, this.frame);
      this.announced = performance.now();
    };
    clearTimeout(this.announceTimer);
    if (!this.memory.playing) this.announceTimer = window.setTimeout(say, REPORT_DELAY);
    else if (performance.now() - this.announced > ANNOUNCE_EVERY) say();
  }

  /** Reports the frame to Python once the picture has come to rest. */
  report() {
    clearTimeout(this.reportTimer);
    if (!this.sweep.player.report) return;
    this.reportTimer = window.setTimeout(() => {
      if (this.memory.playing || this.frame === this.memory.reported) return;
      this.memory.reported = this.frame;
      this.component.setStateValue("frame", this.frame);
    }, REPORT_DELAY);
  }

  togglePlay() {
    const { memory } = this;
    if (memory.playing) {
      this.goTo(this.frame);
      return;
    }
    if (memory.last === 0) return;
    if (!memory.bounce && memory.position >= memory.last) memory.position = 0;
    memory.playing = true;
    this.run();
    this.show();
  }

  /** Stops at a frame. @param {number} frame */
  goTo(frame) {
    this.memory.playing = false;
    this.token += 1;
    this.memory.position = Math.min(Math.max(frame, 0), this.memory.last);
    this.show();
    this.report();
  }

  /** One animation loop at a time: a loop ends as soon as its token is no longer the newest. */
  run() {
    const token = (this.token += 1);
    let before = performance.now();
    /** @param {number} now */
    const step = (now) => {
      if (token !== this.token) return;
      // After a hidden tab or a long task the sweep goes on where it was, without a jump.
      const seconds = Math.min(Math.max(now - before, 0), 100) / 1000;
      advance(this.memory, seconds * this.memory.speed * this.sweep.frames_per_second);
      before = now;
      this.show();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /** @param {ViewName} name */
  toggleView(name) {
    const { views } = this.memory;
    if (!views.delete(name)) views.add(name);
    this.showSettings();
    this.refit();
    if (this.sweep.player.report) this.component.setStateValue("view", [...views].sort());
  }

  showMarks() {
    this.picture.marked = marksOf(this.sweep.player.id) ?? [];
    this.showSettings();
    if (!this.memory.playing) this.show();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [focus] = event.composedPath();
    // A select needs these keys itself, and a button the space bar.
    if (focus instanceof HTMLSelectElement) return;
    if (focus instanceof HTMLButtonElement && event.key === " ") return;
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.togglePlay(),
      ArrowLeft: () => this.goTo(this.frame - 1),
      ArrowRight: () => this.goTo(this.frame + 1),
      Home: () => this.goTo(0),
      End: () => this.goTo(this.memory.last),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }

  /** @param {PointHit | null} hover */
  setHover(hover) {
    if (hover?.panel === this.hover?.panel && hover?.index === this.hover?.index) return;
    this.hover = hover;
    this.canvas.classList.toggle("pointing", hover !== null);
    this.tooltip.hidden = hover === null;
    if (hover) showHint(this.tooltip, pointText(this.sweep, hover), hover, this.picture);
    if (!this.memory.playing) this.show();
  }

  /** @param {PointerEvent} event */
  onClick({ offsetX, offsetY, pointerType }) {
    if (this.width === 0) return;
    const { id } = this.sweep.player;
    const reach = pointerType === "touch" ? TOUCH_REACH : HOVER_REACH;
    const hit = this.picture.pointAt(offsetX, offsetY, reach);
    if (!hit) return;
    // Marked at once; Python's own mark follows when its run has ended.
    if (marksOf(id)) setMarks(id, [hit.index]);
    this.component.setTriggerValue("point", hit.index);
  }
}

export const mountPlayer = mounting(Player, ".player");

export default mountPlayer;
