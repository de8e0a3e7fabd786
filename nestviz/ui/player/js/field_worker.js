// A web worker that computes fields. Families are sent once, then levels are asked for.

/** @import { Family } from "./family.js" */
/** @import { Lattice } from "./field.js" */
/** @import { WorkerQuestion } from "./field_queue.js" */
import { fieldOn } from "./field.js";

/** @type {Map<number, { family: Family, lattice: Lattice }>} */
const opened = new Map();

/** @type {any} The global scope of a worker; the type checker takes it for a window. */
const workerScope = globalThis;

workerScope.onmessage = (/** @type {{ data: WorkerQuestion }} */ { data }) => {
  if (data.kind === "open") opened.set(data.store, { family: data.family, lattice: data.lattice });
  else if (data.kind === "close") opened.delete(data.store);
  else {
    const { family, lattice } = /** @type {{ family: Family, lattice: Lattice }} */ (opened.get(data.store));
    const field = fieldOn(family, data.level, lattice, undefined, data.below);
    workerScope.postMessage({ store: data.store, knot: data.knot, field }, [field.buffer]);
  }
};
