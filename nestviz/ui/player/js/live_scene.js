// Asks for families while a knob or a point moves, and shows each answer.

/** @import { LiveBody } from "./channel.js" */
/** @import { Scene } from "./decode.js" */
import { Channel } from "./channel.js";
import { decodeScene } from "./decode.js";
import { knobPosition, knobValue } from "./knob_values.js";

/** How long Python may take to confirm a setting before its own is shown again. */
const PATIENCE = 5000;
/** Idle time before neighbouring values are solved ahead. */
const IDLE_TIME = 350;
/** Neighbours of a value: one step of an arrow key. */
const NEIGHBOURS = [0.01, -0.01];

/** With more points than this, quick families are asked for first. */
const MANY_POINTS = 800;

/** @typedef {{ points: number[][], classes: number[] }} Edited */

/**
 * Returns the panels whose families take much less time than the others; null where all are alike.
 * @param {Scene} scene
 * @returns {number[] | null}
 */
export function quickPanels({ panels }) {
  const quick = panels.map((_, k) => k).filter((k) => panels[k].family.isNested && !panels[k].family.derived);
  const some = quick.length > 0 && quick.length < panels.length;
  return some && panels[0].classes.length > MANY_POINTS ? quick : null;
}

export class LiveScene {
  /**
   * @param {(scene: Scene, panels: number[] | null) => void} show Shows an answer for some panels.
   * @param {(sentence: string) => void} complain
   */
  constructor(show, complain) {
    this.show = show;
    this.complain = complain;
    /** @type {Channel | null} */
    this.channel = null;
    this.token = "";
    /** @type {Record<string, number>} Values that Python has not confirmed yet. */
    this.awaited = {};
    this.patience = 0;
    this.idle = 0;
    /** Whether a finger is on a knob or a point. */
    this.moving = false;
    this.answers = 0;
    /** What is being asked, and what the picture shows. */
    this.asking = "";
    this.answered = "";
    this.asked = Promise.resolve();
    /** How often answers under way were given up. */
    this.forgotten = 0;
  }

  /** Shows no answer to what was asked so far. */
  forget() {
    this.forgotten += 1;
    this.asking = this.answered = "";
  }

  /**
   * Takes over the address of another scene.
   * @param {Scene} scene
   * @returns {boolean} Whether it is new: what was asked at the old one gets no answer.
   */
  connect({ live }) {
    this.answered = "";
    const { url, token, player } = live;
    if (!url || !token || !player) {
      this.close();
      return false;
    }
    if (token + player === this.token) return false;
    this.close();
    this.asking = "";
    this.channel = new Channel({ url, token, player });
    this.token = token + player;
    return true;
  }

  get possible() {
    return this.channel !== null && !this.channel.off;
  }

  /**
   * Asks for the families of some settings; the newest answer is shown. Of many points, those that
   * are solved quickly come first; the others follow when nothing newer is asked.
   * @param {Record<string, number>} knobs
   * @param {Scene} scene
   * @param {Edited | null} edited
   * @returns {Promise<void>} Ends when nothing more will be shown for them.
   */
  ask(knobs, scene, edited = null) {
    const body = { knobs, ...(edited ?? {}) };
    const text = JSON.stringify(body);
    if (!edited && !this.asking && text === this.answered) return Promise.resolve();
    // A release repeats the last value of the drag; asking again would begin anew.
    if (text !== this.asking) {
      this.asking = text;
      this.asked = this.askInTurn(body, quickPanels(scene), text);
    }
    return this.asked;
  }

  /** @param {LiveBody} body @param {number[] | null} quick @param {string} text */
  async askInTurn(body, quick, text) {
    const first = !quick || (await this.answer({ ...body, panels: quick }, quick));
    if (first && (await this.answer(body, null))) this.answered = text;
    if (this.asking === text) this.asking = "";
  }

  /**
   * @param {LiveBody} body
   * @param {number[] | null} panels
   * @returns {Promise<boolean>} Whether the answer was shown.
   */
  async answer(body, panels) {
    clearTimeout(this.idle);
    const { channel, forgotten } = this;
    if (!channel || channel.off) return false;
    try {
      const answer = await channel.ask(body);
      if (!answer?.length || channel !== this.channel || forgotten !== this.forgotten) return false;
      this.answers += 1;
      this.show(decodeScene(answer), panels);
      this.complain("");
      return true;
    } catch (error) {
      this.complain(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** Remembers values that will be reported to Python. @param {Record<string, number>} knobs */
  remember(knobs) {
    this.awaited = { ...this.awaited, ...knobs };
    clearTimeout(this.patience);
    this.patience = window.setTimeout(() => { this.awaited = {}; }, PATIENCE);
  }

  /**
   * Returns whether a scene of Python is older than what the hand has set since.
   * @param {Scene} scene
   * @returns {boolean}
   */
  outdated({ knobs }) {
    if (this.moving) return true;
    const late = knobs.some(({ key, value }) => (
      key in this.awaited && Math.abs(value - this.awaited[key]) > 1e-9 * Math.abs(value)
    ));
    if (!late) this.awaited = {};
    return late;
  }

  /** Solves neighbouring values ahead once nothing happens. @param {Scene} scene */
  lookAhead({ knobs }) {
    clearTimeout(this.idle);
    const first = knobs.find(({ log }) => log);
    if (!first || !this.possible) return;
    const rest = Object.fromEntries(knobs.map(({ key, value }) => [key, value]));
    const position = knobPosition(first, first.value);
    const values = NEIGHBOURS.map((step) => knobValue(first, position + step))
      .filter((value) => value !== first.value);
    const next = async () => {
      const value = values.shift();
      if (value === undefined || !this.channel || this.moving) return;
      const known = await this.channel.ask({ knobs: { ...rest, [first.key]: value } }).catch(() => null);
      if (known) this.idle = window.setTimeout(next, IDLE_TIME);
    };
    this.idle = window.setTimeout(next, IDLE_TIME);
  }

  close() {
    clearTimeout(this.idle);
    clearTimeout(this.patience);
    this.channel?.close();
    this.channel = null;
    this.token = "";
  }
}
