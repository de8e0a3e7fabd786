// Maps a view box to a rectangle of the canvas, and chooses ticks. Needs no DOM.

/** @typedef {readonly [xmin: number, xmax: number, ymin: number, ymax: number]} View */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/**
 * A rectangle of the canvas that shows a view box.
 * @typedef {object} Mapping
 * @property {View} view
 * @property {(value: number) => number} toX
 * @property {(value: number) => number} toY
 * @property {(pixel: number) => number} fromX
 * @property {(pixel: number) => number} fromY
 * @property {(x: number, y: number) => boolean} holds
 */
/** @typedef {Box & Mapping} Plot */

/**
 * @param {Box} box
 * @param {View} view
 * @param {boolean} [keepAspect] One unit is as long on one axis as on the other.
 * @returns {Plot}
 */
export function makePlot(box, view, keepAspect = false) {
  const [xmin, xmax, ymin, ymax] = view;
  let { x, y, w, h } = box;
  if (keepAspect) {
    const unit = Math.min(w / (xmax - xmin), h / (ymax - ymin));
    const [wide, high] = [unit * (xmax - xmin), unit * (ymax - ymin)];
    [x, y, w, h] = [x + (w - wide) / 2, y + (h - high) / 2, wide, high];
  }
  return {
    x, y, w, h, view,
    toX: (value) => x + ((value - xmin) / (xmax - xmin)) * w,
    toY: (value) => y + ((ymax - value) / (ymax - ymin)) * h,
    fromX: (pixel) => xmin + ((pixel - x) / w) * (xmax - xmin),
    fromY: (pixel) => ymax - ((pixel - y) / h) * (ymax - ymin),
    holds: (px, py) => px >= x && px <= x + w && py >= y && py <= y + h,
  };
}

/**
 * Returns about `count` round numbers between two ends, and their distance.
 * @param {number} low
 * @param {number} high
 * @param {number} count
 * @returns {{ ticks: number[], step: number }}
 */
export function niceTicks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => power * factor >= rough * 0.999) ?? 10);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    ticks.push(k * step);
  }
  // A single tick shows no scale.
  if (ticks.length < 2 && high > low && count < 32) {
    return niceTicks(low, high, 2 * Math.max(1, count));
  }
  return { ticks, step };
}

/**
 * @param {number} value
 * @param {number} step Distance of neighbouring values: decides the number of digits.
 * @returns {string}
 */
export function formatNumber(value, step) {
  if (value !== 0 && (Math.abs(value) >= 1e5 || step < 1e-4)) {
    return value.toExponential(1).replaceAll("-", "−");
  }
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

/** Where a plot is before its component has been given a size. */
export const UNPLACED = makePlot({ x: 0, y: 0, w: 0, h: 0 }, [0, 1, 0, 1]);
