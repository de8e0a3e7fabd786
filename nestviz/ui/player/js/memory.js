// Where each player is, and how it goes on from there. Needs no DOM.

/** @import { Sweep, ViewName } from "./decode.js" */

/**
 * @typedef {object} Memory
 * @property {number} position Frame, with a fraction while playing.
 * @property {number} start The frame that Python asked for last.
 * @property {number} reported The frame that Python was told last.
 * @property {number} last The last frame.
 * @property {1 | -1} direction
 * @property {boolean} playing
 * @property {number} speed
 * @property {boolean} bounce
 * @property {Set<ViewName>} views
 */

/**
 * By player id. A rerun with other data, or leaving the page and coming back, mounts the player
 * anew; frame and play state are found here again.
 * @type {Map<string, Memory>}
 */
const memories = new Map();

/**
 * @param {Sweep} sweep
 * @param {boolean} still Whether the reader's system asks for less motion.
 * @returns {Memory}
 */
function newMemory(sweep, still) {
  const { start, autoplay, loop, shown } = sweep;
  const last = sweep.levels.length - 1;
  return {
    position: start, start, reported: start, last, direction: 1,
    playing: autoplay && last > 0 && !still,
    speed: 1, bounce: loop === "bounce", views: new Set(shown),
  };
}

/** @param {Sweep} sweep @param {boolean} still @returns {Memory} */
export function recall(sweep, still) {
  const last = sweep.levels.length - 1;
  const memory = memories.get(sweep.player.id) ?? newMemory(sweep, still);
  memories.set(sweep.player.id, memory);
  if (memory.last !== last) {
    // Another number of levels: stay at the same part of the sweep.
    memory.position = memory.last ? (memory.position / memory.last) * last : sweep.start;
    if (!memory.playing) memory.position = Math.round(memory.position);
    memory.last = last;
  } else if (sweep.start !== memory.start && sweep.start !== memory.reported) {
    // Python asks for another frame; its echo of a reported frame does not count.
    memory.position = sweep.start;
  }
  memory.start = sweep.start;
  if (last === 0) memory.playing = false;
  return memory;
}

/**
 * Moves on by a number of frames, turning or beginning again at the ends.
 * @param {Memory} memory
 * @param {number} stride
 */
export function advance(memory, stride) {
  if (!memory.bounce) {
    // The last frame is shown for as long as any other before the sweep begins again.
    memory.direction = 1;
    memory.position = (memory.position + stride) % (memory.last + 1);
    return;
  }
  const position = memory.position + memory.direction * stride;
  memory.position = Math.min(Math.max(position, 0), memory.last);
  if (position >= memory.last) memory.direction = -1;
  else if (position <= 0) memory.direction = 1;
}

/**
 * Returns the nearest whole frame; in a sweep that begins again the last one lasts longer.
 * @param {Memory} memory
 * @returns {number}
 */
export function nearestFrame(memory) {
  return Math.min(Math.round(memory.position), memory.last);
}
