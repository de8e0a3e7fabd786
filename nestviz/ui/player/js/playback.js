// Moves a player along its level axis, and says where it is.

/** @import { Player } from "./player.js" */
import { advance } from "./memory.js";
import { positionAt } from "./scale.js";
import { worstLevel } from "./strip.js";

const REPORT_DELAY = 250;
const ANNOUNCE_EVERY = 4000;
/** After this long without a change the picture is drawn finely. */
const SETTLE = 120;

/** @param {number} position @returns {number} To a hundredth of a stop. */
const roundedPosition = (position) => Math.round(position * 100) / 100;

/** @returns {boolean} Whether the reader's system asks for less motion. */
export function stillWanted() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export class Playback {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.token = 0;
    this.announced = 0;
    /** Until when the picture counts as moving. */
    this.movingUntil = 0;
    this.settleTimer = 0;
    this.reportTimer = 0;
    this.announceTimer = 0;
  }

  get moving() {
    return this.player.memory.playing || performance.now() < this.movingUntil;
  }

  toggle() {
    const { memory } = this.player;
    if (memory.playing) {
      this.goTo(this.player.position);
      return;
    }
    if (memory.last === 0) return;
    if (!memory.bounce && memory.position >= memory.last) memory.position = 0;
    memory.playing = true;
    this.run();
    this.player.show();
  }

  /** Stops at a position. @param {number} position */
  goTo(position) {
    const { player } = this;
    player.memory.playing = false;
    this.token += 1;
    // As fine as it is reported: a link to this position shows the same level.
    player.memory.position = roundedPosition(Math.min(Math.max(position, 0), player.memory.last));
    player.picture.sets.forEach((sets) => sets.store?.prefer(player.level));
    this.keepMoving();
    player.show();
    this.report();
  }

  /** Goes to the next whole stop in a direction. @param {1 | -1} direction */
  step(direction) {
    const { position } = this.player;
    this.goTo(direction > 0 ? Math.floor(position + 1e-9) + 1 : Math.ceil(position - 1e-9) - 1);
  }

  /** Goes to the level at which most of the picture is violated. */
  goToWorst() {
    const { picture, scene } = this.player;
    const shares = picture.shares();
    const worst = shares && worstLevel(shares);
    if (worst !== null) this.goTo(positionAt(scene.scale, worst));
  }

  /** One animation loop at a time: a loop ends as soon as its token is no longer the newest. */
  run() {
    const { player } = this;
    const token = (this.token += 1);
    let before = performance.now();
    /** @param {number} now */
    const step = (now) => {
      if (token !== this.token) return;
      // After a hidden tab or a long task the sweep goes on where it was, without a jump.
      const seconds = Math.min(Math.max(now - before, 0), 100) / 1000;
      advance(player.memory, seconds * player.memory.speed * player.scene.stops_per_second);
      before = now;
      player.show();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /** Draws coarsely for a moment, then finely. */
  keepMoving() {
    this.movingUntil = performance.now() + SETTLE;
    clearTimeout(this.settleTimer);
    this.settleTimer = window.setTimeout(() => {
      if (!this.player.memory.playing) this.player.show();
    }, SETTLE + 5);
  }

  /** Says the level aloud: soon after it came to rest, now and then while playing. @param {string} caption */
  announce(caption) {
    const { player } = this;
    const say = () => {
      const seen = player.memory.playing ? "" : player.seen();
      player.controls.say(player.scene, player.position, caption, seen);
      this.announced = performance.now();
    };
    clearTimeout(this.announceTimer);
    if (!player.memory.playing) this.announceTimer = window.setTimeout(say, REPORT_DELAY);
    else if (performance.now() - this.announced > ANNOUNCE_EVERY) say();
  }

  /** Reports the position to Python once the picture has come to rest. */
  report() {
    const { player } = this;
    clearTimeout(this.reportTimer);
    if (!player.scene.player.report) return;
    this.reportTimer = window.setTimeout(() => {
      const position = roundedPosition(player.position);
      if (player.memory.playing || position === player.memory.reported) return;
      player.memory.reported = position;
      player.tell("frame", position);
    }, REPORT_DELAY);
  }

  /** Ends the animation loop; the position stays. */
  halt() {
    this.token += 1;
  }

  stop() {
    this.halt();
    for (const timer of [this.reportTimer, this.announceTimer, this.settleTimer]) clearTimeout(timer);
  }
}
