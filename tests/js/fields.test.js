// Fields kept at the knots of a family, filled in slices, against fields computed one by one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { intervalsAt, valueAt } from "../../nestviz/ui/player/js/family.js";
import { fieldOn, latticeOf } from "../../nestviz/ui/player/js/field.js";
import { FieldQueue } from "../../nestviz/ui/player/js/field_queue.js";
import { FieldStore } from "../../nestviz/ui/player/js/fields.js";
import { plainFamily } from "./families.js";

const LATTICE = latticeOf([-2, 2, -1.5, 1.5], 21, 17);

/** A queue whose slices hold one field each and run when the test says so. */
function manualQueue(startWorker = null) {
  const waiting = [];
  let clock = 0;
  const queue = new FieldQueue({
    startWorker,
    schedule: (run, delay) => { if (!delay) waiting.push(run); },
    now: () => { clock += 10; return clock; },
  });
  const step = () => waiting.shift()?.();
  const finish = () => { while (waiting.length) step(); };
  return { queue, step, finish };
}

/** A family that is not nested, of either orientation. */
function crossing(orientation, rest = {}) {
  return plainFamily({
    centres: [[-0.8, 0], [0.8, 0.2], [0, -0.6]],
    rows: [[1, 0, 0.2], [0.2, 1, 0.1], [1, 0.3, 0.9], [0.9, 1, 1]],
    levels: [0, 1, 2, 3], offsets: [0.5, 0.4, 0.45, 0.35], sigma: 0.6, orientation, ...rest,
  });
}

function filledStore(family, options = {}) {
  const { queue, finish } = manualQueue();
  const store = new FieldStore(family, LATTICE, { queue, ...options });
  finish();
  return store;
}

const pixelsOf = (lattice) => Array.from({ length: lattice.columns * lattice.rows }, (_, k) => [
  lattice.u0 + (k % lattice.columns) * lattice.du,
  lattice.v0 + Math.floor(k / lattice.columns) * lattice.dv,
]);

function assertNear(got, wanted, within = 1e-6) {
  assert.equal(got.length, wanted.length);
  got.forEach((value, k) => assert.ok(
    Object.is(value, wanted[k]) || Math.abs(value - wanted[k]) <= within, `${k}: ${value}, not ${wanted[k]}`,
  ));
}

test("a blend of knots is the field at the level, before and after they are filled", () => {
  const family = crossing(1);
  const { queue, finish } = manualQueue();
  let changes = 0;
  const store = new FieldStore(family, LATTICE, { queue, onChange: () => { changes += 1; } });
  for (const level of [0, 0.3, 1, 2.75, 3]) assertNear(store.quick(level), fieldOn(family, level, LATTICE));
  assert.equal(store.entryLevels(), null);
  finish();
  assert.equal(changes, 4);
  assert.ok(store.complete);
  for (const level of [0, 0.3, 1, 2.75, 3]) assertNear(store.quick(level), fieldOn(family, level, LATTICE));
});

for (const orientation of [1, -1]) {
  test(`broken pixels are inside a smaller set and outside now (${orientation})`, () => {
    const family = crossing(orientation);
    const store = filledStore(family);
    for (const level of [0.4, 1, 1.5, 2.6]) {
      const field = store.broken(level);
      pixelsOf(LATTICE).forEach(([u, v], k) => {
        const values = [0, 1, 2, 3].filter((knot) => orientation * (level - knot) >= 0)
          .map((knot) => valueAt(family, u, v, knot));
        const own = valueAt(family, u, v, level);
        assert.equal(field[k] >= 0, own < 0 && values.some((value) => value >= 0), `${[u, v]}`);
      });
    }
    const { levels, shares, complete } = store.brokenShares();
    assert.deepEqual([...levels], [0, 1, 2, 3]);
    assert.ok(complete);
    assert.equal(shares[orientation === 1 ? 0 : 3], 0);
    levels.forEach((level, k) => {
      const count = store.broken(level).filter((value) => value >= 0).length;
      assert.equal(shares[k], count / (21 * 17));
    });
    assert.ok(Math.max(...shares) > 0);
  });

  test(`entry and exit levels are those of single locations (${orientation})`, () => {
    const family = crossing(orientation);
    const store = filledStore(family);
    const [entry, exit] = [store.entryLevels(), store.exitLevels()];
    const largest = orientation === 1 ? 3 : 0;
    pixelsOf(LATTICE).forEach(([u, v], k) => {
      const intervals = intervalsAt(family, u, v);
      const [first, last] = orientation === 1 ? [intervals[0], intervals.at(-1)] : [intervals.at(-1), intervals[0]];
      const side = orientation === 1 ? 0 : 1;
      assertNear([entry[k]], [first ? first[side] : NaN], 1e-5);
      assertNear([exit[k]], [last && last[1 - side] === largest ? last[side] : NaN], 1e-5);
    });
  });

  test(`derived families follow their rule (${orientation})`, () => {
    for (const derived of ["union", "intersection"]) {
      const family = crossing(orientation, { derived, is_nested: true });
      const store = filledStore(family);
      for (const level of [0, 0.4, 1, 2.6, 3]) {
        const wanted = pixelsOf(LATTICE).map(([u, v]) => valueAt(family, u, v, level));
        assertNear(store.direct(level), wanted);
        assertNear(store.quick(level), wanted);
      }
      assert.equal(store.broken(1), null);
      assert.ok(store.brokenShares().shares.every((share) => share === 0));
      pixelsOf(LATTICE).forEach(([u, v], k) => {
        const [interval] = intervalsAt(family, u, v);
        const wanted = interval ? interval[orientation === 1 ? 0 : 1] : NaN;
        assertNear([store.entryLevels()[k], store.exitLevels()[k]], [wanted, wanted], 1e-5);
      });
    }
  });
}

test("broken pixels of a field that is given", () => {
  const store = filledStore(crossing(1));
  const own = store.direct(1.5).map((value) => value - 0.1);
  const [given, usual] = [store.broken(1.5, own), store.broken(1.5)];
  assert.ok(given.every((value, k) => value < 0 || own[k] < 0));
  assert.ok(given.filter((value) => value >= 0).length > usual.filter((value) => value >= 0).length);
});

test("a derived family on another lattice, up to the error of interpolation", () => {
  const family = crossing(1, { derived: "union", is_nested: true });
  const { queue, finish } = manualQueue();
  const store = new FieldStore(family, latticeOf([-2, 2, -1.5, 1.5], 101, 101), { queue });
  finish();
  const other = latticeOf([-1, 1, -1, 1], 9, 9);
  assertNear(store.direct(2, other), pixelsOf(other).map(([u, v]) => valueAt(family, u, v, 2)), 0.01);
});

for (const orientation of [1, -1]) {
  test(`both sides of a jump (${orientation})`, () => {
    const family = plainFamily({
      centres: [[0, 0]], rows: [[1], [1], [0.2], [0.3]], levels: [0, 1, 1, 2], offsets: [0.5, 0.4, 0.1, 0.1],
      sigma: 0.7, orientation,
    });
    const store = filledStore(family);
    for (const level of [0, 0.5, 1, 1.5, 2]) assertNear(store.quick(level), fieldOn(family, level, LATTICE));
    const centre = 8 * 21 + 10;
    assertNear([store.quick(1 - 1e-9)[centre]], [0.6], 1e-5);
    assertNear([store.quick(1)[centre]], [0.1], 1e-5);
  });
}

test("a family of one level", () => {
  const family = plainFamily({ centres: [[0, 0]], rows: [[1]], levels: [0], offsets: [0.5] });
  const store = filledStore(family);
  assertNear(store.quick(0), fieldOn(family, 0, LATTICE));
  assert.equal(store.entryLevels()[8 * 21 + 10], 0);
});

test("fields near the level shown come first, then those of smaller sets", () => {
  const levels = [0, 1, 2, 3, 4, 5];
  for (const [orientation, wanted] of [[1, [3, 4, 2, 1, 0, 5]], [-1, [4, 3, 5, 2, 1, 0]]]) {
    const family = plainFamily({
      centres: [[0, 0]], rows: levels.map(() => [1]), levels, offsets: levels.map(() => 0.5), orientation,
    });
    const { queue } = manualQueue();
    const store = new FieldStore(family, LATTICE, { queue });
    store.prefer(orientation === 1 ? 3.4 : 3.6);
    assert.deepEqual(levels.map(() => store.nextJob().level), wanted);
    assert.equal(store.nextJob(), null);
  }
});

test("a store that is disposed gets nothing more, and others go on", () => {
  const { queue, step, finish } = manualQueue();
  const [first, second] = [crossing(1), crossing(-1)].map((family) => new FieldStore(family, LATTICE, { queue }));
  step();
  step();
  assert.deepEqual([first.filled, second.filled], [1, 1]);
  first.dispose();
  finish();
  assert.deepEqual([first.filled, second.complete], [1, true]);
});

/** A worker that computes when the test says so, or fails. */
class FakeWorker {
  sent = [];

  postMessage(message) { this.sent.push(message); }

  terminate() { this.ended = true; }

  answer(index, family) {
    const { store, knot, level, below } = this.sent.filter(({ kind }) => kind === "field")[index];
    this.onmessage({ data: { store, knot, field: fieldOn(family, level, LATTICE, undefined, below) } });
  }
}

test("a worker is sent a family once, and two levels at a time", () => {
  const worker = new FakeWorker();
  const family = crossing(1);
  const { queue } = manualQueue(() => worker);
  const store = new FieldStore(family, LATTICE, { queue });
  assert.deepEqual(worker.sent.map(({ kind }) => kind), ["open", "field", "field"]);
  for (let k = 0; k < 4; k += 1) worker.answer(k, family);
  assert.ok(store.complete);
  assert.equal(worker.sent.length, 5);
  store.dispose();
  assert.equal(worker.sent.at(-1).kind, "close");
});

test("answers for a store that is gone are dropped", () => {
  const worker = new FakeWorker();
  const { queue } = manualQueue(() => worker);
  const family = crossing(1);
  const first = new FieldStore(family, LATTICE, { queue });
  first.dispose();
  const second = new FieldStore(family, LATTICE, { queue });
  worker.answer(0, family);
  assert.deepEqual([first.filled, second.filled], [0, 0]);
  assert.equal(worker.sent.at(-1).kind, "field");
});

test("without its worker a store is filled by the page itself", () => {
  const worker = new FakeWorker();
  const { queue, finish } = manualQueue(() => worker);
  const store = new FieldStore(crossing(1), LATTICE, { queue });
  worker.onerror();
  finish();
  assert.ok(worker.ended && store.complete);
  const refused = manualQueue(() => { throw new Error("forbidden"); });
  const other = new FieldStore(crossing(1), LATTICE, { queue: refused.queue });
  refused.finish();
  assert.ok(other.complete);
});

test("the worker's script computes the same fields", async () => {
  const answers = [];
  globalThis.postMessage = (message) => answers.push(message);
  await import("../../nestviz/ui/player/js/field_worker.js");
  const family = structuredClone(crossing(1));
  const ask = (data) => globalThis.onmessage({ data });
  ask({ kind: "open", store: 7, family, lattice: LATTICE });
  ask({ kind: "field", store: 7, knot: 2, level: 2, below: false });
  ask({ kind: "close", store: 7 });
  assert.deepEqual(answers, [{ store: 7, knot: 2, field: fieldOn(crossing(1), 2, LATTICE) }]);
});
