// Saves a Plotly figure as a picture, with the Plotly that the page has loaded for its charts.

/** @import { Component } from "./dom.js" */
import { find } from "./dom.js";

/** @typedef {{ id: string, figure: string, format: "png" | "svg", name: string }} FigureMessage */
/** @typedef {{ toImage(figure: object, options: object): Promise<string> }} Plotly */

/**
 * Figures that were saved already: a page that is drawn again must not save them again.
 * @type {Set<string>}
 */
const saved = new Set();
const PATIENCE = 30000;

/** Waits for the Plotly of the page. @returns {Promise<Plotly>} */
function plotlyOfThePage() {
  /** @type {Window & { Plotly?: Plotly }} */
  const page = window;
  return new Promise((resolve, reject) => {
    const end = performance.now() + PATIENCE;
    const look = () => {
      if (page.Plotly?.toImage) resolve(page.Plotly);
      else if (performance.now() > end) reject(new Error("Plotly is not loaded"));
      else setTimeout(look, 100);
    };
    look();
  });
}

/** @param {FigureMessage} message */
async function saveFigure({ figure, format, name }) {
  const plotly = await plotlyOfThePage();
  const { data, layout } = JSON.parse(figure);
  const { width, height } = layout;
  // Twice the size for a PNG, so that it is sharp in print; an SVG is sharp at any size.
  const scale = format === "png" ? 2 : 1;
  const anchor = document.createElement("a");
  anchor.href = await plotly.toImage({ data, layout }, { format, width, height, scale });
  anchor.download = name;
  anchor.click();
}

/** @param {Component<FigureMessage | null>} component */
export default function mountFigureImage({ data, parentElement }) {
  const words = find(parentElement, ".words", HTMLElement);
  if (!data || saved.has(data.id)) return;
  saved.add(data.id);
  words.textContent = `Drawing ${data.name} …`;
  saveFigure(data).then(
    () => { words.textContent = `Saved ${data.name}.`; },
    () => {
      words.textContent = "This browser could not draw the picture. Save the HTML instead: the "
        + "camera in its corner makes one.";
    },
  );
}
