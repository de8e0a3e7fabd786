// What a scene says at a level. Needs no DOM.

/** @import { Panel, Scene, ViewName } from "./decode.js" */
import { bandAt } from "./band.js";
import { countInside } from "./decode.js";
import { formatNumber } from "../../components/js/plot.js";
import { writeNumber } from "./knob_values.js";

/** @param {number} share @param {number} digits @returns {string} */
const percent = (share, digits) => `${(100 * share).toFixed(digits)}%`;

/**
 * @param {Scene} scene
 * @param {Panel} panel
 * @param {number} level
 * @param {number} stop
 * @param {number} broken Share of the picture.
 * @param {boolean} banded Whether the band of resamples is shown.
 * @returns {string}
 */
function panelCaption(scene, panel, level, stop, broken, banded) {
  const counts = countInside(panel, level, stop, scene.class_names.length);
  const parts = [];
  if (counts && scene.by_class) {
    counts.forEach(({ inside, all }, k) => {
      if (all) parts.push(`${percent(inside / all, 0)} of ${scene.class_names[k]} points inside`);
    });
  } else if (counts) {
    const [inside, all] = counts.reduce(([a, b], one) => [a + one.inside, b + one.all], [0, 0]);
    parts.push(`${percent(all ? inside / all : 0, 0)} of the points inside`);
  }
  if (broken > 0) parts.push(`${percent(broken, 1)} of the picture violated`);
  if (banded && panel.band) {
    parts.push(`${panel.band.name}: the shaded ${percent(bandAt(panel.band, level).share, 1)} of the picture`);
  }
  const title = panel.title ? `${panel.title}: ` : "";
  return parts.length ? title + parts.join(", ") : "";
}

/**
 * Returns whether violations are spoken of: before a story comes to them, they are not.
 * @param {Scene} scene
 * @param {Set<ViewName>} views
 * @returns {boolean}
 */
export function speaksOfViolations({ player }, views) {
  return !player.story || views.has("overlay");
}

/**
 * Returns the violated shares to speak of.
 * @param {Scene} scene
 * @param {Set<ViewName>} views
 * @param {number[]} broken
 * @returns {number[]}
 */
export function spokenShares(scene, views, broken) {
  return speaksOfViolations(scene, views) ? broken : broken.map(() => 0);
}

/**
 * Returns the sentence for a position.
 * @param {Scene} scene
 * @param {number} level
 * @param {number} position
 * @param {number[]} broken Share of the picture that is violated, for each panel.
 * @param {boolean} [banded] Whether the band of resamples is shown.
 * @returns {string}
 */
export function captionAt(scene, level, position, broken, banded = false) {
  const stop = Math.round(position);
  if (scene.captions.length) return scene.captions[stop];
  const parts = scene.panels.map((panel, k) => panelCaption(scene, panel, level, stop, broken[k], banded));
  return (scene.notes[stop] ?? "") + parts.filter(Boolean).join("; ");
}

/**
 * Describes the levels at which a point is inside.
 * @param {Panel} panel
 * @param {number} point
 * @returns {string}
 */
function entryWords({ intervals, family }, point) {
  if (!intervals) return "";
  const [first, end] = [intervals.starts[point], intervals.starts[point + 1]];
  if (first === end) return "on the boundary, or outside, at every level";
  const grows = family.orientation === 1;
  const entry = grows ? intervals.lower[first] : intervals.upper[end - 1];
  // The axis may show the level in another unit: the number is the family's own.
  const letter = family.levelName.split(" ").at(-1);
  const at = `from ${letter} = ${writeNumber(entry, "3g")} ${grows ? "up" : "down"}`;
  const count = end - first;
  if (count > 1) return `inside ${at}, in ${count} separate intervals`;
  return `inside ${at}`;
}

/**
 * @param {Scene} scene
 * @param {{ panel: number, index: number }} point
 * @returns {string}
 */
export function pointText(scene, { panel: k, index }) {
  const panel = scene.panels[k];
  const [xmin, xmax, ymin, ymax] = scene.view;
  const location = [[panel.points[2 * index], xmax - xmin], [panel.points[2 * index + 1], ymax - ymin]]
    .map(([value, span]) => formatNumber(value, 10 ** Math.floor(Math.log10(span / 500))))
    .join(", ");
  const lines = [`${scene.point_names?.[index] ?? `point ${index}`} at (${location})`];
  if (scene.class_names.length > 1) lines.push(scene.class_names[panel.classes[index]]);
  const words = entryWords(panel, index);
  if (words) lines.push(words);
  return lines.join("\n");
}
