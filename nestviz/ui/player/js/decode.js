// Reads the message of message.py: header length, JSON header, padding, arrays. Needs no DOM.

/** @import { Band } from "./band.js" */
/** @import { View } from "../../components/js/plot.js" */
/** @import { Family } from "./family.js" */
/** @import { Lattice } from "./field.js" */
/** @import { Knob } from "./knob_values.js" */
/** @import { Scale } from "./scale.js" */
import { readFamily } from "./family.js";

/** @typedef {"levels" | "outline" | "fill" | "overlay" | "sizes" | "hill" | "stack" | "swipe" | "truth" | "roles" | "band"} ViewName */
/** @typedef {"legend" | "readout" | "speed" | "loop" | "tools" | "paths" | ViewName} Part */
/**
 * Settings of the player itself.
 * @typedef {object} PlayerSettings
 * @property {string} id
 * @property {number} height
 * @property {Part[]} show
 * @property {boolean} report
 * @property {boolean} [editable] Whether points may be drawn, moved and deleted.
 * @property {[number, number] | null} [probe] The location that is pinned.
 * @property {StoryStep | null} [story] The words beside the picture.
 */
/**
 * A step of a story.
 * @typedef {object} StoryStep
 * @property {string} name
 * @property {string} title
 * @property {string[]} text Paragraphs.
 * @property {string} notes For the speaker.
 * @property {[name: string, title: string][]} steps All of them, in order.
 * @property {{ name: string, label: string, chosen: boolean }[]} choices
 * @property {string} detour What is said where the settings are not those of the story.
 * @property {"" | "profile" | "course" | "ranks" | "excess"} chart
 * @property {[number, number] | null} centre
 * @property {number[]} excess
 */
/** @typedef {{ starts: Uint32Array, lower: Float64Array, upper: Float64Array }} PointIntervals */
/**
 * @typedef {object} Panel
 * @property {string} title
 * @property {Float64Array} points u and v in turn.
 * @property {Uint8Array} classes
 * @property {Family} family
 * @property {PointIntervals | null} intervals
 * @property {Uint8Array | null} inside One byte per stop and point.
 * @property {number | null} sizeScale
 * @property {Uint32Array | null} sizeRows The centre of each point, where repeated points share one.
 * @property {Uint8Array | null} hollow
 * @property {Float32Array | null} weights With mean 1; null where all points count alike.
 * @property {Band | null} [band] Where the boundaries of resamples differ.
 */
/** @typedef {{ lattice: Lattice, values: Float32Array, factor: number }} Truth */
/**
 * Fields that the header holds as they are.
 * @typedef {object} SceneFields
 * @property {PlayerSettings} player
 * @property {View} view
 * @property {string} alt
 * @property {[string, string]} axis_names
 * @property {string[]} class_names
 * @property {boolean} [neutral] Whether points of all classes look alike.
 * @property {string[]} [point_names] What each point is called, where that is not its number.
 * @property {string} set_name
 * @property {string} overlay_name
 * @property {string} flag_name
 * @property {ViewName[]} shown
 * @property {number} start
 * @property {boolean} autoplay
 * @property {"bounce" | "wrap"} loop
 * @property {number} ghosts
 * @property {number} stops_per_second
 * @property {boolean} stepwise
 * @property {string[]} captions
 * @property {string[]} notes
 * @property {boolean} by_class
 * @property {Knob[]} knobs
 * @property {{ url?: string, token?: string, player?: string }} live
 */
/** @typedef {SceneFields & { scale: Scale, panels: Panel[], truth: Truth | null }} Scene */

const ARRAY_TYPES = {
  uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, uint32: Uint32Array, int32: Int32Array,
  float32: Float32Array, float64: Float64Array,
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

/**
 * @param {Uint8Array} packed Eight flags a byte, the first in the highest bit.
 * @param {number} count
 * @returns {Uint8Array}
 */
function unpackBits(packed, count) {
  const flags = new Uint8Array(count);
  for (let k = 0; k < count; k++) flags[k] = (packed[k >> 3] >> (7 - (k & 7))) & 1;
  return flags;
}

/** @param {Uint8Array} bytes @returns {Scene} */
export function decodeScene(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  /** @type {any[]} */
  const arrays = readArrays(bytes, 8 * Math.ceil((4 + length) / 8), header.arrays);
  /** @type {(index: number | null) => any} */
  const array = (index) => (index === null ? null : arrays[index]);
  const scale = {
    ...header.scale, levels: arrays[header.scale.levels], numbers: arrays[header.scale.numbers],
  };
  const stops = scale.levels.length;
  /** @param {any} side */
  const decodeSide = ({ steps, units }) => ({ steps: arrays[steps], units: arrays[units] });
  /** @param {any} band @returns {Band | null} */
  const decodeBand = (band) => band && {
    lattice: band, levels: arrays[band.levels], name: band.name,
    inner: decodeSide(band.inner), outer: decodeSide(band.outer),
  };
  /** @param {any} panel @returns {Panel} */
  const decodePanel = (panel) => {
    const classes = arrays[panel.classes];
    const { intervals } = panel;
    return {
      title: panel.title,
      points: arrays[panel.points],
      classes,
      family: readFamily(panel.family, arrays),
      intervals: intervals && {
        starts: arrays[intervals.starts], lower: arrays[intervals.lower], upper: arrays[intervals.upper],
      },
      inside: panel.inside === null ? null : unpackBits(arrays[panel.inside], stops * classes.length),
      sizeScale: panel.size_scale,
      sizeRows: array(panel.size_rows),
      hollow: array(panel.hollow),
      weights: array(panel.weights ?? null),
      band: decodeBand(panel.band),
    };
  };
  const truth = header.truth && {
    lattice: header.truth, values: arrays[header.truth.values], factor: header.truth.factor,
  };
  return { ...header, scale, truth, panels: header.panels.map(decodePanel) };
}

/**
 * Returns whether a point is inside at a level: from its intervals, or at the nearest stop.
 * @param {Panel} panel
 * @param {number} point
 * @param {number} level
 * @param {number} stop
 * @returns {boolean}
 */
function pointInside({ intervals, inside, classes }, point, level, stop) {
  if (!intervals) return inside !== null && inside[stop * classes.length + point] === 1;
  for (let k = intervals.starts[point]; k < intervals.starts[point + 1]; k++) {
    if (level >= intervals.lower[k] && level <= intervals.upper[k]) return true;
  }
  return false;
}

/**
 * Counts the points inside at a level, by their weights, for each class; null where it is not known.
 * @param {Panel} panel
 * @param {number} level
 * @param {number} stop The nearest stop.
 * @param {number} kinds Number of classes.
 * @returns {{ inside: number, all: number }[] | null}
 */
export function countInside(panel, level, stop, kinds) {
  if (!panel.intervals && !panel.inside) return null;
  const counts = Array.from({ length: kinds }, () => ({ inside: 0, all: 0 }));
  panel.classes.forEach((kind, point) => {
    const weight = panel.weights ? panel.weights[point] : 1;
    counts[kind].all += weight;
    if (pointInside(panel, point, level, stop)) counts[kind].inside += weight;
  });
  return counts;
}
