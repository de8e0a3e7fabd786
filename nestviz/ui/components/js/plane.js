// Points in the plane that can be clicked and lassoed, on the parts of the sets they lie in.

const NEAR = 9;
const SHADES = 16;
const PLANE_MARGIN = { left: 50, right: 12, top: 30, bottom: 44 };
const STEPS = 30000;

class Plane extends Pointed {
  constructor(root) {
    super(root);
    this.base = document.createElement("canvas");
    this.legend = root.querySelector(".legend");
    this.lasso = null;
  }

  renew() {
    this.chosen = this.data.chosen;
    this.setHover(null);
    this.showLegend();
  }

  look(kind) {
    const { colour, shape } = this.data.kinds[kind];
    const quiet = colour < 0;
    const color = this.data.shades
      ? this.shadeColor(quiet ? 0.5 : 1)
      : colourOf(colour, this.theme);
    return { color, shape, quiet };
  }

  showLegend() {
    const used = new Set(this.data.kind_of);
    const kinds = this.data.kinds.map((kind, k) => ({ name: kind.name, ...this.look(k) }));
    this.legend.replaceChildren(...legendItems(kinds.filter((_, k) => used.has(k))));
  }

  layout() {
    const { width, data, theme } = this;
    this.height = Math.min(data.height, Math.max(280, width * 0.95));
    const box = {
      x: PLANE_MARGIN.left,
      y: PLANE_MARGIN.top,
      w: Math.max(40, width - PLANE_MARGIN.left - PLANE_MARGIN.right),
      h: this.height - PLANE_MARGIN.top - PLANE_MARGIN.bottom,
    };
    // All coordinates come in steps across the view; only the axes speak of the data's units.
    this.plot = makePlot(box, [0, STEPS, 0, STEPS], false);
    this.root.dataset.plot = JSON.stringify([box.x, box.y, box.w, box.h]);
    const [across, up] = data.points;
    this.root.dataset.first = JSON.stringify([across / STEPS, 1 - up / STEPS]);
    const { plot } = this;
    this.places = data.points.map((step, k) => (k % 2 ? plot.toY(step) : plot.toX(step)));
    this.context = fitCanvas(this.canvas, width, this.height);
    const context = fitCanvas(this.base, width, this.height);
    const [xName, yName] = data.axis_names;
    drawAxes(context, makePlot(box, data.view, false), theme, { title: data.title, xName, yName });
    context.save();
    clipToPlot(context, this.plot);
    for (const area of data.areas) this.drawArea(context, area);
    this.drawPoints(context);
    context.restore();
    this.draw();
  }

  drawArea(context, { rings, colour, dashed }) {
    const path = ringPath(rings, this.plot);
    const color = colourOf(colour, this.theme);
    context.fillStyle = color;
    context.strokeStyle = color;
    context.globalAlpha = colour < 0 ? 0.06 : 0.17;
    context.fill(path, "evenodd");
    context.globalAlpha = colour < 0 ? 0.55 : 0.9;
    context.lineWidth = 1.5;
    context.setLineDash(dashed ? [6, 4] : []);
    context.stroke(path);
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  // Marks of the same look are drawn in one go; those in front are the more abnormal ones.
  drawPoints(context) {
    const { kind_of: kindOf, shades } = this.data;
    const groups = new Map();
    const base = markerRadius(kindOf.length);
    kindOf.forEach((kind, i) => {
      const shade = shades ? Math.round(shades[i] * SHADES) : 0;
      const name = shade * 1000 + kind;
      if (!groups.has(name)) groups.set(name, { kind, shade, path: new Path2D() });
      const { quiet, shape } = this.look(kind);
      const radius = base * (shades ? 0.8 + 0.75 * (shade / SHADES) ** 3 : quiet ? 0.75 : 1.05);
      addMarker(groups.get(name).path, shape, this.places[2 * i], this.places[2 * i + 1], radius);
    });
    for (const name of [...groups.keys()].sort((a, b) => a - b)) {
      const { kind, shade, path } = groups.get(name);
      const { color, quiet } = this.look(kind);
      context.globalAlpha = 1;
      if (quiet && !shades) {
        context.fillStyle = color;
        context.globalAlpha = 0.5;
        context.fill(path);
      } else {
        paintMarkers(context, path, shades ? this.shadeColor(shade / SHADES) : color, this.theme);
      }
    }
    context.globalAlpha = 1;
  }

  // From quiet to loud; most points are of middling score, so the loud end is kept for the top.
  shadeColor(share) {
    const [calm, loud] = this.theme.dark ? ["#6b7886", "#ffb454"] : ["#aab4bf", "#b3400a"];
    return blend(calm, loud, share ** 4);
  }

  draw() {
    if (!this.context) return;
    const { context, width, height, theme, data } = this;
    context.clearRect(0, 0, width, height);
    context.drawImage(this.base, 0, 0, width, height);
    context.save();
    clipToPlot(context, this.plot);
    context.lineCap = "round";
    for (const thread of data.threads) this.drawThread(thread);
    this.drawRings();
    for (const { row, text } of data.labels) this.drawLabel(row, text);
    if (data.spot) this.drawSpot(data.spot);
    if (this.hover) {
      context.strokeStyle = theme.text;
      context.lineWidth = 1.6;
      context.beginPath();
      context.arc(this.hover.x, this.hover.y, 7.5, 0, 2 * Math.PI);
      context.stroke();
    }
    if (this.lasso) this.drawLasso();
    context.restore();
    this.root.dataset.chosen = String(this.chosen.length);
  }

  // Two colours of ring, so that it stands out from marks and areas alike.
  drawRings() {
    const { context, theme, chosen, places } = this;
    // Many rings must not hide what they are around.
    const many = chosen.length > 12;
    const radius = many ? 5 : 7;
    const path = new Path2D();
    for (const row of chosen) {
      const [x, y] = [places[2 * row], places[2 * row + 1]];
      path.moveTo(x + radius, y);
      path.arc(x, y, radius, 0, 2 * Math.PI);
    }
    if (!many) {
      context.strokeStyle = theme.background;
      context.lineWidth = 4.5;
      context.stroke(path);
    }
    context.strokeStyle = theme.text;
    context.lineWidth = many ? 1.4 : 2;
    context.stroke(path);
  }

  drawThread({ from, to, weight, pushes }) {
    const { context, plot, theme } = this;
    context.strokeStyle = pushes ? theme.palette[1] : theme.palette[0];
    context.lineWidth = 1 + 4 * weight;
    context.setLineDash(pushes ? [2, 5] : []);
    context.beginPath();
    context.moveTo(plot.toX(from[0]), plot.toY(from[1]));
    context.lineTo(plot.toX(to[0]), plot.toY(to[1]));
    context.globalAlpha = 0.75;
    context.stroke();
    context.globalAlpha = 1;
    context.setLineDash([]);
  }

  drawLabel(row, text) {
    const { context, theme, places, plot } = this;
    const [x, y] = [places[2 * row], places[2 * row + 1]];
    context.font = `600 11.5px ${theme.font}`;
    context.textAlign = "center";
    const below = y - 12 < plot.y + 8;
    context.textBaseline = below ? "top" : "alphabetic";
    context.lineWidth = 3;
    context.strokeStyle = theme.background;
    context.strokeText(text, x, below ? y + 9 : y - 9);
    context.fillStyle = theme.text;
    context.fillText(text, x, below ? y + 9 : y - 9);
  }

  drawSpot([u, v]) {
    const { context, plot, theme } = this;
    const [x, y] = [plot.toX(u), plot.toY(v)];
    for (const [color, width] of [[theme.background, 6], [theme.palette[3], 2.8]]) {
      context.strokeStyle = color;
      context.lineWidth = width;
      context.beginPath();
      context.moveTo(x - 9, y);
      context.lineTo(x + 9, y);
      context.moveTo(x, y - 9);
      context.lineTo(x, y + 9);
      context.stroke();
    }
  }

  drawLasso() {
    const { context, theme } = this;
    context.beginPath();
    this.lasso.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.fillStyle = theme.palette[0];
    context.globalAlpha = 0.1;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = theme.palette[0];
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.stroke();
    context.setLineDash([]);
  }

  pointAt(x, y) {
    let [row, nearest] = [-1, NEAR ** 2];
    for (let k = 0; k < this.places.length; k += 2) {
      const distance = (this.places[k] - x) ** 2 + (this.places[k + 1] - y) ** 2;
      if (distance <= nearest) [row, nearest] = [k / 2, distance];
    }
    if (row < 0 || !this.plot.holds(x, y)) return null;
    const { notes, kinds, kind_of: kindOf } = this.data;
    const lines = [`point ${row}`, kinds[kindOf[row]].name, notes ? notes[row] : ""];
    return {
      row, x: this.places[2 * row], y: this.places[2 * row + 1],
      text: lines.filter(Boolean).join("\n"),
    };
  }

  onDown(event) {
    // A finger that moves scrolls the page; with a mouse or a pen it is a lasso.
    if (event.button !== 0 || !this.plot.holds(event.offsetX, event.offsetY)) return;
    this.from = [event.offsetX, event.offsetY];
    if (event.pointerType !== "touch") this.canvas.setPointerCapture(event.pointerId);
  }

  onMove(event) {
    const at = [event.offsetX, event.offsetY];
    const drags = this.from && event.pointerType !== "touch";
    if (drags && (this.lasso || Math.hypot(at[0] - this.from[0], at[1] - this.from[1]) > 6)) {
      this.lasso ??= [this.from];
      this.lasso.push(at);
      this.setHover(null);
      this.draw();
    } else if (!this.from) this.setHover(this.pointAt(...at));
  }

  onUp(event) {
    const { from, lasso } = this;
    [this.from, this.lasso] = [null, null];
    if (!from) return;
    if (lasso) {
      const rows = [];
      for (let k = 0; k < this.places.length; k += 2) {
        if (insidePolygon(lasso, this.places[k], this.places[k + 1])) rows.push(k / 2);
      }
      this.choose(event.shiftKey ? [...new Set([...this.chosen, ...rows])] : rows);
      return;
    }
    const hit = this.pointAt(event.offsetX, event.offsetY);
    if (hit) this.choose(event.shiftKey ? this.toggled(hit.row) : [hit.row]);
    else if (this.data.takes_places) this.report(event);
    else this.choose([]);
  }

  onCancel() {
    [this.from, this.lasso] = [null, null];
    this.draw();
  }

  toggled(row) {
    return this.chosen.includes(row)
      ? this.chosen.filter((other) => other !== row)
      : [row, ...this.chosen];
  }

  // Shown at once; Python hears of it and says the same a moment later.
  choose(rows) {
    this.chosen = rows;
    this.draw();
    this.tell("rows", rows);
  }

  report({ offsetX, offsetY }) {
    const place = [this.plot.fromX(offsetX), this.plot.fromY(offsetY)];
    this.data = { ...this.data, spot: place };
    this.draw();
    this.tell("place", place);
  }
}

export default mountPointed(Plane, ".plane");
