// The player's controls and texts, without the picture.

/** @import { Sweep, ViewName } from "./decode.js" */
/** @import { Memory } from "./memory.js" */
import { find } from "../../components/js/dom.js";
import { viewOffered } from "./hints.js";

/** @param {Element} element @param {boolean} pressed */
function setPressed(element, pressed) {
  element.setAttribute("aria-pressed", String(pressed));
}

export class Controls {
  /** @param {HTMLElement} root */
  constructor(root) {
    /** @type {(name: string) => HTMLButtonElement} */
    const button = (name) => find(root, `[data-action=${name}]`, HTMLButtonElement);
    /** @type {(name: string) => HTMLElement} */
    const part = (name) => find(root, `.${name}`, HTMLElement);
    this.root = root;
    this.play = button("play");
    this.back = button("back");
    this.forward = button("forward");
    this.bounce = button("bounce");
    this.scrubber = find(root, ".scrubber", HTMLInputElement);
    this.speed = find(root, ".speed", HTMLSelectElement);
    this.viewBar = part("views");
    this.views = [...this.viewBar.querySelectorAll("button")].map((element) => (
      { element, name: /** @type {ViewName} */ (element.dataset.view) }
    ));
    this.legend = part("legend");
    this.readout = part("readout");
    this.level = part("level");
    this.caption = part("caption");
    this.live = part("live");
  }

  /** Shows what a sweep offers and how it is set. @param {Sweep} sweep @param {Memory} memory */
  showSettings(sweep, memory) {
    const { show } = sweep.player;
    this.scrubber.max = String(memory.last);
    this.scrubber.setAttribute("aria-label", sweep.level_name);
    this.speed.value = String(memory.speed);
    this.speed.hidden = !show.includes("speed");
    this.bounce.hidden = !show.includes("loop");
    this.readout.hidden = !show.includes("readout");
    setPressed(this.bounce, memory.bounce);
    for (const { element, name } of this.views) {
      element.hidden = !show.includes(name) || !viewOffered(sweep, name);
      setPressed(element, memory.views.has(name));
    }
    this.viewBar.hidden = this.views.every(({ element }) => element.hidden);
    this.scrubber.disabled = memory.last === 0;
    this.play.disabled = memory.last === 0;
    this.root.dataset.frames = String(memory.last + 1);
  }

  /** @param {HTMLLIElement[]} entries @param {boolean} wanted */
  showLegend(entries, wanted) {
    this.legend.replaceChildren(...entries);
    this.legend.hidden = !wanted || !entries.length;
  }

  /** @param {Sweep} sweep @param {Memory} memory @param {number} frame */
  showFrame(sweep, memory, frame) {
    this.root.dataset.frame = String(frame);
    this.root.dataset.level = String(sweep.levels[frame]);
    this.root.dataset.playing = String(memory.playing);
    this.play.setAttribute("aria-label", memory.playing ? "Pause" : "Play");
    this.level.textContent = `${sweep.level_name} = ${sweep.labels[frame]}`;
    this.caption.textContent = sweep.captions[frame];
    this.scrubber.value = String(frame);
    this.scrubber.style.setProperty("--fill", `${(100 * frame) / Math.max(1, memory.last)}%`);
  }

  /** Says the level to screen readers. @param {Sweep} sweep @param {number} frame */
  say(sweep, frame) {
    const text = `${sweep.labels[frame]}, ${sweep.captions[frame]}`;
    this.scrubber.setAttribute("aria-valuetext", text);
    this.live.textContent = `${sweep.level_name} ${text}`;
  }
}
