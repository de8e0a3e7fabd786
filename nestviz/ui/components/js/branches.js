// A tree whose branches can be clicked, and beside it the number of clusters at every height.

const TREE_MARGIN = { left: 52, right: 10, top: 30, bottom: 44 };
const CLOSE = 8;
const GRIP = 7;
const GAP = 26;
const EXTRAPOLATED = [4, 3];

function linePath(lines, plot) {
  const path = new Path2D();
  for (const line of lines) {
    for (let k = 0; k < line.length; k += 2) {
      const place = [plot.toX(line[k]), plot.toY(line[k + 1])];
      if (k === 0) path.moveTo(...place);
      else path.lineTo(...place);
    }
  }
  return path;
}

// How far a place is from the nearest of some lines, which run straight up or across.
function awayFrom(lines, plot, x, y) {
  let nearest = Infinity;
  for (const line of lines) {
    for (let k = 2; k < line.length; k += 2) {
      const [ax, bx] = [line[k - 2], line[k]].map(plot.toX).sort((a, b) => a - b);
      const [ay, by] = [line[k - 1], line[k + 1]].map(plot.toY).sort((a, b) => a - b);
      nearest = Math.min(nearest, Math.hypot(Math.max(ax - x, 0, x - bx), Math.max(ay - y, 0, y - by)));
    }
  }
  return nearest;
}

class Branches extends Pointed {
  renew() {
    this.cut = this.data.cut;
    this.chosen = this.data.chosen;
    this.setHover(null);
  }

  layout() {
    const { width, data } = this;
    this.height = Math.min(data.height, Math.max(300, width * 0.95));
    const room = width - TREE_MARGIN.left - TREE_MARGIN.right;
    const aside = Math.min(130, Math.max(70, room * 0.2));
    const box = { y: TREE_MARGIN.top, h: this.height - TREE_MARGIN.top - TREE_MARGIN.bottom };
    const [low, high] = data.heights;
    this.plot = makePlot(
      { ...box, x: TREE_MARGIN.left, w: Math.max(40, room - aside - GAP) }, [0, 1, low, high], false,
    );
    const most = Math.max(1, ...data.counts.map(([, , count]) => count));
    this.side = makePlot(
      { ...box, x: this.plot.x + this.plot.w + GAP, w: aside }, [0, most * 1.15, low, high], false,
    );
    this.root.dataset.plot = JSON.stringify([this.plot.x, this.plot.y, this.plot.w, this.plot.h]);
    this.root.dataset.heights = JSON.stringify(data.heights);
    this.plot.base = data.base;
    this.paths = data.nodes.map((node) =>
      node.lines.length ? linePath(node.lines, this.plot) : ringPath([node.outline], this.plot));
    this.context = fitCanvas(this.canvas, width, this.height);
    this.draw();
  }

  draw() {
    if (!this.context) return;
    const { context, width, height, data, theme } = this;
    context.clearRect(0, 0, width, height);
    drawAxes(context, this.plot, theme, {
      title: data.title, xName: "share of the points", yName: data.height_name,
    });
    if (data.base !== null) this.drawBase();
    context.save();
    clipToPlot(context, this.plot);
    data.nodes.forEach((node, k) => this.drawNode(node, k));
    data.nodes.forEach((node, k) => this.drawNumber(node, k));
    context.restore();
    this.drawCounts();
    this.drawCut();
    this.root.dataset.chosen = this.chosen.join(" ");
    this.root.dataset.cut = String(this.cut);
  }

  drawNode(node, k) {
    const { context, theme } = this;
    const color = colourOf(node.colour, theme);
    const [chosen, pointed] = [this.chosen.includes(k), this.hover?.node === k];
    if (node.lines.length) {
      context.strokeStyle = color;
      context.globalAlpha = chosen || pointed ? 1 : 0.75;
      context.lineWidth = chosen ? 2.8 : 1.6;
      context.setLineDash(EXTRAPOLATED);
      context.stroke(this.paths[k]);
      context.setLineDash([]);
      context.globalAlpha = 1;
      return;
    }
    context.fillStyle = color;
    context.strokeStyle = chosen ? theme.text : color;
    context.globalAlpha = node.colour < 0 ? (pointed ? 0.36 : 0.2) : pointed ? 0.85 : 0.6;
    context.fill(this.paths[k]);
    context.globalAlpha = node.colour < 0 && !chosen ? 0.45 : 1;
    // A branch of a single point has next to no width: its outline keeps it in sight.
    context.lineWidth = chosen ? 2.4 : 1.2;
    context.stroke(this.paths[k]);
    context.globalAlpha = 1;
  }

  // The largest solved set; what joins below it is extrapolated and not to scale.
  drawBase() {
    const { context, plot, side, theme, data } = this;
    const y = Math.round(plot.toY(data.base)) + 0.5;
    context.save();
    context.fillStyle = theme.text;
    context.globalAlpha = 0.06;
    context.fillRect(plot.x, y, plot.w, plot.y + plot.h - y);
    context.globalAlpha = 0.5;
    context.strokeStyle = theme.text;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(plot.x, y);
    context.lineTo(side.x + side.w, y);
    context.stroke();
    context.globalAlpha = 0.85;
    context.font = `11px ${theme.font}`;
    context.textAlign = "left";
    context.textBaseline = "bottom";
    context.fillText(shorten(context, data.note, plot.w - 8), plot.x + 5, plot.y + plot.h - 2);
    context.restore();
  }

  drawNumber(node, k) {
    if (node.label === "") return;
    const { context, plot, theme } = this;
    const [x, y] = [plot.toX(node.centre), plot.toY(node.top) - 5];
    context.font = `600 12px ${theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    context.lineWidth = 3;
    context.strokeStyle = theme.background;
    const text = node.label;
    const place = Math.max(y, plot.y + 12);
    context.strokeText(text, x, place);
    context.fillStyle = theme.text;
    context.fillText(text, x, place);
  }

  // The same heights, so that the cut runs through both pictures.
  drawCounts() {
    const { context, side, theme, data } = this;
    context.save();
    context.globalAlpha = 0.22;
    context.strokeStyle = theme.text;
    context.lineWidth = 1;
    context.strokeRect(Math.round(side.x) + 0.5, Math.round(side.y) + 0.5,
      Math.round(side.w), Math.round(side.h));
    context.globalAlpha = 0.8;
    context.fillStyle = theme.text;
    context.font = `11.5px ${theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "top";
    const { ticks, step } = niceTicks(0, side.view[1], Math.min(4, side.w / 26));
    for (const tick of ticks.filter((value) => step >= 1 || Number.isInteger(value))) {
      context.fillText(String(tick), side.toX(tick), side.y + side.h + 6);
    }
    context.font = `12px ${theme.font}`;
    context.textBaseline = "alphabetic";
    context.fillText("clusters", side.x + side.w / 2, side.y + side.h + 34);
    context.globalAlpha = 1;
    context.strokeStyle = theme.palette[0];
    context.lineWidth = 2;
    context.lineJoin = "round";
    clipToPlot(context, side);
    context.beginPath();
    data.counts.forEach(([from, to, count], k) => {
      const x = side.toX(count);
      if (k === 0) context.moveTo(x, side.toY(from));
      else context.lineTo(x, side.toY(from));
      context.lineTo(x, side.toY(to));
    });
    context.stroke();
    context.restore();
  }

  drawCut() {
    const { context, plot, side, theme } = this;
    const y = plot.toY(this.cut);
    context.strokeStyle = theme.text;
    context.lineWidth = this.held ? 2.4 : 1.6;
    context.setLineDash([7, 5]);
    context.beginPath();
    context.moveTo(plot.x, y);
    context.lineTo(side.x + side.w, y);
    context.stroke();
    context.setLineDash([]);
    // A handle: lines that can be taken hold of should look like it.
    context.fillStyle = theme.text;
    context.beginPath();
    context.arc(plot.x, y, 5, 0, 2 * Math.PI);
    context.fill();
    const here = this.data.counts.find(([from, to]) =>
      Math.min(from, to) <= this.cut && this.cut < Math.max(from, to));
    const count = here ? here[2] : 0;
    context.beginPath();
    context.arc(side.toX(count), y, 5, 0, 2 * Math.PI);
    context.fillStyle = theme.palette[1];
    context.fill();
    context.font = `600 12px ${theme.font}`;
    context.fillStyle = theme.text;
    const left = side.toX(count) > side.x + side.w - 24;
    context.textAlign = left ? "right" : "left";
    context.textBaseline = y - 14 < side.y ? "top" : "alphabetic";
    context.fillText(String(count), side.toX(count) + (left ? -8 : 8), y + (y - 14 < side.y ? 6 : -6));
  }

  onCut(x, y) {
    const { plot, side } = this;
    return x >= plot.x - 8 && x <= side.x + side.w && Math.abs(y - plot.toY(this.cut)) <= GRIP;
  }

  // The branch under the pointer: the smallest that holds it, or a thin one close by.
  nodeAt(x, y) {
    const { plot, data } = this;
    if (!plot.holds(x, y)) return null;
    const ratio = this.canvas.width / this.width;
    let [node, nearest] = [-1, CLOSE];
    data.nodes.forEach((each, k) => {
      const [top, bottom] = [plot.toY(each.top), plot.toY(each.bottom)];
      if (y < Math.min(top, bottom) - 3 || y > Math.max(top, bottom) + 3) return;
      const away = each.lines.length
        ? awayFrom(each.lines, plot, x, y)
        : this.context.isPointInPath(this.paths[k], x * ratio, y * ratio)
          ? 0
          : Math.abs(x - plot.toX(each.centre));
      if (away < nearest || (away === 0 && nearest === 0)) [node, nearest] = [k, away];
    });
    return node < 0 ? null : { node, x, y, text: data.nodes[node].text };
  }

  onDown(event) {
    if (event.button !== 0) return;
    const { offsetX: x, offsetY: y } = event;
    if (this.onCut(x, y)) {
      this.held = true;
      this.canvas.setPointerCapture(event.pointerId);
      this.setHover(null);
      this.draw();
    } else this.pressed = this.plot.holds(x, y);
  }

  onMove({ offsetX: x, offsetY: y }) {
    if (this.held) {
      const [low, high] = this.data.heights;
      this.cut = Math.min(Math.max(this.plot.fromY(y), this.data.base ?? low), high);
      this.draw();
      return;
    }
    this.canvas.classList.toggle("holding", this.onCut(x, y));
    this.setHover(this.onCut(x, y) ? null : this.nodeAt(x, y));
  }

  onUp({ offsetX: x, offsetY: y }) {
    const { held, pressed } = this;
    this.onCancel();
    if (held) this.tell("cut", this.cut);
    else if (pressed) {
      const hit = this.nodeAt(x, y);
      this.chosen = hit ? [hit.node] : [];
      this.draw();
      this.tell("node", hit ? hit.node : -1);
    }
  }

  onCancel() {
    [this.held, this.pressed] = [false, false];
    this.draw();
  }
}

export default mountPointed(Branches, ".branches");
