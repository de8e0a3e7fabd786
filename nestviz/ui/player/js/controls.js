// The player's controls and texts, without the picture.

/** @import { Theme } from "../../components/js/theme.js" */
/** @import { Scene, ViewName } from "./decode.js" */
/** @import { Memory } from "./memory.js" */
/** @import { BrokenShares } from "./strip.js" */
import { find, fitCanvas } from "../../components/js/dom.js";
import { viewOffered } from "./hints.js";
import { labelAt, levelAt } from "./scale.js";
import { drawStrip } from "./strip.js";

const STRIP_HEIGHT = 14;

/** @param {Element} element @param {boolean} pressed */
export function setPressed(element, pressed) {
  element.setAttribute("aria-pressed", String(pressed));
}

export class Controls {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.stripKey = "";
    /** @type {(name: string) => HTMLButtonElement} */
    const button = (name) => find(root, `[data-action=${name}]`, HTMLButtonElement);
    /** @type {(name: string) => HTMLElement} */
    const part = (name) => find(root, `.${name}`, HTMLElement);
    this.root = root;
    this.play = button("play");
    this.back = button("back");
    this.forward = button("forward");
    this.bounce = button("bounce");
    this.worst = button("worst");
    this.scrubber = find(root, ".scrubber", HTMLInputElement);
    this.strip = find(root, ".strip", HTMLCanvasElement);
    this.picture = find(root, "canvas.picture", HTMLCanvasElement);
    this.speed = find(root, ".speed", HTMLSelectElement);
    this.viewBar = part("views");
    this.views = [...this.viewBar.querySelectorAll("button")].map((element) => (
      { element, name: /** @type {ViewName} */ (element.dataset.view) }
    ));
    this.tools = part("tools");
    this.legend = part("legend");
    this.readout = part("readout");
    this.level = part("level");
    this.caption = part("caption");
    this.live = part("live");
    this.trouble = part("trouble");
  }

  /** Shows what a scene offers and how it is set. @param {Scene} scene @param {Memory} memory */
  showSettings(scene, memory) {
    const { show } = scene.player;
    this.scrubber.max = String(memory.last);
    this.scrubber.step = scene.stepwise ? "1" : "any";
    this.scrubber.setAttribute("aria-label", scene.scale.name);
    this.speed.value = String(memory.speed);
    this.speed.hidden = !show.includes("speed");
    this.bounce.hidden = !show.includes("loop");
    this.readout.hidden = !show.includes("readout");
    this.tools.hidden = !show.includes("tools");
    setPressed(this.bounce, memory.bounce);
    for (const { element, name } of this.views) {
      element.hidden = !show.includes(name) || !viewOffered(scene, name);
      setPressed(element, memory.views.has(name));
    }
    this.viewBar.hidden = this.views.every(({ element }) => element.hidden);
    this.scrubber.disabled = memory.last === 0;
    this.play.disabled = memory.last === 0;
    this.root.dataset.frames = String(memory.last + 1);
  }

  /** @param {HTMLElement[]} entries @param {boolean} wanted */
  showLegend(entries, wanted) {
    this.legend.replaceChildren(...entries);
    this.legend.hidden = !wanted || !entries.length;
  }

  /**
   * @param {Scene} scene
   * @param {Memory} memory
   * @param {number} position
   * @param {string} caption
   */
  showPosition(scene, memory, position, caption) {
    this.root.dataset.frame = String(Math.round(position * 100) / 100);
    this.root.dataset.level = String(levelAt(scene.scale, position));
    this.root.dataset.playing = String(memory.playing);
    this.play.setAttribute("aria-label", memory.playing ? "Pause" : "Play");
    this.level.textContent = `${scene.scale.name} = ${labelAt(scene.scale, position)}`;
    this.caption.textContent = caption;
    this.scrubber.value = String(position);
    this.scrubber.style.setProperty("--fill", `${(100 * position) / Math.max(1, memory.last)}%`);
  }

  /**
   * Shows how much of the picture is violated at each level.
   * @param {Scene} scene
   * @param {BrokenShares | null} shares
   * @param {Theme} theme
   * @param {boolean} wanted
   */
  showStrip(scene, shares, theme, wanted) {
    // Asking for a width makes the browser arrange the page: only where something has changed.
    const { plots } = this.root.dataset;
    const known = shares && [shares.complete, shares.shares, shares.levels];
    const key = [plots, theme.dark, wanted, scene.scale.levels, known].join(" ");
    if (key === this.stripKey) return;
    const some = wanted && shares !== null && shares.shares.some((share) => share > 0);
    this.strip.hidden = !some;
    this.worst.hidden = !some || !scene.player.show.includes("overlay");
    const width = this.strip.parentElement?.clientWidth ?? 0;
    this.stripKey = width > 0 ? key : "";
    if (!some || !shares || width <= 0) return;
    const context = fitCanvas(this.strip, width, STRIP_HEIGHT);
    drawStrip(context, width, STRIP_HEIGHT, shares, scene.scale, theme);
  }

  /**
   * Says the level to screen readers, and what is seen at it.
   * @param {Scene} scene
   * @param {number} position
   * @param {string} caption
   * @param {string} seen More sentences on the picture, at rest.
   */
  say(scene, position, caption, seen) {
    const text = `${labelAt(scene.scale, position)}, ${caption}`;
    this.scrubber.setAttribute("aria-valuetext", text);
    this.live.textContent = [`${scene.scale.name} ${text}`, seen].filter(Boolean).join(". ");
    this.picture.setAttribute("aria-label", `${scene.alt.replace(/\.$/, "")}. ${this.live.textContent}`);
  }

  /** Says what went wrong, in one sentence; nothing hides it. @param {string} sentence */
  complain(sentence) {
    this.trouble.textContent = sentence;
    this.trouble.hidden = !sentence;
  }
}
