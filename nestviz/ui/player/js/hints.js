// Texts beside the picture: the legend, and what is known about the point at hand.

/** @import { SweepPicture } from "./picture.js" */
/** @import { Sweep, ViewName } from "./decode.js" */
import { listItem, svgElement } from "../../components/js/dom.js";
import { icon, markerIcon } from "../../components/js/markers.js";
import { SHAPES } from "../../components/js/palette.js";
import { formatNumber } from "../../components/js/plot.js";
import { acrossOf, downOf } from "./decode.js";

/** @param {string} color @param {boolean} hatched @returns {SVGElement} */
function areaIcon(color, hatched) {
  const area = svgElement("rect", {
    x: 1, y: 1, width: 16, height: 12, rx: 3, stroke: color, "stroke-width": 1.5,
    fill: color, "fill-opacity": hatched ? 0 : 0.22,
  });
  const lines = svgElement("path", {
    d: "M3 11 9 3M7 12 14 3M12 12 16 6.5", stroke: color, "stroke-width": 1.4, fill: "none",
  });
  return icon(18, area, ...(hatched ? [lines] : []));
}

/** @param {string} color @param {number} r @returns {SVGElement} */
function ringIcon(color, r) {
  const attributes = { cx: 7, cy: 7, r, stroke: color, "stroke-width": 2, fill: "none" };
  return icon(14, svgElement("circle", attributes));
}

/**
 * Returns whether a switch of the view has anything to switch.
 * @param {Sweep} sweep
 * @param {ViewName} name
 * @returns {boolean}
 */
export function viewOffered(sweep, name) {
  if (name === "levels") return sweep.ghost_every > 0;
  if (name === "overlay") return sweep.panels.some((panel) => panel.overlay);
  return name !== "sizes" || sweep.panels.some((panel) => panel.markerSizes);
}

/**
 * Returns the items of the legend; none where there is nothing to distinguish.
 * @param {SweepPicture} picture
 * @returns {HTMLLIElement[]}
 */
export function legendEntries(picture) {
  const { sweep, theme } = picture;
  const names = sweep.class_names;
  const flagged = sweep.panels.some((panel) => panel.flags?.some(Boolean));
  const offered = viewOffered(sweep, "overlay");
  if (names.length === 1 && !offered && !flagged) return [];
  const items = [listItem(areaIcon(picture.accent, false), sweep.set_name)];
  if (offered && picture.views.has("overlay")) {
    items.push(listItem(areaIcon(picture.alarm, true), sweep.overlay_name));
  }
  names.forEach((name, k) => {
    items.push(listItem(markerIcon(SHAPES[k], picture.classColor(k)), name));
  });
  if (flagged) items.push(listItem(ringIcon(picture.classColor(0), 3.4), sweep.flag_name));
  if (picture.marked.length) items.push(listItem(ringIcon(theme.text, 5.5), "selected"));
  return items;
}

/**
 * @param {Pick<Sweep, "panels" | "view" | "class_names">} sweep
 * @param {{ panel: number, index: number }} point
 * @returns {string}
 */
export function pointText(sweep, { panel: k, index }) {
  const panel = sweep.panels[k];
  const [xmin, xmax, ymin, ymax] = sweep.view;
  const x = xmin + acrossOf(panel.points[2 * index]) * (xmax - xmin);
  const y = ymax - downOf(panel.points[2 * index + 1]) * (ymax - ymin);
  const location = [[x, xmax - xmin], [y, ymax - ymin]]
    .map(([value, span]) => formatNumber(value, 10 ** Math.floor(Math.log10(span / 500))))
    .join(", ");
  const lines = [`point ${index} at (${location})`];
  if (sweep.class_names.length > 1) lines.push(sweep.class_names[panel.classes[index]]);
  if (panel.texts) lines.push(panel.texts[index]);
  return lines.join("\n");
}
