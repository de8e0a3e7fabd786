// Words beside the picture: the legend, and what is known about the point at hand.

function areaIcon(color, hatched) {
  const icon = svgElement("svg", { viewBox: "0 0 18 14", width: 18, height: 14, "aria-hidden": "true" });
  icon.append(svgElement("rect", {
    x: 1, y: 1, width: 16, height: 12, rx: 3, stroke: color, "stroke-width": 1.5,
    fill: color, "fill-opacity": hatched ? 0 : 0.22,
  }));
  if (hatched) {
    icon.append(svgElement("path", {
      d: "M3 11 9 3M7 12 14 3M12 12 16 6.5", stroke: color, "stroke-width": 1.4, fill: "none",
    }));
  }
  return icon;
}

function ringIcon(color, radius) {
  const icon = svgElement("svg", { viewBox: "0 0 14 14", width: 14, height: 14, "aria-hidden": "true" });
  icon.append(svgElement("circle", {
    cx: 7, cy: 7, r: radius, stroke: color, "stroke-width": 2, fill: "none",
  }));
  return icon;
}

// Whether a switch of the view has anything to switch.
function viewOffered(sweep, name) {
  if (name === "levels") return sweep.ghost_every > 0;
  if (name === "overlay") return sweep.panels.some((panel) => panel.overlay);
  return name !== "sizes" || sweep.panels.some((panel) => panel.markerSizes);
}

// Items of the legend; none where there is nothing to tell apart.
function legendEntries(sweep, picture) {
  const names = sweep.class_names;
  const hatched = picture.views.has("overlay") && viewOffered(sweep, "overlay");
  const flagged = sweep.panels.some((panel) => panel.flags?.some((flag) => flag));
  if (names.length === 1 && !viewOffered(sweep, "overlay") && !flagged) return [];
  const entries = [[areaIcon(picture.accent, false), sweep.set_name]];
  if (hatched) entries.push([areaIcon(picture.alarm, true), sweep.overlay_name]);
  names.forEach((name, k) => entries.push([markerIcon(SHAPES[k], picture.classColor(k)), name]));
  if (flagged) entries.push([ringIcon(picture.classColor(0), 3.4), sweep.flag_name]);
  if (picture.marked.length) entries.push([ringIcon(picture.theme.text, 5.5), "selected"]);
  return entries.map(([icon, name]) => {
    const item = document.createElement("li");
    // Names come from the user's data: appended as text, never as markup.
    item.append(icon, name);
    return item;
  });
}

function pointText(sweep, { panel: k, index }) {
  const panel = sweep.panels[k];
  const [xmin, xmax, ymin, ymax] = sweep.view;
  const x = xmin + acrossOf(panel.points[2 * index]) * (xmax - xmin);
  const y = ymax - downOf(panel.points[2 * index + 1]) * (ymax - ymin);
  const place = [[x, xmax - xmin], [y, ymax - ymin]]
    .map(([value, span]) => formatNumber(value, 10 ** Math.floor(Math.log10(span / 500))))
    .join(", ");
  const lines = [`point ${index} at (${place})`];
  if (sweep.class_names.length > 1) lines.push(sweep.class_names[panel.classes[index]]);
  if (panel.texts) lines.push(panel.texts[index]);
  return lines.join("\n");
}

// Beside the point, on the side where there is room.
function placeTooltip(tooltip, { x, y }, text, picture) {
  tooltip.textContent = text;
  const { offsetWidth: w, offsetHeight: h } = tooltip;
  const left = x + 14 + w <= picture.width ? x + 14 : Math.max(0, x - 14 - w);
  const top = Math.min(Math.max(0, y - h / 2), picture.height - h);
  tooltip.style.left = `${left}px`;
  tooltip.style.top = `${top}px`;
}
