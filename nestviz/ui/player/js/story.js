// Tells a story beside the picture: its words, its buttons and its keys.

/** @import { Player } from "./player.js" */
/** @import { StoryStep } from "./decode.js" */
import { find, listItem } from "../../components/js/dom.js";
import { setPressed } from "./controls.js";
import { isPresenting } from "./presentation.js";

/** How long a step that was asked for is waited for, in milliseconds. */
const STEP_PATIENCE = 4000;
/** Roles of elements that need the arrow keys themselves. */
const NEED_ARROWS = new Set([
  "slider", "spinbutton", "textbox", "combobox", "listbox", "option", "radio", "tab", "menuitem", "grid", "gridcell",
  "treeitem", "searchbox",
]);

/**
 * Returns whether the focused element needs arrow keys and letters itself.
 * @param {EventTarget | undefined} focus
 * @returns {boolean}
 */
export function needsKeys(focus) {
  if (!(focus instanceof HTMLElement)) return false;
  if (focus.isContentEditable || focus.matches("input, select, textarea")) return true;
  return NEED_ARROWS.has(focus.getAttribute("role") ?? "");
}

/** Whether the notes are shown; kept for all steps. */
let notesShown = false;

export class Story {
  /** @param {Player} player */
  constructor(player) {
    const { root } = player;
    /** @type {(name: string) => HTMLElement} */
    const part = (name) => find(root, `.story-${name}`, HTMLElement);
    /** @type {(name: string) => HTMLButtonElement} */
    const button = (name) => find(root, `[data-story=${name}]`, HTMLButtonElement);
    this.player = player;
    this.box = find(root, ".story", HTMLElement);
    this.steps = part("steps");
    this.title = part("title");
    this.text = part("text");
    this.choices = part("choices");
    this.detour = part("detour");
    this.notes = part("notes");
    this.back = button("back");
    this.next = button("next");
    this.notesButton = button("notes");
    /** @type {StoryStep | null} */
    this.current = null;
    /** The step that Python has been asked for. @type {number | null} */
    this.wanted = null;
    this.patience = 0;
    /** The prediction made here. */
    this.answer = "";
    this.back.addEventListener("click", () => this.move(-1));
    this.next.addEventListener("click", () => this.move(1));
    this.notesButton.addEventListener("click", () => this.toggleNotes());
    for (const act of ["leave", "return"]) button(act).addEventListener("click", () => this.report(`${act}:`));
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.heard(event);
    // The page around the player has the focus when a link is opened.
    document.addEventListener("keydown", this.onKey);
  }

  /**
   * Reports what was chosen, with the last prediction: of two reports in a row Python may see the second only.
   * @param {string} words
   */
  report(words) {
    const all = this.answer ? `answer:${this.answer};${words}` : words;
    this.player.component.setTriggerValue("story", all);
  }

  get index() {
    return this.current?.steps.findIndex(([name]) => name === this.current?.name) ?? 0;
  }

  /** Goes some steps on or back. @param {1 | -1} by */
  move(by) {
    this.goTo((this.wanted ?? this.index) + by);
  }

  /** @param {number} index */
  goTo(index) {
    const step = this.current?.steps[index];
    if (!step) return;
    this.wanted = index;
    clearTimeout(this.patience);
    this.patience = window.setTimeout(() => { this.wanted = null; this.showSteps(); }, STEP_PATIENCE);
    this.showSteps();
    this.report(`step:${step[0]}`);
  }

  toggleNotes() {
    notesShown = !notesShown;
    this.showNotes();
    // The picture of a presentation has another height then.
    if (isPresenting(this.player.root)) this.player.onPresented();
  }

  /** @param {KeyboardEvent} event */
  heard(event) {
    const { key, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event;
    if (!this.current || defaultPrevented || ctrlKey || metaKey || altKey || shiftKey) return;
    if (needsKeys(event.composedPath()[0])) return;
    const presenting = isPresenting(this.player.root);
    if (key === "ArrowRight" || (presenting && key === "PageDown")) this.move(1);
    else if (key === "ArrowLeft" || (presenting && key === "PageUp")) this.move(-1);
    else if (key.toLowerCase() === "n") this.toggleNotes();
    else return;
    event.preventDefault();
  }

  /** Whether the story rather than the player answers a key. @param {KeyboardEvent} event @returns {boolean} */
  takes(event) {
    return this.current !== null && event.key.startsWith("Arrow") && !needsKeys(event.composedPath()[0]);
  }

  /** Shows a step, or no story at all. @param {StoryStep | null} step */
  show(step) {
    this.current = step;
    this.box.hidden = step === null;
    this.player.root.classList.toggle("telling", step !== null);
    this.player.root.dataset.step = step?.name ?? "";
    if (!step) return;
    if (this.index === this.wanted) this.wanted = null;
    // The same words again would be read aloud again.
    if (this.title.textContent !== step.title) this.title.textContent = step.title;
    const words = step.text.join("\n");
    if (this.text.dataset.words !== words) {
      this.text.dataset.words = words;
      this.text.replaceChildren(...step.text.map((paragraph) => {
        const element = document.createElement("p");
        element.textContent = paragraph;
        return element;
      }));
    }
    this.detour.hidden = !step.detour;
    find(this.detour, "span", HTMLElement).textContent = step.detour;
    this.showChoices(step);
    this.showSteps();
    this.showNotes();
  }

  /** Another step has begun: what was reported to Python belongs to the one before. */
  begun() {
    const { memory, component, playback, asked } = this.player;
    playback.halt();
    asked.pinned.hide();
    const values = { frame: memory.position, view: [...memory.views].sort(), probe: memory.probe ?? [] };
    for (const name of memory.sent) component.setStateValue(name, values[name]);
    memory.sent.clear();
  }

  /** @param {StoryStep} step */
  showChoices({ choices }) {
    this.choices.replaceChildren(...choices.map(({ name, label, chosen }) => {
      const element = document.createElement("button");
      Object.assign(element, { type: "button", className: "text toggle", textContent: label });
      setPressed(element, chosen);
      element.dataset.choice = name;
      element.addEventListener("click", () => {
        for (const other of this.choices.children) setPressed(other, other === element);
        this.answer = name;
        this.report("");
      });
      return element;
    }));
  }

  showSteps() {
    const { current: step } = this;
    if (!step) return;
    const at = this.wanted ?? this.index;
    if (this.steps.children.length !== step.steps.length) {
      this.steps.replaceChildren(...step.steps.map(([, title], k) => {
        const element = document.createElement("button");
        const label = `Step ${k + 1} of ${step.steps.length}: ${title}`;
        Object.assign(element, { type: "button", title: label });
        element.setAttribute("aria-label", label);
        element.addEventListener("click", () => this.goTo(k));
        return listItem(element);
      }));
    }
    [...this.steps.querySelectorAll("button")].forEach((element, k) => {
      element.classList.toggle("past", k < at);
      if (k === at) element.setAttribute("aria-current", "step");
      else element.removeAttribute("aria-current");
    });
    this.back.disabled = at === 0;
    this.next.disabled = at === step.steps.length - 1;
  }

  showNotes() {
    setPressed(this.notesButton, notesShown);
    this.notes.hidden = !notesShown || !this.current;
    this.notes.textContent = this.current?.notes ?? "";
  }

  dispose() {
    document.removeEventListener("keydown", this.onKey);
    clearTimeout(this.patience);
  }
}
