// The player's canvas: what a sweep looks like at a (possibly fractional) frame.

const HOVER_REACH = 8;
const TOUCH_REACH = 18;
const SIDE_BY_SIDE = 720;
const MARGIN = { left: 50, right: 14, top: 32, bottom: 44 };

function hatchPattern(context, color, ratio) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = Math.round(8 * ratio);
  const pen = tile.getContext("2d");
  pen.scale(tile.width / 8, tile.height / 8);
  pen.strokeStyle = color;
  pen.lineWidth = 1.6;
  pen.beginPath();
  // Three strokes, so that the tile fits its neighbours at the corners.
  for (const shift of [-8, 0, 8]) {
    pen.moveTo(shift, 8);
    pen.lineTo(shift + 8, 0);
  }
  pen.stroke();
  const pattern = context.createPattern(tile, "repeat");
  pattern.setTransform(new DOMMatrix().scale(8 / tile.width));
  return pattern;
}

class SweepPicture {
  constructor(canvas) {
    this.canvas = canvas;
    this.backdrop = document.createElement("canvas");
    this.marks = document.createElement("canvas");
    this.sweep = null;
    this.views = new Set();
    this.marked = [];
    this.width = 0;
  }

  setSweep(sweep) {
    this.sweep = sweep;
    this.sized = sweep.panels.some((panel) => panel.markerSizes !== null);
  }

  // Whether marks change from frame to frame; if not, they are drawn once.
  get moving() {
    return this.sized && this.views.has("sizes");
  }

  setTheme(theme) {
    this.theme = theme;
    this.accent = theme.palette[0];
    // Not the colour of either of two classes.
    this.alarm = theme.palette[3];
  }

  classColor(index) {
    const single = this.sweep.class_names.length === 1;
    if (single) return this.theme.dark ? "#d4d7de" : "#3d4250";
    return this.theme.palette[index];
  }

  // Places the panels for a canvas of the given width; all cached drawing is forgotten.
  layout(width) {
    const { panels, player, view, keep_aspect: keepAspect } = this.sweep;
    const beside = width >= SIDE_BY_SIDE;
    // Up to three in a row; four are two and two.
    const columns = beside ? Math.min(panels.length === 4 ? 2 : 3, panels.length) : 1;
    const wide = width / columns;
    const high = beside ? player.height : Math.min(player.height, Math.max(260, width * 0.92));
    this.width = width;
    this.height = high * Math.ceil(panels.length / columns);
    this.ratio = window.devicePixelRatio || 1;
    this.plots = panels.map((_, k) => makePlot({
      x: (k % columns) * wide + MARGIN.left,
      y: Math.floor(k / columns) * high + MARGIN.top,
      w: Math.max(40, wide - MARGIN.left - MARGIN.right),
      h: Math.max(40, high - MARGIN.top - MARGIN.bottom),
    }, view, keepAspect));
    this.places = panels.map((panel, k) => this.placePoints(panel, this.plots[k]));
    this.paths = panels.map(() => ({ sets: [], overlay: [] }));
    this.context = fitCanvas(this.canvas, width, this.height);
    this.hatch = hatchPattern(this.context, this.alarm, this.ratio);
    this.drawBackdrop();
    this.drawMarks();
  }

  placePoints(panel, plot) {
    const places = new Float32Array(panel.points.length);
    for (let k = 0; k < places.length; k += 2) {
      places[k] = plot.x + acrossOf(panel.points[k]) * plot.w;
      places[k + 1] = plot.y + downOf(panel.points[k + 1]) * plot.h;
    }
    return places;
  }

  path(k, layer, frame) {
    const cache = this.paths[k][layer];
    cache[frame] ??= layerPath(this.sweep.panels[k][layer], frame, this.plots[k]);
    return cache[frame];
  }

  drawBackdrop() {
    const context = fitCanvas(this.backdrop, this.width, this.height);
    const [xName, yName] = this.sweep.axis_names;
    this.sweep.panels.forEach((panel, k) => {
      const plot = this.plots[k];
      drawAxes(context, plot, this.theme, { title: panel.title, xName, yName });
      if (this.views.has("levels")) this.drawGhosts(context, k);
    });
  }

  // Thin outlines of every few levels, stronger towards the end of the sweep.
  drawGhosts(context, k) {
    const frames = this.sweep.levels.length;
    if (!this.sweep.ghost_every) return;
    context.save();
    clipToPlot(context, this.plots[k]);
    context.strokeStyle = this.accent;
    context.lineWidth = 1;
    for (let frame = 0; frame < frames; frame += this.sweep.ghost_every) {
      context.globalAlpha = 0.3 + (0.45 * frame) / Math.max(1, frames - 1);
      context.stroke(this.path(k, "sets", frame));
    }
    context.restore();
  }

  drawMarks() {
    const context = fitCanvas(this.marks, this.width, this.height);
    if (!this.moving) this.sweep.panels.forEach((_, k) => this.drawPoints(context, k, 0, 0, 0));
  }

  // Radius of point i between two frames: its area follows the size it was given.
  radius(panel, base, i, low, high, share) {
    if (panel.markerSizes === null || !this.moving) return base;
    const count = panel.classes.length;
    const size = panel.markerSizes[low * count + i] * (1 - share)
      + panel.markerSizes[high * count + i] * share;
    return base * (0.55 + 1.75 * Math.sqrt(size / 255));
  }

  drawPoints(context, k, low, high, share) {
    const panel = this.sweep.panels[k];
    const places = this.places[k];
    const base = markerRadius(panel.classes.length);
    const paths = this.sweep.class_names.map(() => new Path2D());
    for (let i = 0; i < panel.classes.length; i++) {
      const kind = panel.classes[i];
      const r = this.radius(panel, base, i, low, high, share);
      addMarker(paths[kind], SHAPES[kind], places[2 * i], places[2 * i + 1], r);
    }
    context.save();
    clipToPlot(context, this.plots[k]);
    paths.forEach((path, kind) => {
      paintMarkers(context, path, this.classColor(kind), this.theme, this.moving);
    });
    if (panel.flags) this.drawFlags(context, k, base);
    context.restore();
  }

  // Flagged points are hollow.
  drawFlags(context, k, base) {
    const { flags } = this.sweep.panels[k];
    const places = this.places[k];
    context.fillStyle = this.theme.background;
    context.beginPath();
    for (let i = 0; i < flags.length; i++) {
      if (!flags[i]) continue;
      context.moveTo(places[2 * i] + 0.55 * base, places[2 * i + 1]);
      context.arc(places[2 * i], places[2 * i + 1], 0.55 * base, 0, 2 * Math.PI);
    }
    context.fill();
  }

  hatched(k) {
    return this.views.has("overlay") && this.sweep.panels[k].overlay;
  }

  // A set is filled below the points and outlined above them, so that both stay legible.
  fillSet(context, k, frame, weight) {
    if (this.views.has("fill")) {
      context.fillStyle = this.accent;
      context.globalAlpha = weight * (this.theme.dark ? 0.26 : 0.18);
      context.fill(this.path(k, "sets", frame), "evenodd");
    }
    if (this.hatched(k)) {
      context.fillStyle = this.hatch;
      context.globalAlpha = weight * 0.85;
      context.fill(this.path(k, "overlay", frame), "evenodd");
    }
  }

  outlineSet(context, k, frame, weight) {
    const outline = (path, color) => {
      context.strokeStyle = this.theme.background;
      context.lineWidth = 3.6;
      context.globalAlpha = weight * 0.5;
      context.stroke(path);
      context.strokeStyle = color;
      context.lineWidth = 1.8;
      context.globalAlpha = weight;
      context.stroke(path);
    };
    if (this.views.has("outline")) outline(this.path(k, "sets", frame), this.accent);
    if (this.hatched(k)) outline(this.path(k, "overlay", frame), this.alarm);
  }

  // Calls one of the two above for each panel, fading from one frame into the next.
  eachSet(pass, { low, high, share }) {
    this.sweep.panels.forEach((_, k) => {
      this.context.save();
      clipToPlot(this.context, this.plots[k]);
      if (share < 1) pass.call(this, this.context, k, low, 1 - share);
      if (share > 0) pass.call(this, this.context, k, high, share);
      this.context.restore();
    });
  }

  // Draws the picture at a position; between two frames it shows something of both.
  draw(position, hover) {
    if ((window.devicePixelRatio || 1) !== this.ratio) this.layout(this.width);
    const last = this.sweep.levels.length - 1;
    const low = Math.min(Math.floor(position), last);
    const high = Math.min(low + 1, last);
    const share = high === low ? 0 : position - low;
    const { context, width, height } = this;
    context.clearRect(0, 0, width, height);
    context.drawImage(this.backdrop, 0, 0, width, height);
    this.eachSet(this.fillSet, { low, high, share });
    if (!this.moving) context.drawImage(this.marks, 0, 0, width, height);
    else this.sweep.panels.forEach((_, k) => this.drawPoints(context, k, low, high, share));
    this.eachSet(this.outlineSet, { low, high, share });
    this.sweep.panels.forEach((_, k) => this.drawMarked(k));
    if (hover) this.drawHover(hover);
  }

  // Rings around marked points, above everything else; the first of them, the one that details
  // are shown of, has a larger ring.
  drawMarked(k) {
    if (!this.marked.length) return;
    const places = this.places[k];
    const rings = new Path2D();
    this.marked.forEach((i, order) => {
      if (2 * i >= places.length) return;
      const r = order === 0 ? 9.5 : 6;
      rings.moveTo(places[2 * i] + r, places[2 * i + 1]);
      rings.arc(places[2 * i], places[2 * i + 1], r, 0, 2 * Math.PI);
    });
    this.context.save();
    clipToPlot(this.context, this.plots[k]);
    for (const [color, width] of [[this.theme.background, 5], [this.theme.text, 2.2]]) {
      this.context.strokeStyle = color;
      this.context.lineWidth = width;
      this.context.stroke(rings);
    }
    this.context.restore();
  }

  drawHover({ panel, index }) {
    const [x, y] = [this.places[panel][2 * index], this.places[panel][2 * index + 1]];
    this.context.strokeStyle = this.theme.text;
    this.context.lineWidth = 1.6;
    this.context.beginPath();
    this.context.arc(x, y, 7.5, 0, 2 * Math.PI);
    this.context.stroke();
  }

  // The point nearest to a place on the canvas, if one is near.
  pointAt(x, y, reach = HOVER_REACH) {
    const panel = this.plots.findIndex((plot) => plot.holds(x, y));
    if (panel < 0) return null;
    const places = this.places[panel];
    let [index, nearest] = [-1, reach ** 2];
    for (let k = 0; k < places.length; k += 2) {
      const distance = (places[k] - x) ** 2 + (places[k + 1] - y) ** 2;
      if (distance <= nearest) [index, nearest] = [k / 2, distance];
    }
    return index < 0 ? null : { panel, index, x: places[2 * index], y: places[2 * index + 1] };
  }

  // The place of the view under a place of the canvas, if there is a panel.
  placeAt(x, y) {
    const panel = this.plots.findIndex((plot) => plot.holds(x, y));
    if (panel < 0) return null;
    return { panel, x: this.plots[panel].fromX(x), y: this.plots[panel].fromY(y) };
  }
}
