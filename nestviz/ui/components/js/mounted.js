// What all components with a canvas share: one object per root element, fitted to its width.

/** @import { Component } from "./dom.js" */
import { find } from "./dom.js";
import { readTheme } from "./theme.js";

/**
 * A component is called again for new data or another theme, without a clean-up of the call
 * before; a late clean-up of an earlier call must not stop what a later call has started.
 * @template Data
 */
export class Mounted {
  /** @param {HTMLElement} root @param {Component<Data>} component */
  constructor(root, component) {
    this.root = root;
    this.component = component;
    this.data = component.data;
    this.theme = readTheme(root);
    this.canvas = find(root, "canvas", HTMLCanvasElement);
    this.generation = 0;
    /** In CSS pixels; 0 until the canvas has been given a size, such as inside a closed tab. */
    this.width = 0;
    this.observer = new ResizeObserver(() => this.fit());
  }

  /** @param {Component<Data>} component @returns {number} The generation to dispose of. */
  update(component) {
    this.generation += 1;
    this.component = component;
    this.theme = readTheme(this.root);
    this.root.dataset.theme = this.theme.dark ? "dark" : "light";
    this.width = 0;
    this.receive(component.data);
    this.data = component.data;
    this.fit();
    this.observer.observe(this.root);
    // The first picture may come before the page's font has been loaded.
    if (document.fonts.status !== "loaded") document.fonts.ready.then(() => this.refit());
    return this.generation;
  }

  /** @param {number} generation */
  dispose(generation) {
    if (generation !== this.generation) return;
    this.observer.disconnect();
    mounted.delete(this.root);
    this.stopped();
  }

  fit() {
    const width = Math.floor(this.canvas.parentElement?.clientWidth ?? 0);
    if (width <= 0 || width === this.width) return;
    this.width = width;
    this.layout();
  }

  /** Draws everything anew, cached layers as well. */
  refit() {
    if (this.width > 0) this.layout();
  }

  /** Takes over new data; `this.data` is still the old. @param {Data} _data */
  receive(_data) {}

  /** Draws for another width. */
  layout() {}

  /** Ends what runs by itself. */
  stopped() {}
}

/** @type {WeakMap<Element, Mounted<any>>} */
const mounted = new WeakMap();

/**
 * Returns the function that Streamlit calls to mount a component.
 * @template Data
 * @param {new (root: HTMLElement, component: Component<Data>) => Mounted<Data>} Kind
 * @param {string} selector Of the component's root element.
 * @returns {(component: Component<Data>) => () => void}
 */
export function mounting(Kind, selector) {
  return (component) => {
    const root = find(component.parentElement, selector, HTMLElement);
    const known = mounted.get(root) ?? new Kind(root, component);
    mounted.set(root, known);
    const generation = known.update(component);
    return () => known.dispose(generation);
  };
}
