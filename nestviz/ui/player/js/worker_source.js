// The text of field_worker.js with all it imports; components/assets.py writes it here.

/** @type {string} */
export const WORKER_SOURCE = "";
