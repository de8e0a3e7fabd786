// Levels at which one location is inside: the twin of scanning.py and boundary.py. Needs no DOM.
// Sets are closed. A field that is zero because it has no terms is VOID, which is negative.

export const VOID = -2.2250738585072014e-308;
const CANCELLED = 1e3;

/**
 * @typedef {object} LevelScan
 * @property {Float64Array} levels Breakpoints, ascending.
 * @property {Float64Array} offsets
 * @property {number} low
 * @property {number} high
 * @property {number} tail
 * @property {boolean} openBelow
 * @property {number} orientation
 * @property {Uint8Array} limits Breakpoints that no level takes.
 */
/**
 * The field of one location at the breakpoints.
 * @typedef {object} Curve
 * @property {Float64Array} sums Kernel sums; offsets are not subtracted.
 * @property {Float64Array} values Settled field values.
 * @property {boolean} empty Whether the first sum has no terms.
 */
/** @typedef {{ first: number, last: number, intervals: [number, number][] }} Membership */

/**
 * Returns a field value without rounding; size is the sum of its absolute terms.
 * @param {number} value
 * @param {number} size
 * @param {number} tolerance
 * @param {number} rounding Largest relative error of the terms.
 */
export function settled(value, size, tolerance, rounding) {
  if (Math.abs(value) > tolerance) return value;
  if (size > CANCELLED * tolerance) return 0;
  if (value !== 0) return Math.abs(value) > rounding * size ? value : 0;
  return size > 0 ? 0 : VOID;
}

/** @param {number} a @param {number} b */
function changesSign(a, b) {
  return (a > 0 && b < 0 && b !== VOID) || (a < 0 && b > 0 && a !== VOID);
}

/** Whether a field without change of sign is inside between its ends. @param {number} a @param {number} b */
function insideBetween(a, b) {
  if (a === VOID) return b >= 0;
  return a >= 0 && (b >= 0 || b === VOID);
}

/** @param {number} value @param {number} low @param {number} high */
const clamped = (value, low, high) => Math.min(Math.max(value, low), high);

/** Intervals of levels, found from the lowest level upwards. */
class MembershipRecord {
  inside = false;

  /** @type {[number, number][]} */
  intervals = [];

  firstOut = Infinity;

  lastOut = -Infinity;

  /** @param {number} level */
  enter(level) {
    this.inside = true;
    this.intervals.push([level, NaN]);
  }

  /** @param {number} level */
  leave(level) {
    this.inside = false;
    this.intervals[this.intervals.length - 1][1] = level;
  }

  /** @param {number} level */
  change(level) {
    if (this.inside) {
      this.firstOut = Math.min(this.firstOut, level);
      this.leave(level);
    } else {
      this.lastOut = level;
      this.enter(level);
    }
  }
}

/**
 * @param {LevelScan} scan
 * @param {Curve} curve
 * @returns {Membership}
 */
export function membershipOf(scan, curve) {
  const record = new MembershipRecord();
  beginScan(scan, curve, record);
  followScan(scan, curve.values, record);
  endScan(scan, curve, record);
  const { intervals, firstOut, lastOut } = record;
  if (!intervals.length) {
    const never = scan.orientation * Infinity;
    return { first: never, last: never, intervals };
  }
  const [lowest, highest] = [intervals[0][0], intervals[intervals.length - 1][1]];
  return scan.orientation === 1
    ? { first: lowest, last: Math.max(lastOut, lowest), intervals }
    : { first: highest, last: Math.min(firstOut, highest), intervals };
}

/** The level beyond the breakpoints at which the offset equals the field. */
/** @param {LevelScan} scan @param {Curve} curve @param {number} j */
function tailRoot({ offsets, levels, tail }, { sums }, j) {
  return (sums[j] - (offsets[j] - tail * levels[j])) / tail;
}

/** @param {LevelScan} scan @param {Curve} curve */
function valueAtStart({ levels, offsets, low, tail }, { sums, values, empty }) {
  let value = values[0];
  if (low === levels[0]) return value;
  if (tail !== 0 && low === -Infinity) value = Infinity * tail;
  else if (tail !== 0) value = sums[0] - (offsets[0] - tail * levels[0]) - tail * low;
  return value === 0 && empty ? VOID : value;
}

/**
 * Finds membership at the lower end of the domain, and scans up to the first breakpoint.
 * @param {LevelScan} scan
 * @param {Curve} curve
 * @param {MembershipRecord} record
 */
function beginScan(scan, curve, record) {
  const { levels, low, openBelow, limits, tail } = scan;
  const { values } = curve;
  const first = levels[0];
  const start = Math.min(low, first);
  const atStart = valueAtStart(scan, curve);
  let inside = atStart >= 0;
  if (openBelow && (atStart === 0 || atStart === VOID)) {
    let after = atStart - tail;
    if (low < first) after = values[0];
    else if (levels.length > 1) after = values[1];
    inside = insideBetween(atStart, after);
  }
  if (inside) record.enter(start);
  else record.firstOut = start;
  if (start === first) return;
  const value = values[0];
  if (changesSign(atStart, value)) record.change(clamped(tailRoot(scan, curve, 0), start, first));
  else if (inside !== insideBetween(atStart, value)) record.change(start);
  if (!limits[0] && record.inside !== value >= 0) record.change(first);
}

/**
 * Scans from breakpoint to breakpoint.
 * @param {LevelScan} scan
 * @param {Float64Array} values
 * @param {MembershipRecord} record
 */
function followScan({ levels, limits }, values, record) {
  for (let j = 1; j < levels.length; j += 1) {
    const [a, b] = [values[j - 1], values[j]];
    // On the same side, away from zero: nothing changes.
    if (b !== 0 && record.inside === b > 0) continue;
    const [s, t] = [levels[j - 1], levels[j]];
    if (t > s) {
      if (changesSign(a, b)) record.change(clamped(s + (t - s) * (a / (a - b)), s, t));
      else if (record.inside !== insideBetween(a, b)) record.change(s);
    }
    if (!limits[j] && record.inside !== b >= 0) record.change(t);
  }
}

/**
 * Scans from the last breakpoint to the upper end of the domain.
 * @param {LevelScan} scan
 * @param {Curve} curve
 * @param {MembershipRecord} record
 */
function endScan(scan, curve, record) {
  const { levels, high, tail } = scan;
  const last = levels.length - 1;
  const [end, value] = [levels[last], curve.values[last]];
  if (high > end && tail !== 0 && value >= 0 === tail > 0) {
    const root = value === 0 ? end : Math.max(tailRoot(scan, curve, last), end);
    if (root < high || (root === high && !record.inside)) record.change(root);
  }
  if (record.inside) record.leave(high);
  else record.lastOut = high;
}
