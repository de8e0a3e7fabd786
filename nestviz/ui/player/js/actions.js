// What the buttons of the player do.

/** @import { Player } from "./player.js" */
import { togglePresentation } from "./presentation.js";

/**
 * Returns what each button does, by its name in the page.
 * @param {Player} player
 * @returns {Record<string, () => void>}
 */
export function playerActions(player) {
  const { playback, hands, asked, root } = player;
  /** @type {(factor: number) => () => void} */
  const zoom = (factor) => () => hands.zoomAt(0, ...hands.centreOf(0), factor);
  return {
    play: () => playback.toggle(),
    back: () => playback.step(-1),
    forward: () => playback.step(1),
    bounce: () => { player.memory.bounce = !player.memory.bounce; player.showSettings(); },
    worst: () => playback.goToWorst(),
    "zoom-in": zoom(1.5),
    "zoom-out": zoom(1 / 1.5),
    "zoom-reset": () => hands.resetView(),
    lasso: () => hands.toggle("lasso"),
    edit: () => hands.toggle("edit"),
    erase: () => { hands.erasing = !hands.erasing; hands.showTools(); },
    undo: () => hands.step("undo"),
    redo: () => hands.step("redo"),
    present: () => togglePresentation(root, player.presented),
    unpin: () => asked.pin(null),
  };
}
