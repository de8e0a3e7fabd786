// The sets of one panel: its family, evaluated for the part of the plane that is shown.

/** @import { Plot, View } from "../../components/js/plot.js" */
/** @import { Theme } from "../../components/js/theme.js" */
/** @import { Panel } from "./decode.js" */
/** @import { Lattice } from "./field.js" */
/** @import { Hill } from "./hill.js" */
/** @import { Part } from "./parts.js" */
/** @import { Scale } from "./scale.js" */
/** @import { Stack } from "./stack_shape.js" */
import { traceSet } from "./contour.js";
import { latticeOf } from "./field.js";
import { FieldStore } from "./fields.js";
import { makeHill } from "./hill.js";
import { partsOf } from "./parts.js";
import { makeStack } from "./stack_shape.js";

/** Pixels between two values of a field: while the level moves, and at rest. */
const QUICK_CELL = 6;
const FINE_CELL = 3;
const MOST_CELLS = 220;
/** Cells beyond the view on each side. */
const LATTICE_RIM = 1;
/** With more centres than this, fields are coarser. */
const MANY_CENTRES = 1200;

/**
 * Returns a lattice that reaches one cell beyond the view, so that no outline runs along its edge.
 * @param {Plot} plot
 * @param {number} cell
 * @returns {Lattice}
 */
function latticeFor({ view, w, h }, cell) {
  const [xmin, xmax, ymin, ymax] = view;
  const columns = Math.min(MOST_CELLS, Math.max(12, Math.round(w / cell)));
  const rows = Math.min(MOST_CELLS, Math.max(12, Math.round(h / cell)));
  const [du, dv] = [(xmax - xmin) / columns, (ymax - ymin) / rows];
  const [beyondX, beyondY] = [LATTICE_RIM * du, LATTICE_RIM * dv];
  /** @type {View} */
  const wider = [xmin - beyondX, xmax + beyondX, ymin - beyondY, ymax + beyondY];
  return latticeOf(wider, columns + 2 * LATTICE_RIM + 1, rows + 2 * LATTICE_RIM + 1);
}

export class PanelSets {
  /** @param {Panel} panel @param {() => void} onChange Called when more of the sets is known. */
  constructor(panel, onChange) {
    this.panel = panel;
    this.onChange = onChange;
    /** @type {Plot | null} */
    this.plot = null;
    /** @type {FieldStore | null} */
    this.store = null;
    /** @type {Lattice | null} */
    this.quick = null;
    /** @type {Lattice | null} */
    this.fine = null;
    this.version = 0;
    /** @type {Map<string, Path2D | null>} */
    this.paths = new Map();
    /** @type {{ key: string, made: Hill } | null} */
    this.knownHill = null;
    /** @type {{ key: string, made: Stack } | null} */
    this.knownStack = null;
  }

  /** Takes over a place on the canvas and a part of the plane. @param {Plot} plot */
  arrange(plot) {
    const old = this.plot;
    this.plot = plot;
    this.paths.clear();
    this.knownHill = this.knownStack = null;
    const same = old && old.w === plot.w && old.h === plot.h && String(old.view) === String(plot.view);
    if (same && this.store) return;
    const coarser = this.panel.classes.length > MANY_CENTRES ? 1.4 : 1;
    this.quick = latticeFor(plot, QUICK_CELL * coarser);
    this.fine = latticeFor(plot, FINE_CELL * coarser);
    this.store?.dispose();
    this.version = 0;
    this.store = new FieldStore(this.panel.family, this.quick, {
      rim: LATTICE_RIM,
      onChange: () => {
        this.version += 1;
        this.onChange();
      },
    });
  }

  dispose() {
    this.store?.dispose();
    this.store = null;
  }

  /**
   * @param {string} key
   * @param {() => [Float32Array, Lattice] | null} make
   * @returns {Path2D | null}
   */
  path(key, make) {
    const known = this.paths.get(key);
    if (known !== undefined) return known;
    const made = make();
    const path = made && this.plot ? new Path2D() : null;
    if (path && made && this.plot) traceSet(...made, path, this.plot.toX, this.plot.toY);
    // Few are needed again: the present level, and those that are outlined all the time.
    if (this.paths.size > 40) this.paths.clear();
    this.paths.set(key, path);
    return path;
  }

  /**
   * Returns the set at a level; coarser while the level moves.
   * @param {number} level
   * @param {boolean} moving
   * @returns {Path2D | null}
   */
  set(level, moving) {
    const { store, quick, fine } = this;
    if (!store || !quick || !fine) return null;
    // A derived set becomes known bit by bit.
    const version = this.panel.family.derived ? this.version : 0;
    return this.path(`set ${level} ${moving} ${version}`, () => (
      moving ? [this.moved(level, store), quick] : [store.direct(level, fine), fine]
    ));
  }

  /**
   * Returns the field at a level that moves. Fields are blended only where that is exact, between the
   * few levels of a nested family, or where there are too many centres for anything else.
   * @param {number} level
   * @param {FieldStore} store
   * @returns {Float32Array}
   */
  moved(level, store) {
    const { family, classes } = this.panel;
    const few = family.isNested && !family.derived;
    return few || classes.length > MANY_CENTRES ? store.quick(level) : store.direct(level);
  }

  /** Returns where nesting is violated at a level, as far as known. @param {number} level */
  broken(level) {
    const { store, quick } = this;
    if (!store || !quick) return null;
    return this.path(`broken ${level} ${this.version}`, () => {
      const field = store.broken(level, this.moved(level, store));
      return field && [field, quick];
    });
  }

  /**
   * Returns the connected parts of the set and of what is violated at a level.
   * @param {number} level
   * @returns {{ set: Part[], broken: Part[] }}
   */
  parts(level) {
    const { store, quick } = this;
    if (!store || !quick) return { set: [], broken: [] };
    const field = store.direct(level).slice();
    const broken = store.broken(level, field);
    return {
      set: partsOf(field, quick, LATTICE_RIM),
      broken: broken ? partsOf(broken, quick, LATTICE_RIM) : [],
    };
  }

  /** @param {number} level @returns {number} Share of the picture. */
  brokenShare(level) {
    const shares = this.shares();
    if (!shares || !shares.levels.length) return 0;
    const { levels, shares: values } = shares;
    let k = levels.length - 1;
    while (k > 0 && levels[k] > level) k -= 1;
    if (k === levels.length - 1 || level <= levels[0]) return values[k];
    const weight = (level - levels[k]) / (levels[k + 1] - levels[k] || 1);
    return values[k] * (1 - weight) + values[k + 1] * weight;
  }

  shares() {
    return this.store && !this.panel.family.isNested ? this.store.brokenShares() : null;
  }

  /**
   * Returns the entry levels as a hill, once they are known.
   * @param {Scale} scale
   * @param {Theme} theme
   * @returns {Hill | null}
   */
  hill(scale, theme) {
    const { store, quick } = this;
    const entry = store?.entryLevels();
    if (!entry || !quick || !store) return null;
    const key = `${this.version} ${theme.dark}`;
    if (this.knownHill?.key !== key) {
      const exit = this.panel.family.isNested ? null : store.exitLevels();
      this.knownHill = { key, made: makeHill(entry, exit, quick, scale, theme) };
    }
    return this.knownHill.made;
  }

  /**
   * Returns the sets of some levels as a stack.
   * @param {number[]} levels
   * @param {Scale} scale
   * @returns {Stack | null}
   */
  stack(levels, scale) {
    const { store, quick } = this;
    if (!store || !quick) return null;
    const key = `${this.version} ${levels}`;
    if (this.knownStack?.key !== key) {
      const sheets = levels.map((level) => ({ level, field: store.direct(level).slice(), lattice: quick }));
      this.knownStack = { key, made: makeStack(sheets, scale) };
    }
    return this.knownStack.made;
  }
}
