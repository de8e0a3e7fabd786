// A path that remembers what was drawn on it, in place of the browser's Path2D.

/** Collects polygons as lists of corners; circles are kept apart. */
export class PathRecord {
  constructor() {
    this.polygons = [];
    this.circles = [];
    this.closed = 0;
  }

  moveTo(x, y) { this.polygons.push([[x, y]]); }

  lineTo(x, y) { this.polygons.at(-1).push([x, y]); }

  closePath() { this.closed += 1; }

  arc(x, y, r) { this.circles.push([x, y, r]); }
}

/** Area of a polygon, by the shoelace formula. */
export function areaOf(polygon) {
  const twice = polygon.reduce((sum, [x, y], k) => {
    const [u, v] = polygon[(k + 1) % polygon.length];
    return sum + x * v - u * y;
  }, 0);
  return Math.abs(twice) / 2;
}

/** Fails unless two numbers, or two nested lists of numbers, are equal up to rounding. */
export function assertClose(got, wanted, within = 1e-9) {
  const [a, b] = [[got].flat(Infinity), [wanted].flat(Infinity)];
  const same = a.length === b.length && a.every((value, k) => Math.abs(value - b[k]) <= within);
  if (!same) throw new Error(`${JSON.stringify(got)} is not ${JSON.stringify(wanted)}`);
}
