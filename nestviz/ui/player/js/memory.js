// Where each player is, and how it goes on from there. Needs no DOM.

/** @import { View } from "../../components/js/plot.js" */
/** @import { Scene, ViewName } from "./decode.js" */

/**
 * @typedef {object} Memory
 * @property {number} position In stops of the scale, between them too.
 * @property {number} start The position that Python asked for last.
 * @property {number} reported The position reported to Python last.
 * @property {number} last The last stop.
 * @property {1 | -1} direction
 * @property {boolean} playing
 * @property {number} speed
 * @property {boolean} bounce
 * @property {Set<ViewName>} views
 * @property {View | null} zoom The part of the plane that is shown, where it is not the whole view.
 * @property {View} home The whole view that it is part of.
 * @property {boolean} held Whether the same part is shown for another whole view.
 * @property {number} divider Where two methods in one panel meet, as a share of its width.
 * @property {{ turn: number, tilt: number }} angle From which the stack is seen.
 * @property {[number, number] | null} probe The location that is pinned.
 * @property {string} cue The step of a story that was begun last.
 * @property {Set<"frame" | "view" | "probe">} sent What was reported to Python since then.
 */

/**
 * By player id. A rerun with other data, or leaving the page and coming back, mounts the player
 * anew; position and play state are found here again.
 * @type {Map<string, Memory>}
 */
const memories = new Map();

/**
 * @param {Scene} scene
 * @param {boolean} still Whether the reader's system asks for less motion.
 * @returns {Memory}
 */
function newMemory(scene, still) {
  const { start, autoplay, loop, shown } = scene;
  const last = scene.scale.levels.length - 1;
  return {
    position: start, start, reported: start, last, direction: 1,
    playing: autoplay && last > 0 && !still,
    speed: 1, bounce: loop === "bounce", views: new Set(shown),
    zoom: null, home: scene.view, held: false, divider: 0.5, angle: { turn: 0.6, tilt: 0.95 },
    probe: scene.player.probe ?? null, cue: cueOf(scene), sent: new Set(),
  };
}

/** A step at another location is another step. @param {Scene} scene @returns {string} */
function cueOf({ player: { story, probe } }) {
  return story ? `${story.name} ${probe ?? ""}` : "";
}

/**
 * Begins a step of a story, whatever was shown before.
 * @param {Memory} memory
 * @param {Scene} scene
 * @param {boolean} still
 */
function beginStep(memory, scene, still) {
  const { position, last, playing, views, zoom, probe, cue } = newMemory(scene, still);
  // Python takes the step to begin at its start, too.
  Object.assign(memory, { position, last, playing, views, zoom, probe, cue, start: position, reported: position, direction: 1 });
}

/** @param {Scene} scene @param {boolean} still @returns {Memory} */
export function recall(scene, still) {
  const last = scene.scale.levels.length - 1;
  const memory = memories.get(scene.player.id) ?? newMemory(scene, still);
  memories.set(scene.player.id, memory);
  if (memory.cue !== cueOf(scene)) {
    beginStep(memory, scene, still);
  } else if (memory.last !== last) {
    // Another number of stops: stay at the same part of the axis.
    memory.position = memory.last ? (memory.position / memory.last) * last : scene.start;
    memory.last = last;
  } else if (scene.start !== memory.start && scene.start !== memory.reported) {
    // Python asks for another position; its echo of a reported one does not count.
    memory.position = scene.start;
  }
  memory.start = scene.start;
  // Other data: what was looked at closely is no longer there.
  if (!memory.held && String(scene.view) !== String(memory.home)) memory.zoom = null;
  memory.home = scene.view;
  if (last === 0) memory.playing = false;
  return memory;
}

/**
 * Moves on by a number of stops, turning or beginning again at the ends.
 * @param {Memory} memory
 * @param {number} stride
 */
export function advance(memory, stride) {
  if (!memory.bounce) {
    memory.direction = 1;
    memory.position += stride;
    if (memory.position > memory.last) memory.position %= memory.last;
    return;
  }
  const position = memory.position + memory.direction * stride;
  memory.position = Math.min(Math.max(position, 0), memory.last);
  if (position >= memory.last) memory.direction = -1;
  else if (position <= 0) memory.direction = 1;
}

/**
 * Returns the position shown: in a scene of a few given sets, the nearest of them.
 * @param {Memory} memory
 * @param {boolean} stepwise
 * @returns {number}
 */
export function shownPosition(memory, stepwise) {
  return stepwise ? Math.round(memory.position) : memory.position;
}
