// A drawing context that remembers its calls, in place of the browser's canvas.

import { PathRecord } from "./path_record.js";

export const THEME = {
  dark: false, background: "white", text: "black", font: "sans-serif",
  palette: ["accent", "second", "third", "alarm"], single: "grey", scoreRange: ["low", "high"],
  fillOpacity: 0.2,
};

/** Keeps every call as [name, arguments, fillStyle, strokeStyle], and the paths as a PathRecord. */
export function canvasRecord() {
  const calls = [];
  const path = new PathRecord();
  const state = { calls, path, globalAlpha: 1, fillStyle: "", strokeStyle: "" };
  return new Proxy(state, {
    get(target, name) {
      if (name in target) return target[name];
      if (name === "measureText") return (text) => ({ width: 6 * text.length });
      return (...args) => {
        calls.push([name, args, target.fillStyle, target.strokeStyle]);
        // A canvas begins a path at the first lineTo, a recording pen does not.
        const draw = name === "lineTo" && !path.polygons.length ? "moveTo" : name;
        if (draw in path) path[draw](...args);
      };
    },
  });
}

/** Texts written, in order. */
export function textsOf({ calls }) {
  return calls.filter(([name]) => name === "fillText").map(([, [text]]) => text);
}

/** A scale as the player has it, from the smallest set to the largest. */
export function scaleOf(levels, name = "λ") {
  const stops = Float64Array.from(levels);
  return { levels: stops, numbers: stops, form: "3g", name };
}

/** A lattice over [0, columns − 1] × [0, rows − 1], and a field on it. */
export function fieldOf(columns, rows, value) {
  const lattice = { u0: 0, v0: 0, du: 1, dv: 1, columns, rows };
  const field = Float32Array.from({ length: columns * rows }, (_, k) => (
    value(k % columns, Math.floor(k / columns))
  ));
  return { field, lattice };
}
