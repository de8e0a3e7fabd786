// Fields of a family at its knots, filled in the background, and what follows from them.

/** @import { Family } from "./family.js" */
/** @import { Lattice } from "./field.js" */
/** @import { FieldJob, FieldQueue } from "./field_queue.js" */
/** @import { Sheet } from "./level_maps.js" */
import { fieldOn } from "./field.js";
import { sharedQueue } from "./field_queue.js";
import { LEAST, resampledField } from "./other_fields.js";
import { brokenShare, entryMap, exitMap, lowerTo, pixelsWithin, raiseTo } from "./level_maps.js";

/**
 * @typedef {object} StoreOptions
 * @property {() => void} [onChange] Called after each new field.
 * @property {FieldQueue} [queue]
 * @property {number} [rim] Cells of the lattice beyond the picture on each side.
 */
/**
 * The largest (smallest) field over the first (last) sheets, kept for the next level asked for.
 * @typedef {{ version: number, count: number, values: Float32Array | null }} Running
 */

/** Fields of one family on one lattice. Sheets are numbered from the smallest set to the largest. */
export class FieldStore {
  /** @type {(Float32Array | null)[]} */
  #fields;

  /** @type {Uint8Array} */
  #asked;

  /** @type {Running} */
  #running = { version: -1, count: 0, values: null };

  /** @type {{ version: number, shares: number[] }} */
  #broken = { version: -1, shares: [] };

  /** @type {{ entry: Float32Array, exit: Float32Array } | null} */
  #maps = null;

  #version = 0;

  #wanted = 0;

  /**
   * @param {Family} family
   * @param {Lattice} lattice
   * @param {StoreOptions} [options]
   */
  constructor(family, lattice, { onChange = () => {}, queue = sharedQueue(), rim = 0 } = {}) {
    this.family = family;
    this.lattice = lattice;
    this.onChange = onChange;
    this.queue = queue;
    this.pixels = pixelsWithin(lattice, rim);
    /** Levels of the sheets. */
    this.levels = family.orientation === 1 ? family.knots : family.knots.slice().reverse();
    this.#fields = Array.from(this.levels, () => null);
    this.#asked = new Uint8Array(this.levels.length);
    this.number = queue.add(this);
  }

  /** Number of fields that are there. */
  get filled() { return this.#version; }

  /** Whether all fields are there. */
  get complete() { return this.#version === this.levels.length; }

  /** Fills the fields nearest to a level first, then those of smaller sets. @param {number} level */
  prefer(level) {
    this.#wanted = this.#position(level);
  }

  dispose() {
    this.queue.remove(this.number);
    this.#fields.fill(null);
    this.#asked.fill(1);
    this.#running.values = null;
  }

  /** @returns {FieldJob | null} */
  nextJob() {
    let [best, least] = [-1, Infinity];
    for (let k = 0; k < this.levels.length; k += 1) {
      if (this.#asked[k]) continue;
      const ahead = k - this.#wanted;
      const cost = ahead < 1 ? Math.abs(ahead) : this.levels.length + ahead;
      if (cost < least) [best, least] = [k, cost];
    }
    if (best < 0) return null;
    this.#asked[best] = 1;
    return { knot: best, level: this.levels[best], below: this.#isBelow(best) };
  }

  /** @param {number} knot @param {Float32Array} field */
  accept(knot, field) {
    this.#fields[knot] = field;
    this.#version += 1;
    this.onChange();
  }

  /** Asks again for what was under way. */
  forget() {
    this.#fields.forEach((field, k) => { this.#asked[k] = field ? 1 : 0; });
  }

  /**
   * Returns the field of the set at a level, computed now.
   * @param {number} level
   * @param {Lattice} [lattice]
   */
  direct(level, lattice = this.lattice) {
    return this.#ruled(fieldOn(this.family, level, lattice), level, lattice);
  }

  /**
   * Returns the field of the set at a level from those of the knots around it. Exact for a family of
   * few levels; along a path of many breakpoints outlines are some pixels off, unlike `direct`.
   * @param {number} level
   */
  quick(level) {
    return this.#ruled(this.#own(level), level, this.lattice);
  }

  /**
   * Returns a field that is not negative where a smaller set is inside and this one is not; null for
   * a nested family.
   * @param {number} level
   * @param {Float32Array} [own] The field at this level if it is known, on the store's lattice: its
   *   outline and the broken part then share their edge.
   */
  broken(level, own = this.#own(level)) {
    if (this.family.isNested) return null;
    const values = own.slice();
    const before = this.#runningTo(Math.floor(this.#position(level)) + 1);
    if (before) raiseTo(values, before);
    for (let k = 0; k < values.length; k += 1) {
      values[k] = own[k] === 0 ? -LEAST : Math.min(values[k], -own[k]);
    }
    return values;
  }

  /** Returns the share of the picture that is broken at the levels of all fields that are there. */
  brokenShares() {
    const sheets = this.#sheets();
    if (this.#broken.version !== this.#version) {
      const shares = this.family.isNested ? sheets.map(() => 0) : brokenShare(sheets, this.pixels);
      this.#broken = { version: this.#version, shares };
    }
    const turn = this.family.orientation === 1 ? 1 : -1;
    const order = Array.from(sheets.keys()).sort((a, b) => turn * (a - b));
    return {
      levels: Float64Array.from(order, (k) => sheets[k].level),
      shares: Float64Array.from(order, (k) => this.#broken.shares[k]),
      complete: this.complete,
    };
  }

  /** Returns the first level of each pixel, NaN where there is none; null until all is filled. */
  entryLevels() {
    return this.#levelMaps()?.entry ?? null;
  }

  /** Returns the level from which on each pixel stays inside; null until all is filled. */
  exitLevels() {
    return this.#levelMaps()?.exit ?? null;
  }

  #levelMaps() {
    if (this.#maps || !this.complete) return this.#maps;
    const sheets = this.#sheets();
    const { derived, isNested } = this.family;
    const exit = derived === "intersection" || !isNested ? exitMap(sheets) : null;
    const entry = derived === "intersection" && exit ? exit : entryMap(sheets);
    this.#maps = { entry, exit: exit ?? entry };
    return this.#maps;
  }

  /** @returns {Sheet[]} */
  #sheets() {
    /** @type {Sheet[]} */
    const sheets = [];
    this.#fields.forEach((field, k) => { if (field) sheets.push({ level: this.levels[k], field }); });
    return sheets;
  }

  /** Whether a sheet is the limit of a jump from below. @param {number} k */
  #isBelow(k) {
    return this.levels[k + this.family.orientation] === this.levels[k];
  }

  /** Returns a level's place among the sheets, from 0 to the last. @param {number} level */
  #position(level) {
    const { orientation } = this.family;
    const last = this.levels.length - 1;
    let k = 0;
    // At a jump the level itself is above: the later sheet if sets grow with the level.
    while (k < last && (orientation === 1 ? this.levels[k + 1] <= level : this.levels[k + 1] > level)) k += 1;
    if (orientation === -1 && k < last && this.levels[k + 1] === level) return k + 1;
    const gap = k === last ? 0 : this.levels[k + 1] - this.levels[k];
    return gap ? k + Math.min(Math.max((level - this.levels[k]) / gap, 0), 1) : k;
  }

  /** Returns the field of the base at a level. @param {number} level */
  #own(level) {
    const position = this.#position(level);
    const k = Math.floor(position);
    const [a, b] = [this.#fields[k], this.#fields[Math.ceil(position)]];
    if (!a || !b) return fieldOn(this.family, level, this.lattice);
    const weight = position - k;
    const values = a.slice();
    if (weight) for (let p = 0; p < values.length; p += 1) values[p] += weight * (b[p] - a[p]);
    return values;
  }

  /**
   * Returns the largest field over the first sheets that are there; for an intersection the
   * smallest over all but the first.
   * @param {number} count
   */
  #runningTo(count) {
    const small = this.family.derived !== "intersection";
    const running = this.#running;
    const same = running.version === this.#version && running.values;
    if (same && running.count === count) return running.values;
    const onward = same && small && running.count < count;
    const from = onward ? running.count : (small ? 0 : count);
    const to = small ? count : this.levels.length;
    let values = onward ? running.values : null;
    for (let k = from; k < to; k += 1) {
      const field = this.#fields[k];
      if (field && !values) values = field.slice();
      else if (field && values) (small ? raiseTo : lowerTo)(values, field);
    }
    this.#running = { version: this.#version, count, values };
    return values;
  }

  /**
   * Applies the rule of a derived family to the field of its base, in place.
   * @param {Float32Array} values
   * @param {number} level
   * @param {Lattice} lattice
   */
  #ruled(values, level, lattice) {
    if (!this.family.derived) return values;
    const small = this.family.derived === "union";
    const position = this.#position(level);
    let running = this.#runningTo(small ? Math.floor(position) + 1 : Math.ceil(position));
    if (running && lattice !== this.lattice) running = this.#resampled(running, lattice);
    if (running) (small ? raiseTo : lowerTo)(values, running);
    return values;
  }

  /** @param {Float32Array} field @param {Lattice} lattice */
  #resampled(field, lattice) {
    const { u0, v0, du, dv, columns, rows } = this.lattice;
    const box = { umin: u0, umax: u0 + (columns - 1) * du, vmin: v0, vmax: v0 + (rows - 1) * dv };
    const out = new Float32Array(lattice.rows * lattice.columns);
    resampledField({ kind: "grid", columns, rows, ...box }, field, 0, lattice, out);
    return out;
  }
}
