// Reads the message of protocol.py: header length, JSON header, padding, arrays. Needs no DOM.

/** @import { Box, View } from "../../components/js/plot.js" */
import { QUANTUM } from "../../components/js/palette.js";

/** @typedef {"legend" | "readout" | "speed" | "loop" | ViewName} Part */
/** @typedef {"levels" | "outline" | "fill" | "overlay" | "sizes"} ViewName */
/**
 * Settings of the player itself.
 * @typedef {object} PlayerSettings
 * @property {string} id
 * @property {number} height
 * @property {Part[]} show
 * @property {boolean} report
 */
/**
 * Closed rings for each frame; coordinates are steps across the view box.
 * @typedef {{ vertices: Int16Array, ringStarts: Uint32Array, frameStarts: Uint32Array }} Layer
 */
/**
 * @typedef {object} Panel
 * @property {string} title
 * @property {Int16Array} points x and y in turn.
 * @property {Uint8Array} classes
 * @property {Layer} sets
 * @property {Layer | null} overlay
 * @property {Uint8Array | null} markerSizes Of all points at the first frame, then the second, ...
 * @property {string[] | null} texts
 * @property {Uint8Array | null} flags
 */
/**
 * Fields that the header holds as they are.
 * @typedef {object} SweepFields
 * @property {PlayerSettings} player
 * @property {string[]} labels
 * @property {string[]} captions
 * @property {string} level_name
 * @property {View} view
 * @property {string} alt
 * @property {[string, string]} axis_names
 * @property {string[]} class_names
 * @property {string} set_name
 * @property {string} overlay_name
 * @property {string} flag_name
 * @property {ViewName[]} shown
 * @property {number} start
 * @property {boolean} autoplay
 * @property {"bounce" | "wrap"} loop
 * @property {number} ghost_every
 * @property {boolean} keep_aspect
 * @property {number} frames_per_second
 */
/** @typedef {SweepFields & { levels: Float64Array, panels: Panel[] }} Sweep */

const ARRAY_TYPES = {
  int16: Int16Array, uint8: Uint8Array, uint32: Uint32Array, float64: Float64Array,
};

/**
 * Copies the arrays of a message, which also gives each the alignment its type demands.
 * @param {Uint8Array} bytes
 * @param {number} body Where the arrays begin.
 * @param {{ dtype: keyof typeof ARRAY_TYPES, offset: number, length: number }[]} table
 */
function readArrays(bytes, body, table) {
  return table.map(({ dtype, offset, length }) => {
    const Type = ARRAY_TYPES[dtype];
    const start = body + offset;
    return new Type(bytes.slice(start, start + length * Type.BYTES_PER_ELEMENT).buffer);
  });
}

/** @param {Uint8Array} bytes @returns {Sweep} */
export function decodeSweep(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  /** @type {any[]} */
  const arrays = readArrays(bytes, 4 + length + ((4 - (length % 4)) % 4), header.arrays);
  /** @param {{ vertices: number, ring_starts: number, frame_starts: number }} rows @returns {Layer} */
  const layer = ({ vertices, ring_starts: rings, frame_starts: frames }) => ({
    vertices: arrays[vertices], ringStarts: arrays[rings], frameStarts: arrays[frames],
  });
  /** @param {any} panel @returns {Panel} */
  const decodePanel = (panel) => ({
    title: panel.title,
    texts: panel.texts,
    points: arrays[panel.points],
    classes: arrays[panel.classes],
    sets: layer(panel.sets),
    overlay: panel.overlay && layer(panel.overlay),
    markerSizes: panel.marker_sizes === null ? null : arrays[panel.marker_sizes],
    flags: panel.flags === null ? null : arrays[panel.flags],
  });
  return { ...header, levels: arrays[header.levels], panels: header.panels.map(decodePanel) };
}

/** @param {number} steps @returns {number} Fraction of the view box, from the left. */
export const acrossOf = (steps) => steps / QUANTUM + 0.5;

/** @param {number} steps @returns {number} Fraction of the view box, from the top. */
export const downOf = (steps) => 0.5 - steps / QUANTUM;

/**
 * Returns where points lie on the canvas, x and y in turn.
 * @param {Int16Array} points
 * @param {Box} plot
 * @returns {Float32Array}
 */
export function canvasPositions(points, plot) {
  const positions = new Float32Array(points.length);
  for (let k = 0; k < positions.length; k += 2) {
    positions[k] = plot.x + acrossOf(points[k]) * plot.w;
    positions[k + 1] = plot.y + downOf(points[k + 1]) * plot.h;
  }
  return positions;
}

/**
 * Adds the rings of one frame to a path.
 * @param {Pick<Path2D, "moveTo" | "lineTo" | "closePath">} path
 * @param {Layer} layer
 * @param {number} frame
 * @param {Box} plot
 */
export function traceFrame(path, { vertices, ringStarts, frameStarts }, frame, plot) {
  for (let ring = frameStarts[frame]; ring < frameStarts[frame + 1]; ring++) {
    const [first, end] = [ringStarts[ring], ringStarts[ring + 1]];
    for (let v = first; v < end; v++) {
      const x = plot.x + acrossOf(vertices[2 * v]) * plot.w;
      const y = plot.y + downOf(vertices[2 * v + 1]) * plot.h;
      if (v === first) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
    path.closePath();
  }
}
