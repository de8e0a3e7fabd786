// The legend of the picture, and which layers it offers.

/** @import { ScenePicture } from "./picture.js" */
/** @import { Scene, ViewName } from "./decode.js" */
import { listItem, svgElement } from "../../components/js/dom.js";
import { icon, markerIcon } from "../../components/js/markers.js";
import { SHAPES } from "../../components/js/palette.js";
import { bandLegend } from "./band.js";
import { hillLegend, overhangLegend } from "./hill.js";
import { ROLES, classColor, drawnKinds } from "./points.js";
import { truthLegend } from "./truth.js";

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
 * @param {Scene} scene
 * @param {ViewName} name
 * @returns {boolean}
 */
export function viewOffered(scene, name) {
  if (name === "levels") return scene.ghosts > 0;
  if (name === "overlay") return scene.panels.some(({ family }) => !family.isNested);
  if (name === "swipe") return scene.panels.length === 2;
  if (name === "truth") return scene.truth !== null;
  // Python computes the bands once they are asked for; without it, those there are can be seen.
  if (name === "band") return scene.player.report || scene.panels.some(({ band }) => band);
  return (name !== "sizes" && name !== "roles") || scene.panels.some(({ sizeScale }) => sizeScale !== null);
}

/**
 * Returns the items of the legend; none where there is nothing to distinguish.
 * @param {ScenePicture} picture
 * @returns {HTMLElement[]}
 */
export function legendEntries(picture) {
  const { scene, theme, views } = picture;
  const names = drawnKinds(scene);
  const flagged = scene.panels.some((panel) => panel.hollow?.some(Boolean));
  const offered = viewOffered(scene, "overlay");
  const truth = scene.truth && views.has("truth");
  const hill = views.has("hill");
  const weighted = scene.panels.some(({ weights }) => weights) && !views.has("sizes");
  const band = views.has("band") ? scene.panels.find((panel) => panel.band)?.band : null;
  const plain = !views.has("roles") && !offered && !flagged && !truth && !hill && !weighted && !band;
  if (names.length === 1 && plain) return [];
  const items = [listItem(areaIcon(picture.accent, false), scene.set_name)];
  if (offered && views.has("overlay")) {
    items.push(listItem(areaIcon(picture.alarm, true), scene.overlay_name));
  }
  const roles = views.has("roles");
  const kinds = roles ? ROLES : names;
  kinds.forEach((name, k) => {
    const color = roles ? theme.palette[k] : classColor(k, names.length, theme);
    items.push(listItem(markerIcon(SHAPES[k], color), name));
  });
  if (weighted) items.push(listItem("centres: area by number of rows"));
  if (flagged) items.push(listItem(ringIcon(classColor(0, names.length, theme), 3.4), scene.flag_name));
  if (picture.marked.length) items.push(listItem(ringIcon(theme.text, 5.5), "selected"));
  if (truth) items.push(truthLegend(theme));
  if (band) items.push(bandLegend(band.name, theme));
  if (scene.panels.some(({ family }) => family.exact === false)) {
    items.push(listItem("a long path, drawn from selected levels"));
  }
  if (hill) items.push(hillLegend(scene.scale, theme), ...(offered ? [overhangLegend(theme)] : []));
  return items;
}
