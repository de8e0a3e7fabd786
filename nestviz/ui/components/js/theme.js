// Colours and fonts of the page.

import { contextOf } from "./dom.js";
import { THEMES } from "./palette.js";

/**
 * @typedef {object} Theme
 * @property {boolean} dark
 * @property {string} background
 * @property {string} text
 * @property {string} font
 * @property {string[]} palette One colour per class.
 * @property {string} single Colour of points where there is only one class.
 * @property {[string, string]} scoreRange Colours of the lowest and the highest score.
 * @property {number} fillOpacity Of a set's area.
 */

/** @param {string} color @returns {number} From 0 for black to 1 for white. */
function luminance(color) {
  const probe = contextOf(document.createElement("canvas"), { willReadFrequently: true });
  probe.fillStyle = color;
  probe.fillRect(0, 0, 1, 1);
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

/** @param {Element} element @returns {Theme} */
export function readTheme(element) {
  const style = getComputedStyle(element);
  /** @type {(name: string, fallback: string) => string} */
  const read = (name, fallback) => {
    const value = style.getPropertyValue(name).trim();
    return value && value !== "unset" ? value : fallback;
  };
  const background = read("--st-background-color", THEMES.light.background);
  const dark = luminance(background) < 0.5;
  const colors = THEMES[dark ? "dark" : "light"];
  return {
    background,
    dark,
    text: read("--st-text-color", colors.text),
    font: read("--st-font", "system-ui, sans-serif"),
    palette: colors.classes,
    single: colors.single,
    scoreRange: colors.score_range,
    fillOpacity: colors.fill_opacity,
  };
}

/**
 * Returns a colour of the palette, which repeats after its end; -1 is the colour of text. Things
 * distinguished by colour always differ in shape or label as well.
 * @param {number} index
 * @param {Theme} theme
 * @returns {string}
 */
export function paletteColor(index, theme) {
  return index < 0 ? theme.text : theme.palette[index % theme.palette.length];
}
