// What the player does while a knob moves, and when it is released.

/** @import { Scene } from "./decode.js" */
/** @import { KnobCalls } from "./knobs.js" */
/** @import { Player } from "./player.js" */

/** The page waits at most this long for the picture, in milliseconds. */
const PAGE_PAUSE = 300;

/** @implements {KnobCalls} */
export class Turning {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    /** The scene before a knob moved, or what Python has sent since. @type {Scene | null} */
    this.rest = null;
    this.onInput = () => this.turned();
    /** @type {KnobCalls["onRelease"]} */
    this.onRelease = (key, value) => this.released(key, value);
    this.onReturn = () => this.returned();
  }

  /** A knob moves: the picture follows. */
  turned() {
    const { live, playback, knobs, scene } = this.player;
    if (!live.moving) this.rest = scene;
    live.moving = true;
    playback.keepMoving();
    live.ask(knobs.values, scene);
  }

  /** A knob is back where it was: so is the picture, at once. */
  returned() {
    const { player, rest } = this;
    if (!player.live.moving || !rest) return;
    player.live.moving = false;
    player.live.forget();
    this.rest = null;
    player.take(rest);
    player.refit();
  }

  /** A knob was released: the page follows. @param {string} key @param {number} value */
  released(key, value) {
    const { live, knobs, scene } = this.player;
    live.moving = false;
    this.rest = null;
    live.remember({ [key]: value });
    const shown = live.ask(knobs.values, scene);
    const late = new Promise((resolve) => { setTimeout(resolve, PAGE_PAUSE); });
    // The page's run would delay the picture. The time makes the report of an equal value a new one.
    Promise.race([shown, late]).then(() => {
      this.player.component.setStateValue("knobs", { [key]: value, time: Date.now() });
    });
  }
}
