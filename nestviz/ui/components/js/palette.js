// Made from nestviz/palette.py by nestviz/ui/components/constants.py; do not edit.

/** @type {Record<'light' | 'dark', { background: string, surface: string, text: string, primary: string, classes: string[], single: string, score_range: [string, string], hill: string[], fill_opacity: number }>} */
export const THEMES = {"light": {"background": "#FFFFFF", "surface": "#F4F6F8", "text": "#1F2933", "primary": "#0072B2", "classes": ["#0072B2", "#D55E00", "#009E73", "#B4528A", "#B87F00", "#2F93CC", "#555555"], "single": "#3D4250", "score_range": ["#AAB4BF", "#B3400A"], "hill": ["#004167", "#045C8E", "#1A78B3", "#4595CF", "#71B2E5", "#A2CFF3", "#D9EBFA"], "fill_opacity": 0.18}, "dark": {"background": "#11161C", "surface": "#1B232C", "text": "#E6EBF0", "primary": "#56B4E9", "classes": ["#56B4E9", "#E69F00", "#2BC79A", "#CC79A7", "#F0E442", "#E8743B", "#BBBBBB"], "single": "#D4D7DE", "score_range": ["#6B7886", "#FFB454"], "hill": ["#D4EBFF", "#9ACFF9", "#6FB0E3", "#4B92C6", "#3074A3", "#21577D", "#1C3B52"], "fill_opacity": 0.26}};

/** @type {string[]} */
export const SHAPES = ["circle", "triangle", "square", "diamond", "cross", "wedge", "star"];

/** @type {Record<string, [size: number, lengths: number[], first: number]>} */
export const SPOKES = {"circle": [1.0, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], 0.0], "triangle": [1.45, [1.0, 1.0, 1.0], -1.5707963267948966], "square": [1.26, [1.0, 1.0, 1.0, 1.0], 0.7853981633974483], "diamond": [1.3, [1.0, 1.0, 1.0, 1.0], 0.0], "cross": [1.65, [1.0, 0.4, 1.0, 0.4, 1.0, 0.4, 1.0, 0.4], -0.7853981633974483], "wedge": [1.45, [1.0, 1.0, 1.0], 1.5707963267948966], "star": [1.55, [1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5], -1.5707963267948966]};

/** @type {[most: number, radius: number][]} */
export const MARKER_RADII = [[200, 3.8], [700, 3.1], [2000, 2.6], [Infinity, 2.0]];

/** @type {[pale: number, strong: number]} */
export const STABILITY_OPACITY = [0.12, 0.9];

/** @type {Record<'extrapolated' | 'area' | 'cut' | 'repelling' | 'truth' | 'band', number[]>} */
export const DASHES = {"extrapolated": [4, 3], "area": [6, 4], "cut": [7, 5], "repelling": [2, 5], "truth": [5, 4], "band": [1.5, 2.5]};

/** @type {number} */
export const HATCH_SPACING = 8.0;

/** @type {number} */
export const HATCH_WIDTH = 1.6;

/** @type {number} */
export const HATCH_OPACITY = 0.85;

/** @type {number} */
export const OUTLINE_WIDTH = 1.8;

/** @type {number} */
export const HALO_WIDTH = 3.6;

/** @type {number} */
export const HALO_OPACITY = 0.5;

/** @type {number} */
export const BAND_OPACITY = 0.2;

/** @type {number} */
export const BAND_EDGE_OPACITY = 0.6;

/** @type {number} */
export const RIM_WIDTH = 1.6;

/** @type {number} */
export const MARKER_OPACITY = 0.92;

/** @type {number} */
export const QUANTUM = 32000;

/** @type {number} */
export const PLANE_STEPS = 30000;
