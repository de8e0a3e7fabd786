// The player: a picture, its controls, and a memory that outlives both.

/** @import { Component } from "../../components/js/dom.js" */
/** @import { View } from "../../components/js/plot.js" */
/** @import { Scene, ViewName } from "./decode.js" */
/** @import { Edited } from "./live_scene.js" */
import { find } from "../../components/js/dom.js";
import { Mounted, mounting } from "../../components/js/mounted.js";
import { readTheme } from "../../components/js/theme.js";
import { playerActions } from "./actions.js";
import { Asked } from "./asked.js";
import { captionAt, speaksOfViolations, spokenShares } from "./captions.js";
import { Controls } from "./controls.js";
import { decodeScene } from "./decode.js";
import { Gestures } from "./gestures.js";
import { Hands } from "./hands.js";
import { legendEntries } from "./hints.js";
import { playerKeys } from "./keys.js";
import { Knobs } from "./knobs.js";
import { LiveScene } from "./live_scene.js";
import { marksOf, setMarks, watchMarks } from "./marks.js";
import { recall, shownPosition } from "./memory.js";
import { ScenePicture } from "./picture.js";
import { partsInWords } from "./parts.js";
import { PathsChart } from "./paths_chart.js";
import { Playback, stillWanted } from "./playback.js";
import { PRESENTED_TYPE, isPresenting, offerPresentation } from "./presentation.js";
import { levelAt } from "./scale.js";
import { SideChart } from "./side_chart.js";
import { Story } from "./story.js";
import { Turning } from "./turning.js";

const NEWS_EVERY = 180;

/** @extends {Mounted<Uint8Array>} */
export class Player extends Mounted {
  /** @param {HTMLElement} root @param {Component<Uint8Array>} component */
  constructor(root, component) {
    super(root, component);
    this.controls = new Controls(root);
    this.scene = decodeScene(component.data);
    this.memory = recall(this.scene, stillWanted());
    this.picture = new ScenePicture(
      this.canvas, this.scene, this.theme, this.memory, () => this.showSoon(),
    );
    this.turning = new Turning(this);
    this.knobs = new Knobs(find(root, ".knobs", HTMLElement), this.turning, find(root, ".curve", HTMLElement));
    this.live = new LiveScene((scene, panels) => this.answered(scene, panels), (why) => this.controls.complain(why));
    this.playback = new Playback(this);
    this.asked = new Asked(this);
    this.paths = new PathsChart(find(root, ".paths canvas", HTMLCanvasElement), (row) => this.select([row]));
    this.side = new SideChart(find(root, ".side", HTMLElement));
    this.story = new Story(this);
    this.hands = new Hands(this);
    this.gestures = new Gestures(this.canvas, this.hands, root);
    this.presented = { onChange: () => this.onPresented() };
    this.endPresentation = offerPresentation(root, this.presented);
    this.shown = "";
    this.pending = 0;
    this.unwatch = watchMarks((id) => { if (id === this.scene.player.id) this.showMarks(); });
    this.listen();
  }

  listen() {
    const { controls, root } = this;
    const actions = playerActions(this);
    for (const [name, act] of Object.entries(actions)) {
      find(root, `[data-action=${name}]`, HTMLButtonElement).addEventListener("click", act);
    }
    for (const { element, name } of controls.views) {
      element.addEventListener("click", () => this.toggleView(name));
    }
    controls.scrubber.addEventListener("input", () => this.playback.goTo(Number(controls.scrubber.value)));
    controls.speed.addEventListener("change", () => { this.memory.speed = Number(controls.speed.value); });
    root.addEventListener("keydown", playerKeys(this, actions));
  }

  /** @override @param {Component<Uint8Array>} component */
  update(component) {
    const generation = super.update(component);
    if (this.memory.playing) this.playback.run();
    else this.playback.report();
    return generation;
  }

  /** @override @param {Uint8Array} data */
  receive(data) {
    this.picture.theme = this.theme;
    if (data !== this.data) {
      this.receiveScene(decodeScene(data));
    } else {
      this.live.connect(this.scene);
      this.knobs.show(this.scene.knobs);
    }
    this.picture.marked = marksOf(this.scene.player.id) ?? [];
    this.canvas.setAttribute("aria-label", this.scene.alt);
    this.story.show(this.scene.player.story ?? null);
    this.side.announce(this.scene);
    this.showSettings();
    this.live.lookAhead(this.scene);
  }

  /** @param {Scene} scene */
  receiveScene(scene) {
    const { live, turning } = this;
    const moved = live.connect(scene);
    const held = live.moving;
    if (!live.outdated(scene)) this.take(scene);
    else if (held) turning.rest = scene;
    this.knobs.show(scene.knobs);
    // The hand may rest: without another question its sets would never come.
    if (moved && held) turning.turned();
  }

  /** Shows another scene at the same level. @param {Scene} scene */
  take(scene) {
    const { cue } = this.memory;
    this.scene = scene;
    this.memory = recall(scene, stillWanted());
    this.picture.take(scene, this.memory);
    this.asked.hover = null;
    this.shown = "";
    if (cue !== this.memory.cue) this.story.begun();
  }

  /** An answer to a knob or a point that moves. @param {Scene} scene @param {number[] | null} panels */
  answered(scene, panels) {
    // Python did not ask for this position, and the page's own settings stay.
    const { player, start, live, knobs, point_names: names } = this.scene;
    const all = panels
      ? this.scene.panels.map((old, k) => (panels.includes(k) ? scene.panels[panels.indexOf(k)] : old))
      : scene.panels;
    // Points that were added or removed have no names until Python shows them.
    const named = names?.length === all[0].classes.length ? { point_names: names } : {};
    this.take({ ...scene, ...named, panels: all, player, start, live, knobs });
    this.root.dataset.answers = String(this.live.answers);
    this.playback.keepMoving();
    this.refit();
  }

  /** @override */
  layout() {
    this.picture.layout(this.width);
    this.side.layout(this.picture);
    find(this.root, ".paths", HTMLElement).hidden = !this.charting;
    if (this.charting) this.paths.layout(this.scene, this.width, this.theme);
    this.root.dataset.plots = JSON.stringify(this.picture.slots.map(({ plot: { x, y, w, h } }) => [x, y, w, h]));
    this.root.dataset.view = JSON.stringify(this.picture.view);
    this.shown = "";
    this.show();
  }

  /** @override */
  stopped() {
    this.playback.stop();
    this.unwatch();
    this.live.close();
    this.gestures.dispose();
    this.endPresentation();
    this.story.dispose();
    this.picture.dispose();
    clearTimeout(this.pending);
  }

  get position() {
    return shownPosition(this.memory, this.scene.stepwise);
  }

  get charting() {
    return this.scene.player.show.includes("paths") && !isPresenting(this.root);
  }

  get level() {
    return levelAt(this.scene.scale, this.position);
  }

  showSettings() {
    this.controls.showSettings(this.scene, this.memory);
    this.root.dataset.marked = this.picture.marked.join(" ");
    this.root.dataset.probe = this.memory.probe?.join(" ") ?? "";
    const wanted = this.scene.player.show.includes("legend");
    this.controls.showLegend(legendEntries(this.picture), wanted);
    this.hands.showTools();
  }

  show() {
    const { memory, scene, position, level } = this;
    const { moving } = this.playback;
    if (this.width > 0) this.side.show(this.picture, position);
    if (this.width > 0) this.picture.draw(position, moving, this.asked.hover);
    // "complete" is the last picture that follows from what is set.
    const complete = this.picture.sets.every(({ store }) => store?.complete);
    this.root.dataset.drawn = moving ? "quick" : complete ? "complete" : "fine";
    if (this.width > 0 && this.charting) this.paths.show(scene, position, this.picture.marked, this.theme);
    const broken = this.picture.sets.map((sets) => sets.brokenShare(level));
    const known = memory.playing ? "" : this.picture.sets.map(({ version }) => version); // for the strip
    const shown = `${position} ${memory.playing} ${broken} ${known} ${memory.views.has("band")}`;
    if (this.shown === shown) return;
    this.shown = shown;
    const [spoken, banded] = [spokenShares(scene, memory.views, broken), memory.views.has("band")];
    const caption = captionAt(scene, level, position, spoken, banded);
    this.controls.showPosition(scene, memory, position, caption);
    this.controls.showStrip(scene, this.picture.shares(), this.theme, memory.views.has("overlay"));
    if (memory.probe && !memory.playing) this.asked.showPin();
    this.playback.announce(caption);
  }

  /** @returns {string} What is seen at this level, in sentences for those who do not see it. */
  seen() {
    const { level, picture: { sets, scene: { panels } }, memory: { views } } = this;
    const named = speaksOfViolations(this.scene, views);
    return partsInWords(panels.map(({ title }, k) => {
      const { set, broken } = sets[k].parts(level);
      return { title, set, broken: named ? broken : null };
    }));
  }

  /** Shows what has become known, once for all of it. */
  showSoon() {
    // Drawing every one of sixty fields as it comes would take longer than computing them.
    this.pending ||= window.setTimeout(() => {
      this.pending = 0;
      if (!this.memory.playing) this.show();
    }, NEWS_EVERY);
  }

  /** @param {ViewName} name */
  toggleView(name) {
    const { views } = this.memory;
    if (!views.delete(name)) views.add(name);
    this.asked.forget();
    this.showSettings();
    this.gestures.refresh();
    this.refit();
    this.tell("view", [...views].sort());
  }

  /** Reports what the reader has set. @param {"frame" | "view" | "probe"} name @param {unknown} value */
  tell(name, value) {
    if (!this.scene.player.report) return;
    this.memory.sent.add(name);
    this.component.setStateValue(name, value);
  }

  /** Shows another part of the plane; null is the whole. @param {View | null} view */
  setView(view) {
    this.memory.zoom = view;
    this.hands.showTools();
    this.gestures.refresh();
    this.playback.keepMoving();
    this.refit();
  }

  showMarks() {
    this.picture.marked = marksOf(this.scene.player.id) ?? [];
    this.showSettings();
    if (!this.memory.playing) this.show();
  }

  /** @param {number[]} rows */
  select(rows) {
    const { id } = this.scene.player;
    // Marked at once; Python's own mark follows when its run has ended.
    if (marksOf(id)) setMarks(id, rows);
    if (rows.length === 1) this.component.setTriggerValue("point", rows[0]);
    else this.component.setTriggerValue("points", rows);
  }

  /** Fills the screen, or returns to the page; also for another theme. */
  onPresented() {
    this.asked.forget();
    const presenting = isPresenting(this.root);
    this.theme = this.picture.theme = readTheme(this.root);
    this.picture.grown = presenting ? PRESENTED_TYPE : 1;
    this.picture.room = presenting ? this.canvas.parentElement?.clientHeight ?? null : null;
    this.width = 0;
    this.fit();
    this.showSettings();
  }

  /** Shows edited points at once; their sets follow, and the page at the end. @param {Edited} edited @param {boolean} done */
  showEdited(edited, done) {
    const points = Float64Array.from(edited.points.flat());
    const classes = Uint8Array.from(edited.classes);
    const panels = this.scene.panels.map((panel) => (
      { ...panel, points, classes, intervals: null, inside: null, hollow: null, weights: null, sizeScale: null }
    ));
    this.scene = { ...this.scene, panels };
    this.picture.showPoints(this.scene);
    this.live.moving = !done;
    this.playback.keepMoving();
    this.show();
    this.live.ask(this.knobs.values, this.scene, edited);
    if (done) this.component.setTriggerValue("edited", edited);
  }
}

export const mountPlayer = mounting(Player, ".player");

export default mountPlayer;
