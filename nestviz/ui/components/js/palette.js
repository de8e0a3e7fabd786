// Made from nestviz/palette.py by nestviz/ui/components/constants.py; do not edit.

/** @type {Record<'light' | 'dark', { background: string, text: string, classes: string[], single: string, scoreRange: [string, string], fillOpacity: number }>} */
export const THEMES = {"light": {"background": "#FFFFFF", "text": "#1F2933", "classes": ["#0072B2", "#D55E00", "#009E73", "#B4528A", "#B87F00", "#2F93CC", "#555555"], "single": "#3D4250", "scoreRange": ["#AAB4BF", "#B3400A"], "fillOpacity": 0.18}, "dark": {"background": "#11161C", "text": "#E6EBF0", "classes": ["#56B4E9", "#E69F00", "#2BC79A", "#CC79A7", "#F0E442", "#E8743B", "#BBBBBB"], "single": "#D4D7DE", "scoreRange": ["#6B7886", "#FFB454"], "fillOpacity": 0.26}};

/** @type {string[]} */
export const SHAPES = ["circle", "triangle", "square", "diamond", "cross", "wedge", "star"];

/** @type {Record<string, { size: number, lengths: number[], first: number }>} */
export const SPOKES = {"triangle": {"size": 1.45, "lengths": [1.0, 1.0, 1.0], "first": -1.5707963267948966}, "square": {"size": 1.26, "lengths": [1.0, 1.0, 1.0, 1.0], "first": 0.7853981633974483}, "diamond": {"size": 1.3, "lengths": [1.0, 1.0, 1.0, 1.0], "first": 0.0}, "cross": {"size": 1.65, "lengths": [1.0, 0.4, 1.0, 0.4, 1.0, 0.4, 1.0, 0.4], "first": -0.7853981633974483}, "wedge": {"size": 1.45, "lengths": [1.0, 1.0, 1.0], "first": 1.5707963267948966}, "star": {"size": 1.55, "lengths": [1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5], "first": -1.5707963267948966}};

/** @type {[most: number, radius: number][]} */
export const MARKER_RADII = [[200, 3.8], [700, 3.1], [2000, 2.6], [Infinity, 2.0]];

/** @type {Record<'extrapolated' | 'area' | 'cut' | 'repelling', number[]>} */
export const DASHES = {"extrapolated": [4, 3], "area": [6, 4], "cut": [7, 5], "repelling": [2, 5]};

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
export const RIM_WIDTH = 1.6;

/** @type {number} */
export const MARKER_OPACITY = 0.92;

/** @type {number} */
export const QUANTUM = 32000;

/** @type {number} */
export const PLANE_STEPS = 30000;
