// Shows what is known about one location: beside the pointer, or pinned below the picture.

/** @import { Scene } from "./decode.js" */
/** @import { ScenePicture } from "./picture.js" */
import { find, fitCanvas } from "../../components/js/dom.js";
import { probeOf, probeText } from "./probe.js";
import { drawProbe, probeHeight } from "./probe_card.js";

const CARD_WIDTH = 280;

/**
 * Returns what each family says of a location.
 * @param {Scene} scene
 * @param {string[]} colors
 * @param {number} u
 * @param {number} v
 */
function probesAt({ panels, scale }, colors, u, v) {
  const ends = [scale.levels[0], scale.levels[scale.levels.length - 1]];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  return panels.map(({ title, family }, k) => (
    { title, color: colors[k % colors.length], probe: probeOf(family, u, v, low, high) }
  ));
}

export class LocationCard {
  /** @param {HTMLElement} element With a canvas and a text. */
  constructor(element) {
    this.element = element;
    this.canvas = find(element, "canvas", HTMLCanvasElement);
    this.words = find(element, ".words", HTMLElement);
    this.shown = "";
  }

  hide() {
    this.element.hidden = true;
    this.shown = "";
  }

  /**
   * @param {ScenePicture} picture
   * @param {[number, number]} location
   * @param {number} level
   * @param {string} words Shown above the card; by default what the card says.
   */
  show(picture, [u, v], level, words) {
    const { scene, theme } = picture;
    this.element.hidden = false;
    const probes = probesAt(scene, [picture.accent], u, v);
    const height = probeHeight(probes.length);
    const context = fitCanvas(this.canvas, CARD_WIDTH, height);
    context.clearRect(0, 0, CARD_WIDTH, height);
    drawProbe(context, { x: 0, y: 0, w: CARD_WIDTH, h: height }, probes, scene.scale, level, theme);
    const said = probeText(probes, level, scene.scale);
    this.words.textContent = words;
    this.words.hidden = !words;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", said);
    return said;
  }
}
