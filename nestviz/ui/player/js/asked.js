// What the pointer asks of the picture: the point or the location below it, and a pinned one.

/** @import { Player } from "./player.js" */
/** @import { PointHit } from "./hits.js" */
import { find } from "../../components/js/dom.js";
import { hintCorner } from "../../components/js/geometry.js";
import { pointText } from "./captions.js";
import { pointAt } from "./hits.js";
import { LocationCard } from "./location_card.js";

/** How long the pointer rests before the card of a location is shown. */
const REST_TIME = 300;

export class Asked {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.tooltip = new LocationCard(find(player.root, ".tooltip", HTMLElement));
    this.pinned = new LocationCard(find(player.root, ".pinned", HTMLElement));
    /** @type {PointHit | null} */
    this.hover = null;
    this.waiting = 0;
  }

  forget() {
    clearTimeout(this.waiting);
    this.hover = null;
    this.tooltip.hide();
  }

  /** Shows what is known of the location at the pointer. @param {number} panel @param {number} x @param {number} y */
  at(panel, x, y) {
    const { player, hover } = this;
    const { picture, memory, canvas, hands } = player;
    const hit = panel < 0 ? null : pointAt(picture, x, y);
    this.hover = hit;
    canvas.classList.toggle("pointing", hit !== null);
    clearTimeout(this.waiting);
    // A card would give away the answer to a question of a story.
    const asking = Boolean(player.scene.player.story?.choices.length);
    const wanted = panel >= 0 && !memory.playing && hands.chosen !== "edit" && !asking;
    if (!hit || !wanted) this.tooltip.hide();
    if (wanted) {
      // A card beside every move of the pointer would hide the picture.
      if (hit) this.showCard(panel, hit, pointText(player.scene, hit));
      else this.waiting = window.setTimeout(() => this.showCard(panel, { x, y }, ""), REST_TIME);
    }
    const changed = hit?.index !== hover?.index || hit?.panel !== hover?.panel;
    if (changed && !memory.playing) player.show();
  }

  /** @param {number} panel @param {{ x: number, y: number }} spot @param {string} words */
  showCard(panel, spot, words) {
    const { picture, hands, level } = this.player;
    this.tooltip.show(picture, hands.locationOf(panel, spot.x, spot.y), level, words);
    const { offsetWidth: w, offsetHeight: h } = this.tooltip.element;
    const { left, top } = hintCorner(spot, { w, h }, picture);
    Object.assign(this.tooltip.element.style, { left: `${left}px`, top: `${top}px` });
  }

  /** Pins a location, or none. @param {[number, number] | null} location */
  pin(location) {
    const { player } = this;
    player.memory.probe = location;
    if (!location) this.pinned.hide();
    player.root.dataset.probe = location?.join(" ") ?? "";
    this.showPin();
    player.show();
    // An empty list: null would mean that nothing was reported.
    player.tell("probe", location ?? []);
  }

  showPin() {
    const { picture, memory, level } = this.player;
    // A story has its own charts.
    if (!memory.probe || this.player.scene.player.story) return;
    const said = this.pinned.show(picture, memory.probe, level, "");
    this.pinned.words.textContent = said;
    this.pinned.words.hidden = false;
  }
}
