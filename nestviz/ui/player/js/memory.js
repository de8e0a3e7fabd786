// Where each player is, and how it goes on from there.

// By player id. A rerun with other data, or leaving the page and coming back, mounts the
// player anew; frame and play state are found here again.
const memories = new Map();

function stillWanted() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function recall(sweep) {
  const last = sweep.levels.length - 1;
  let memory = memories.get(sweep.player.id);
  if (!memory) {
    memory = {
      position: sweep.start, start: sweep.start, reported: sweep.start, last, direction: 1,
      playing: sweep.autoplay && last > 0 && !stillWanted(),
      speed: 1, bounce: sweep.loop === "bounce", views: new Set(sweep.shown),
    };
    memories.set(sweep.player.id, memory);
  }
  if (memory.last !== last) {
    // Another number of levels: stay at the same part of the sweep.
    memory.position = memory.last ? (memory.position / memory.last) * last : sweep.start;
    if (!memory.playing) memory.position = Math.round(memory.position);
    memory.last = last;
  } else if (sweep.start !== memory.start && sweep.start !== memory.reported) {
    // Python asks for another frame; its echo of what we reported is no such wish.
    memory.position = sweep.start;
  }
  memory.start = sweep.start;
  if (last === 0) memory.playing = false;
  return memory;
}

// Moves on by a number of frames, turning or beginning again at the ends.
function advance(memory, stride) {
  if (!memory.bounce) {
    // The last frame is held for as long as any other before the sweep begins again.
    memory.direction = 1;
    memory.position = (memory.position + stride) % (memory.last + 1);
    return;
  }
  const position = memory.position + memory.direction * stride;
  memory.position = Math.min(Math.max(position, 0), memory.last);
  if (position >= memory.last) memory.direction = -1;
  else if (position <= 0) memory.direction = 1;
}

// The whole frame that is nearest; in a sweep that begins again the last one lasts longer.
function nearestFrame(memory) {
  return Math.min(Math.round(memory.position), memory.last);
}
