// The keys of the player.

/** @import { Player } from "./player.js" */

/**
 * Returns what the player does with a key.
 * @param {Player} player
 * @param {Record<string, () => void>} actions Those of its buttons.
 * @returns {(event: KeyboardEvent) => void}
 */
export function playerKeys(player, actions) {
  /** @type {Record<string, () => void>} */
  const keys = {
    " ": actions.play,
    ArrowLeft: actions.back,
    ArrowRight: actions.forward,
    Home: () => player.playback.goTo(0),
    End: () => player.playback.goTo(player.memory.last),
    w: actions.worst,
    l: actions.lasso,
    z: actions.undo,
    y: actions.redo,
    e: () => { if (player.scene.player.editable) actions.edit(); },
  };
  const letters = new Set(["w", "l", "z", "y", "e"]);
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const [focus] = event.composedPath();
    // A select needs these keys itself, and a button the space bar.
    if (focus instanceof HTMLSelectElement) return;
    if (focus instanceof HTMLButtonElement && event.key === " ") return;
    if (!(event.key in keys) || player.story.takes(event)) return;
    if (letters.has(event.key) && !player.scene.player.show.includes("tools")) return;
    event.preventDefault();
    keys[event.key]();
  };
}
