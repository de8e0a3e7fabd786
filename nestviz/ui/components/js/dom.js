// Typed access to the elements of a component.

import { LARGEST_ZOOM, isPagePresented } from "./presented.js";

/**
 * What Streamlit passes to a component when it is mounted, and again for new data or another theme.
 * @template Data
 * @typedef {object} Component
 * @property {Data} data
 * @property {HTMLElement | ShadowRoot} parentElement
 * @property {(name: string, value: unknown) => void} setStateValue
 * @property {(name: string, value: unknown) => void} setTriggerValue
 */

/**
 * Returns the element that a selector names; the HTML of a component must contain it.
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T}
 */
export function find(root, selector, kind) {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The component has no ${kind.name} "${selector}".`);
  return found;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 * @returns {CanvasRenderingContext2D}
 */
export function contextOf(canvas, settings) {
  const context = canvas.getContext("2d", settings);
  if (!context) throw new Error("This browser cannot draw on a canvas.");
  return context;
}

/** @returns {number} Pixels of a canvas for each of CSS, which are larger on a presented page. */
export function pixelRatio() {
  return (window.devicePixelRatio || 1) * (isPagePresented() ? LARGEST_ZOOM : 1);
}

/**
 * Sets the size in CSS pixels and returns a context whose unit is one CSS pixel.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @returns {CanvasRenderingContext2D}
 */
export function fitCanvas(canvas, width, height) {
  const ratio = pixelRatio();
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = contextOf(canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/**
 * Returns where an event is on its canvas, in the pixels that are drawn in: a presented page zooms.
 * @param {MouseEvent} event
 * @returns {{ x: number, y: number }}
 */
export function pointOn(event) {
  const canvas = /** @type {Element | null} */ (event.target);
  const zoom = canvas?.currentCSSZoom ?? 1;
  if (!canvas || zoom === 1) return { x: event.offsetX, y: event.offsetY };
  const { left, top } = canvas.getBoundingClientRect();
  return { x: (event.clientX - left) / zoom, y: (event.clientY - top) / zoom };
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {SVGElement[]} children
 * @returns {SVGElement}
 */
export function svgElement(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * Returns an entry of a legend. Names come from the user's data: text, never markup.
 * @param {(Node | string)[]} content
 * @returns {HTMLLIElement}
 */
export function listItem(...content) {
  const item = document.createElement("li");
  item.append(...content);
  return item;
}
