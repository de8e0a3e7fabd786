// What both components draw with: theme, sharp canvases, axes, markers.

// After the palette of Okabe and Ito, told apart by all common kinds of colour vision; a few
// are darker or lighter than theirs, and the order differs by theme, for contrast against the
// background.
const PALETTES = {
  light: ["#0072B2", "#D55E00", "#009E73", "#B4528A", "#B87F00", "#2F93CC", "#555555"],
  dark: ["#56B4E9", "#E69F00", "#2BC79A", "#CC79A7", "#F0E442", "#E8743B", "#BBBBBB"],
};

// Colour is never the only difference: class k also has its own shape.
const SHAPES = ["circle", "triangle", "square", "diamond", "cross", "wedge", "star"];

function luminance(color) {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  probe.fillStyle = color;
  probe.fillRect(0, 0, 1, 1);
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

function readTheme(element) {
  const style = getComputedStyle(element);
  const read = (name, fallback) => {
    const value = style.getPropertyValue(name).trim();
    return value && value !== "unset" ? value : fallback;
  };
  const background = read("--st-background-color", "#ffffff");
  const dark = luminance(background) < 0.5;
  return {
    background,
    dark,
    text: read("--st-text-color", dark ? "#fafafa" : "#31333f"),
    font: read("--st-font", "system-ui, sans-serif"),
    palette: dark ? PALETTES.dark : PALETTES.light,
  };
}

// Sets the size in CSS pixels and returns a context whose unit is one CSS pixel.
function fitCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  if (canvas.style) {
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

// The place of a view box on the canvas, and the way between the two.
function makePlot(box, view, keepAspect) {
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

function niceTicks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => power * factor >= rough * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    ticks.push(k * step);
  }
  return { ticks, step };
}

function formatNumber(value, step) {
  if (value !== 0 && (Math.abs(value) >= 1e5 || step < 1e-4)) {
    return value.toExponential(1).replaceAll("-", "−");
  }
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

function clipToPlot(context, plot) {
  context.beginPath();
  context.rect(plot.x, plot.y, plot.w, plot.h);
  context.clip();
}

function shorten(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let kept = text;
  while (kept.length > 1 && context.measureText(`${kept}…`).width > width) kept = kept.slice(0, -1);
  return `${kept}…`;
}

function drawTicks(context, plot, theme) {
  const [xmin, xmax, ymin, ymax] = plot.view;
  const across = niceTicks(xmin, xmax, Math.min(6, plot.w / 80));
  const along = niceTicks(ymin, ymax, Math.min(6, plot.h / 60));
  // Below its base a plot is not to scale.
  along.ticks = along.ticks.filter((tick) => tick >= (plot.base ?? -Infinity) - along.step * 1e-3);
  context.lineWidth = 1;
  context.strokeStyle = theme.text;
  context.fillStyle = theme.text;
  context.globalAlpha = 0.07;
  context.beginPath();
  // Half pixels put a one pixel line on one row of pixels instead of two.
  for (const tick of across.ticks) {
    const x = Math.round(plot.toX(tick)) + 0.5;
    context.moveTo(x, plot.y);
    context.lineTo(x, plot.y + plot.h);
  }
  for (const tick of along.ticks) {
    const y = Math.round(plot.toY(tick)) + 0.5;
    context.moveTo(plot.x, y);
    context.lineTo(plot.x + plot.w, y);
  }
  context.stroke();
  context.globalAlpha = 0.72;
  context.font = `11.5px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const tick of across.ticks) {
    context.fillText(formatNumber(tick, across.step), plot.toX(tick), plot.y + plot.h + 6);
  }
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const tick of along.ticks) {
    context.fillText(formatNumber(tick, along.step), plot.x - 7, plot.toY(tick));
  }
}

function drawAxes(context, plot, theme, { title = "", xName = "", yName = "" }) {
  context.save();
  drawTicks(context, plot, theme);
  context.globalAlpha = 0.22;
  context.strokeRect(Math.round(plot.x) + 0.5, Math.round(plot.y) + 0.5,
    Math.round(plot.w), Math.round(plot.h));
  context.globalAlpha = 0.8;
  context.font = `12px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.fillText(shorten(context, xName, plot.w), plot.x + plot.w / 2, plot.y + plot.h + 34);
  context.save();
  context.translate(plot.x - 36, plot.y + plot.h / 2);
  context.rotate(-Math.PI / 2);
  context.fillText(shorten(context, yName, plot.h), 0, 0);
  context.restore();
  context.globalAlpha = 1;
  context.font = `600 14px ${theme.font}`;
  context.textAlign = "left";
  context.fillText(shorten(context, title, plot.w), plot.x, plot.y - 10);
  context.restore();
}

function polygon(path, x, y, r, corners, turn) {
  for (let k = 0; k < corners.length; k++) {
    const angle = turn + (2 * Math.PI * k) / corners.length;
    const radius = r * corners[k];
    const [px, py] = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    if (k === 0) path.moveTo(px, py);
    else path.lineTo(px, py);
  }
  path.closePath();
}

// Adds one marker to a path. Radii are chosen so that all shapes have about the same area.
function addMarker(path, shape, x, y, r) {
  const up = -Math.PI / 2;
  if (shape === "triangle") polygon(path, x, y, r * 1.45, [1, 1, 1], up);
  else if (shape === "wedge") polygon(path, x, y, r * 1.45, [1, 1, 1], -up);
  else if (shape === "square") path.rect(x - r * 0.89, y - r * 0.89, r * 1.78, r * 1.78);
  else if (shape === "diamond") polygon(path, x, y, r * 1.3, [1, 1, 1, 1], 0);
  else if (shape === "cross") polygon(path, x, y, r * 1.65, [1, 0.4, 1, 0.4, 1, 0.4, 1, 0.4], up / 2);
  else if (shape === "star") polygon(path, x, y, r * 1.55, Array.from({ length: 10 }, (_, k) => (k % 2 ? 0.5 : 1)), up);
  else {
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, 2 * Math.PI);
  }
}

// A rim in the background colour sets markers off. Below them it parts classes and leaves
// crowds of small markers whole; above them it also parts large ones that overlap.
function paintMarkers(context, path, color, theme, rimAbove = false) {
  const rim = () => {
    context.lineWidth = rimAbove ? 1 : 1.6;
    context.strokeStyle = theme.background;
    context.stroke(path);
  };
  if (!rimAbove) rim();
  context.fillStyle = color;
  context.globalAlpha = 0.92;
  context.fill(path);
  context.globalAlpha = 1;
  if (rimAbove) rim();
}

function markerRadius(count) {
  if (count <= 200) return 3.8;
  if (count <= 700) return 3.1;
  return count <= 2000 ? 2.6 : 2;
}

function svgElement(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// The same markers as SVG, for legends: a path that writes down what it is told.
class PathText {
  constructor() { this.text = ""; }
  moveTo(x, y) { this.text += `M${x} ${y}`; }
  lineTo(x, y) { this.text += `L${x} ${y}`; }
  closePath() { this.text += "Z"; }
  rect(x, y, w, h) { this.text += `M${x} ${y}h${w}v${h}h${-w}Z`; }
  arc(x, y, r) { this.text += `a${r} ${r} 0 1 0 ${-2 * r} 0a${r} ${r} 0 1 0 ${2 * r} 0`; }
}

function markerIcon(shape, color) {
  const icon = svgElement("svg", { viewBox: "0 0 14 14", width: 14, height: 14, "aria-hidden": "true" });
  const path = new PathText();
  addMarker(path, shape, 7, 7, 4);
  icon.append(svgElement("path", { d: path.text, fill: color }));
  return icon;
}
