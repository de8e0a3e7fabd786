// Saves a Plotly figure as a picture, with the Plotly that the page has loaded for its charts.

// Figures that were saved already: a page that is drawn again must not save them again.
const saved = new Set();
const PATIENCE = 30000;

function plotlyOfThePage() {
  return new Promise((resolve, reject) => {
    const end = performance.now() + PATIENCE;
    const look = () => {
      if (window.Plotly?.toImage) resolve(window.Plotly);
      else if (performance.now() > end) reject(new Error("Plotly is not loaded"));
      else setTimeout(look, 100);
    };
    look();
  });
}

async function saveFigure({ figure, format, name }) {
  const plotly = await plotlyOfThePage();
  const { data, layout } = JSON.parse(figure);
  const { width, height } = layout;
  // Twice the size for a PNG, so that it is sharp in print; an SVG is sharp at any size.
  const picture = await plotly.toImage(
    { data, layout },
    { format, width, height, scale: format === "png" ? 2 : 1 },
  );
  const anchor = document.createElement("a");
  anchor.href = picture;
  anchor.download = name;
  anchor.click();
}

export default function mountFigureImage({ data, parentElement }) {
  const words = parentElement.querySelector(".words");
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
