// The drawing itself: points, strokes to undo, and the agreement with Python on who was last.

const UNDO_DEPTH = 200;

// By painter id: the drawing is still there after the page was left and entered again.
const drawings = new Map();

// A small seeded generator (mulberry32): the same strokes give the same scatter.
function randomSource(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

// Two independent normal numbers.
function normalPair(random) {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  const angle = 2 * Math.PI * random();
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

// Python names each set of points it hands over. A name we know means that all changes
// since then were made here; a new name means that Python changed the points last.
function recallDrawing(data) {
  let drawing = drawings.get(data.id);
  if (!drawing) {
    drawing = { random: randomSource(data.seed), turn: 0, tool: 1, radius: 24, rate: 40 };
    drawings.set(data.id, drawing);
  }
  if (drawing.base !== data.base) {
    drawing.base = data.base;
    drawing.points = drawing.reported = data.points;
    drawing.past = [];
  }
  return drawing;
}

// Arrays of points are replaced, never changed, so that the past can keep them as they were.
function remember(drawing) {
  drawing.past.push(drawing.points);
  if (drawing.past.length > UNDO_DEPTH) drawing.past.shift();
}
