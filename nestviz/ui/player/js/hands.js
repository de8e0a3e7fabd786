// What hands do with the picture of a player: zoom, ask, select, draw points.

/** @import { Mode } from "./gestures.js" */
/** @import { Player } from "./player.js" */
/** @import { EditPoint } from "./history.js" */
/** @import { View } from "../../components/js/plot.js" */
import { find } from "../../components/js/dom.js";
import { EditHistory } from "./history.js";
import { HOVER_REACH, atDivider, panelAt, pointAt } from "./hits.js";
import { lassoed } from "./lasso.js";
import { setPressed } from "./controls.js";
import { drawLasso } from "./overlays.js";
import { isZoomedIn, pannedView, zoomedView } from "./view_moves.js";

const TOUCH_REACH = 18;
const MOST_POINTS = 2000;
const TURN = 0.008;
const STEEPEST = 1.45;
const FLATTEST = 0.25;

export class Hands {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    /** @type {"look" | "lasso" | "edit"} */
    this.chosen = "look";
    this.erasing = false;
    /** Class of new points. */
    this.kind = 0;
    /** @type {EditHistory | null} */
    this.history = null;
    /** What is held: a point, the divider, or nothing. */
    this.held = -1;
    this.dividing = false;
    /** Whether the whole view was asked for last; while points are edited it is that of before. */
    this.whole = true;
    this.bar = find(player.root, ".edit-tools", HTMLElement);
  }

  get picture() {
    return this.player.picture;
  }

  /** @returns {Mode} */
  get mode() {
    return this.picture.views.has("stack") ? "turn" : this.chosen;
  }

  get zoomed() {
    return isZoomedIn(this.picture.view, this.picture.scene.view);
  }

  /** Changes what a drag does. @param {"lasso" | "edit"} mode */
  toggle(mode) {
    this.chosen = this.chosen === mode ? "look" : mode;
    if (this.chosen === "edit") this.beginEdit();
    else if (this.history) this.endEdit();
    this.player.asked.forget();
    this.showTools();
    this.player.gestures.refresh();
  }

  showTools() {
    const { root } = this.player;
    /** @type {(name: string) => HTMLButtonElement} */
    const button = (name) => find(root, `[data-action=${name}]`, HTMLButtonElement);
    setPressed(button("lasso"), this.chosen === "lasso");
    setPressed(button("edit"), this.chosen === "edit");
    button("edit").hidden = !this.player.scene.player.editable;
    button("zoom-reset").disabled = this.player.memory.zoom === null;
    root.dataset.mode = this.mode;
    this.bar.hidden = this.chosen !== "edit";
    setPressed(button("erase"), this.erasing);
    button("undo").disabled = !this.history?.canUndo;
    button("redo").disabled = !this.history?.canRedo;
    this.showKinds();
  }

  showKinds() {
    const names = this.picture.scene.class_names;
    const group = find(this.bar, ".kinds", HTMLElement);
    group.hidden = names.length < 2;
    if (group.childElementCount !== names.length) {
      group.replaceChildren(...names.map((name, kind) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "text toggle";
        button.textContent = name;
        button.addEventListener("click", () => { this.kind = kind; this.showTools(); });
        return button;
      }));
    }
    [...group.children].forEach((button, kind) => setPressed(button, kind === this.kind));
  }

  /** @param {number} x @param {number} y @returns {number} */
  panelAt(x, y) {
    return panelAt(this.picture, x, y);
  }

  /** @param {number} panel @returns {[number, number]} */
  centreOf(panel) {
    const { x, y, w, h } = this.picture.slots[panel].plot;
    return [x + w / 2, y + h / 2];
  }

  /** @param {number} panel @param {number} x @param {number} y @returns {[number, number]} */
  locationOf(panel, x, y) {
    const { plot } = this.picture.slots[panel];
    return [plot.fromX(x), plot.fromY(y)];
  }

  /** @param {number} panel @param {number} x @param {number} y @param {number} factor */
  zoomAt(panel, x, y, factor) {
    const home = this.picture.scene.view;
    const view = zoomedView(this.picture.view, ...this.locationOf(panel, x, y), factor, home);
    this.look(isZoomedIn(view, home) || view[1] - view[0] > home[1] - home[0] ? view : null);
  }

  /** @param {number} panel @param {number} dx @param {number} dy */
  pan(panel, dx, dy) {
    const { plot } = this.picture.slots[panel];
    const [du, dv] = [plot.fromX(dx) - plot.fromX(0), plot.fromY(dy) - plot.fromY(0)];
    if (!this.player.memory.zoom) return;
    this.player.setView(pannedView(this.picture.view, du, dv, this.picture.scene.view));
  }

  resetView() {
    this.look(null);
  }

  /** Shows a part of the plane, or the whole as it is now. @param {View | null} view */
  look(view) {
    this.whole = view === null;
    this.player.setView(view ?? (this.history ? this.picture.scene.view : null));
  }

  /** @param {number} panel @param {number} x @param {number} y */
  hover(panel, x, y) {
    this.player.asked.at(this.mode === "turn" ? -1 : panel, x, y);
  }

  leave() {
    this.player.asked.at(-1, 0, 0);
  }

  /** @param {number} panel @param {number} x @param {number} y @param {PointerEvent} event */
  tap(panel, x, y, { pointerType, altKey }) {
    if (this.mode === "turn") return;
    const hit = pointAt(this.picture, x, y, pointerType === "touch" ? TOUCH_REACH : HOVER_REACH);
    const { history } = this;
    if (history) {
      if (hit && (this.erasing || altKey)) history.remove(hit.index);
      else if (!this.erasing) history.add(...this.locationOf(panel, x, y), this.kind);
      this.edited(true);
    } else if (hit) this.player.select([hit.index]);
    else this.player.asked.pin(this.locationOf(panel, x, y));
  }

  /** @param {number} panel @param {[number, number][]} line */
  lassoing(panel, line) {
    this.player.show();
    drawLasso(this.picture.context, line, this.picture.theme);
  }

  /** @param {number} panel @param {[number, number][]} line */
  lasso(panel, line) {
    this.player.select(lassoed(line, this.picture.positions[panel]));
    this.player.show();
  }

  /** @param {number} panel @param {number} x @param {number} y @returns {boolean} */
  grab(panel, x, y) {
    this.dividing = this.mode !== "turn" && atDivider(this.picture, x, y);
    if (this.dividing) return true;
    if (!this.history || this.erasing) return false;
    this.held = pointAt(this.picture, x, y)?.index ?? -1;
    return this.held >= 0;
  }

  /** @param {number} panel @param {number} x @param {number} y */
  drag(panel, x, y) {
    if (this.dividing) {
      this.moveDivider(x);
    } else if (this.history && this.held >= 0) {
      this.history.move(this.held, ...this.locationOf(panel, x, y));
      this.edited(false);
    }
  }

  /** @param {number} x */
  moveDivider(x) {
    const [{ plot }] = this.picture.slots;
    this.player.memory.divider = Math.min(Math.max((x - plot.x) / plot.w, 0.02), 0.98);
    this.picture.cutAtDivider();
    this.player.show();
  }

  /** @param {number} _panel @param {number} _x @param {number} _y */
  drop(_panel, _x, _y) {
    if (this.dividing) this.dividing = false;
    else if (this.history && this.held >= 0) {
      this.held = -1;
      this.history.settle();
      this.edited(true);
    }
  }

  /** @param {number} dx @param {number} dy */
  turn(dx, dy) {
    const { angle } = this.player.memory;
    angle.turn += TURN * dx;
    angle.tilt = Math.min(Math.max(angle.tilt + TURN * dy, FLATTEST), STEEPEST);
    this.player.show();
  }

  beginEdit() {
    const { points, classes } = this.picture.scene.panels[0];
    /** @type {EditPoint[]} */
    const list = Array.from(classes, (kind, k) => [points[2 * k], points[2 * k + 1], kind]);
    this.history = new EditHistory(list, MOST_POINTS);
    this.erasing = false;
    // The points decide what the whole view is; it must not move below the hand that moves them.
    const { memory } = this.player;
    memory.held = true;
    this.whole = memory.zoom === null;
    memory.zoom = this.picture.view;
  }

  endEdit() {
    this.history = null;
    this.player.memory.held = false;
    if (this.whole) this.player.setView(null);
  }

  /** @param {"undo" | "redo"} step */
  step(step) {
    if (this.history?.[step]()) this.edited(true);
  }

  /** Shows the edited points at once, and asks for their sets. @param {boolean} done */
  edited(done) {
    if (!this.history) return;
    const { points } = this.history;
    this.showTools();
    this.player.showEdited(
      { points: points.map(([u, v]) => [u, v]), classes: points.map(([, , kind]) => kind) }, done,
    );
  }
}
