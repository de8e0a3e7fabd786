// What the plane and the tree share: a canvas that reacts to the pointer.

/** @import { Component } from "./dom.js" */
import { AtRest } from "./at_rest.js";
import { contextOf, find, listItem } from "./dom.js";
import { showHint } from "./hint.js";
import { markerIcon } from "./markers.js";
import { Mounted } from "./mounted.js";
import { UNPLACED } from "./plot.js";

/** @typedef {{ index: number, x: number, y: number, text: string, height?: number }} Hover */
/** @typedef {{ name: string, alt: string, title: string, height: number }} PictureMessage */

const LEGEND = 9;

/**
 * Returns markers and names, the first few of many.
 * @param {{ name: string, color: string, shape: string }[]} kinds
 * @returns {HTMLLIElement[]}
 */
export function legendItems(kinds) {
  const items = kinds.slice(0, LEGEND)
    .map(({ name, color, shape }) => listItem(markerIcon(shape, color), name));
  if (kinds.length > LEGEND) items.push(listItem(`and ${kinds.length - LEGEND} more`));
  return items;
}

/**
 * @template {PictureMessage} Data
 * @extends {Mounted<Data>}
 */
export class Pointed extends Mounted {
  /** @param {HTMLElement} root @param {Component<Data>} component */
  constructor(root, component) {
    super(root, component);
    this.hint = find(root, ".tooltip", HTMLElement);
    this.context = contextOf(this.canvas);
    this.plot = UNPLACED;
    this.height = 0;
    /** @type {Hover | null} */
    this.hover = null;
    this.rest = new AtRest();
    this.listen();
  }

  listen() {
    /** @type {Record<string, (event: PointerEvent) => void>} */
    const handlers = {
      pointerdown: (event) => this.onDown(event),
      pointermove: (event) => this.onMove(event),
      pointerup: (event) => this.onUp(event),
      pointercancel: () => this.onCancel(),
      pointerleave: () => this.setHover(null),
    };
    for (const [name, handler] of Object.entries(handlers)) {
      this.canvas.addEventListener(name, (event) => {
        if (this.width > 0 && event instanceof PointerEvent) handler(event);
      });
    }
  }

  /** @override @param {Data} data */
  receive(data) {
    this.root.setAttribute("aria-label", data.name);
    this.canvas.setAttribute("aria-label", data.alt);
    this.setHover(null);
    this.describeSoon();
  }

  /** @override */
  stopped() {
    this.rest.stop();
  }

  /** Says what is shown at this level, once it rests. */
  describeSoon() {
    this.rest.then(() => {
      const { alt } = this.data;
      const seen = this.seen();
      this.canvas.setAttribute("aria-label", seen ? `${alt.replace(/\.$/, "")}. ${seen}` : alt);
      this.described(seen);
    });
  }

  /** @returns {string} What is seen at the level shown, beyond the text of the picture. */
  seen() {
    return "";
  }

  /** Called with what is seen, after it changed. @param {string} _seen */
  described(_seen) {}

  /** @param {Hover | null} hover */
  setHover(hover) {
    if (JSON.stringify(hover) === JSON.stringify(this.hover)) return;
    this.hover = hover;
    this.canvas.classList.toggle("pointing", hover !== null);
    this.hint.hidden = hover === null;
    if (hover) showHint(this.hint, hover.text, hover, this);
    this.draw();
  }

  draw() {
    if (this.width > 0) this.paint();
  }

  /** Draws the whole picture. */
  paint() {}

  /** @param {PointerEvent} _event */
  onDown(_event) {}

  /** @param {PointerEvent} _event */
  onMove(_event) {}

  /** @param {PointerEvent} _event */
  onUp(_event) {}

  onCancel() {}
}
