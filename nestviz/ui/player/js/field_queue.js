// Computes the fields that stores wait for, in one worker for all of them, or in short slices of
// the page's own time where there is no worker.

/** @import { Family } from "./family.js" */
/** @import { Lattice } from "./field.js" */
import { fieldOn } from "./field.js";
import { WORKER_SOURCE } from "./worker_source.js";

/** @typedef {{ knot: number, level: number, below: boolean }} FieldJob */
/**
 * @typedef {{ kind: "open", store: number, family: Family, lattice: Lattice }
 *   | { kind: "close", store: number }
 *   | { kind: "field", store: number } & FieldJob} WorkerQuestion
 */
/**
 * What waits for fields.
 * @typedef {object} FieldClient
 * @property {Family} family
 * @property {Lattice} lattice
 * @property {() => FieldJob | null} nextJob The most wanted field that is not under way.
 * @property {(knot: number, field: Float32Array) => void} accept
 * @property {() => void} forget Nothing is under way any more.
 */
/**
 * @typedef {object} QueueParts
 * @property {(() => Worker) | null} startWorker
 * @property {(run: () => void, delay?: number) => unknown} schedule
 * @property {() => number} now In milliseconds.
 */

/** Jobs that a worker has at a time: one to compute and one to follow, so that order can change. */
const UNDER_WAY = 2;
/** Milliseconds of a slice without a worker. */
const SLICE = 8;
/** Milliseconds after which a worker without stores ends. */
const IDLE = 20_000;

export class FieldQueue {
  /** @type {Map<number, FieldClient>} */
  #clients = new Map();

  /** Stores that the worker has been sent. @type {Set<number>} */
  #opened = new Set();

  /** @type {Worker | null} */
  #worker = null;

  #count = 0;

  #underWay = 0;

  #scheduled = false;

  /** @param {QueueParts} parts */
  constructor(parts) {
    this.parts = parts;
  }

  /** Adds a store and returns its number. @param {FieldClient} client */
  add(client) {
    this.#count += 1;
    this.#clients.set(this.#count, client);
    this.wake();
    return this.#count;
  }

  /** @param {number} store */
  remove(store) {
    this.#clients.delete(store);
    if (this.#opened.delete(store)) this.#worker?.postMessage({ kind: "close", store });
    if (!this.#clients.size) this.parts.schedule(() => this.#rest(), IDLE);
  }

  /** Begins work if there is any. */
  wake() {
    const worker = this.#workerOrNone();
    if (worker) this.#supply(worker);
    else if (!this.#scheduled) {
      this.#scheduled = true;
      this.parts.schedule(() => this.#slice());
    }
  }

  #rest() {
    if (this.#clients.size) return;
    this.#worker?.terminate();
    this.#worker = null;
    this.#underWay = 0;
  }

  #workerOrNone() {
    if (this.#worker || !this.parts.startWorker) return this.#worker;
    try {
      this.#worker = this.parts.startWorker();
    } catch {
      // A page may forbid workers; its own time serves as well.
      this.parts.startWorker = null;
      return null;
    }
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = () => this.#dismiss();
    return this.#worker;
  }

  /** Goes on without a worker that has failed. */
  #dismiss() {
    this.#worker?.terminate();
    this.#worker = null;
    this.parts.startWorker = null;
    this.#underWay = 0;
    this.#opened.clear();
    for (const client of this.#clients.values()) client.forget();
    this.wake();
  }

  /** @param {{ store: number, knot: number, field: Float32Array }} answer */
  #receive({ store, knot, field }) {
    this.#underWay -= 1;
    this.#clients.get(store)?.accept(knot, field);
    this.wake();
  }

  /** Returns the next job; stores take turns. @returns {[number, FieldClient, FieldJob] | null} */
  #next() {
    for (const [store, client] of this.#clients) {
      const job = client.nextJob();
      if (!job) continue;
      this.#clients.delete(store);
      this.#clients.set(store, client);
      return [store, client, job];
    }
    return null;
  }

  /** @param {Worker} worker */
  #supply(worker) {
    while (this.#underWay < UNDER_WAY) {
      const next = this.#next();
      if (!next) return;
      const [store, { family, lattice }, job] = next;
      if (!this.#opened.has(store)) {
        this.#opened.add(store);
        worker.postMessage({ kind: "open", store, family, lattice });
      }
      worker.postMessage({ kind: "field", store, ...job });
      this.#underWay += 1;
    }
  }

  #slice() {
    this.#scheduled = false;
    const end = this.parts.now() + SLICE;
    do {
      const next = this.#next();
      if (!next) return;
      const [, client, { knot, level, below }] = next;
      client.accept(knot, fieldOn(client.family, level, client.lattice, undefined, below));
    } while (this.parts.now() < end);
    this.wake();
  }
}

/** @returns {Worker} */
function startFieldWorker() {
  const url = URL.createObjectURL(new Blob([WORKER_SOURCE], { type: "text/javascript" }));
  return new Worker(url);
}

/** @type {FieldQueue | null} */
let commonQueue = null;

/** Returns the queue of the page. */
export function sharedQueue() {
  commonQueue ??= new FieldQueue({
    startWorker: WORKER_SOURCE && typeof Worker === "function" ? startFieldWorker : null,
    schedule: (run, delay = 0) => setTimeout(run, delay),
    now: () => performance.now(),
  });
  return commonQueue;
}
