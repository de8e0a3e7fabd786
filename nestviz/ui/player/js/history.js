// Points that can be added, moved and removed, with steps to undo. Needs no DOM.

/** @typedef {readonly [u: number, v: number, kind: number]} EditPoint */
/** @typedef {readonly EditPoint[]} EditPoints Replaced, never changed. */

const EDIT_DEPTH = 200;

export class EditHistory {
  /**
   * @param {EditPoints} points
   * @param {number} [most] The largest number of points.
   */
  constructor(points, most = Infinity) {
    this.most = most;
    /** @type {EditPoints} */
    this.start = points;
    /** @type {EditPoints} */
    this.points = points;
    /** @type {EditPoints[]} */
    this.past = [];
    /** @type {EditPoints[]} */
    this.future = [];
    /**
     * The point that a drag is moving; all moves of a drag are one step.
     * @type {number}
     */
    this.moving = -1;
  }

  /** Begins anew with other points. @param {EditPoints} points */
  reset(points) {
    [this.start, this.points] = [points, points];
    [this.past, this.future] = [[], []];
    this.settle();
  }

  /** Whether the points differ from those at the beginning. @returns {boolean} */
  get changed() {
    return this.points !== this.start;
  }

  /** @returns {boolean} */
  get canUndo() {
    return this.past.length > 0;
  }

  /** @returns {boolean} */
  get canRedo() {
    return this.future.length > 0;
  }

  /**
   * Adds a point at the end.
   * @param {number} u
   * @param {number} v
   * @param {number} kind Its class.
   * @returns {boolean} Whether there was space for it.
   */
  add(u, v, kind) {
    if (this.points.length >= this.most) return false;
    this.step([...this.points, [u, v, kind]]);
    return true;
  }

  /**
   * Moves a point. Moves of one point belong to one step until `settle`.
   * @param {number} index
   * @param {number} u
   * @param {number} v
   * @returns {boolean} Whether there is such a point.
   */
  move(index, u, v) {
    const point = this.points[index];
    if (!point) return false;
    const moved = this.points.with(index, [u, v, point[2]]);
    if (this.moving === index) this.points = moved;
    else this.step(moved);
    this.moving = index;
    return true;
  }

  /** Ends the moves of a drag. */
  settle() {
    this.moving = -1;
  }

  /** @param {number} index @returns {boolean} Whether there was such a point. */
  remove(index) {
    if (!this.points[index]) return false;
    this.step(this.points.toSpliced(index, 1));
    return true;
  }

  /** @returns {boolean} Whether there was a step to undo. */
  undo() {
    return this.travel(this.past, this.future);
  }

  /** @returns {boolean} Whether there was a step to do again. */
  redo() {
    return this.travel(this.future, this.past);
  }

  /** @param {EditPoints} points */
  step(points) {
    this.past.push(this.points);
    if (this.past.length > EDIT_DEPTH) this.past.shift();
    this.future = [];
    this.points = points;
    this.settle();
  }

  /** @param {EditPoints[]} from @param {EditPoints[]} to @returns {boolean} */
  travel(from, to) {
    const points = from.pop();
    if (!points) return false;
    to.push(this.points);
    this.points = points;
    this.settle();
    return true;
  }
}
