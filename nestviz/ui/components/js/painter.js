// The painter: click adds a point, drag sprays points or erases them.

const DRAG_STARTS = 4;
const SMALLEST_ERASER = 10;
const PAINTER_MARGIN = { left: 50, right: 14, top: 10, bottom: 30 };

const painters = new WeakMap();

class Painter {
  constructor(root) {
    const find = (selector) => root.querySelector(selector);
    this.root = root;
    this.canvas = find("canvas");
    this.backdrop = document.createElement("canvas");
    this.tools = [...root.querySelectorAll("input[name=tool]")];
    this.sliders = { radius: find(".radius"), rate: find(".rate") };
    this.buttons = { undo: find("[data-action=undo]"), clear: find("[data-action=clear]") };
    this.count = find(".count");
    this.limit = find(".limit");
    this.generation = 0;
    this.width = 0;
    this.stroke = null;
    this.pointer = null;
    this.observer = new ResizeObserver(() => this.fit());
    this.listen();
  }

  listen() {
    for (const tool of this.tools) {
      tool.addEventListener("change", () => { this.drawing.tool = Number(tool.value); });
    }
    for (const [name, slider] of Object.entries(this.sliders)) {
      slider.addEventListener("input", () => {
        this.drawing[name] = Number(slider.value);
        this.showControls();
      });
    }
    this.buttons.undo.addEventListener("click", () => this.undo());
    this.buttons.clear.addEventListener("click", () => this.clear());
    this.root.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z") {
        event.preventDefault();
        this.undo();
      }
    });
    this.canvas.addEventListener("pointerdown", (event) => this.begin(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", () => this.end());
    this.canvas.addEventListener("pointercancel", () => this.end());
    this.canvas.addEventListener("pointerleave", () => {
      if (!this.stroke) this.pointer = null;
      this.draw();
    });
  }

  // Called at first, when Python changes the points, and for another theme.
  update({ data, setStateValue }) {
    this.generation += 1;
    this.setStateValue = setStateValue;
    if (data.base !== this.data?.base) this.stroke = null;
    this.data = data;
    this.drawing = recallDrawing(data);
    this.theme = readTheme(this.root);
    this.root.style.setProperty("--plus", this.theme.palette[0]);
    this.root.style.setProperty("--minus", this.theme.palette[1]);
    this.width = 0;
    this.showControls();
    this.fit();
    this.observer.observe(this.root);
    if (document.fonts.status !== "loaded") {
      document.fonts.ready.then(() => {
        this.width = 0;
        this.fit();
      });
    }
    // The page may have been left in the middle of a stroke, before Python heard of it.
    if (!this.stroke && this.drawing.points !== this.drawing.reported) this.report();
    return this.generation;
  }

  // A late clean-up of an earlier call must not stop what a later call has started.
  dispose(generation) {
    if (generation !== this.generation) return;
    this.stroke = null;
    this.observer.disconnect();
    painters.delete(this.root);
  }

  fit() {
    const width = Math.floor(this.canvas.parentElement.clientWidth);
    if (width <= 0 || width === this.width) return;
    this.width = width;
    const { left, right, top, bottom } = PAINTER_MARGIN;
    const box = { x: left, y: top, w: width - left - right, h: this.data.height - top - bottom };
    this.plot = makePlot(box, this.data.view, false);
    drawAxes(fitCanvas(this.backdrop, width, this.data.height), this.plot, this.theme, {});
    this.context = fitCanvas(this.canvas, width, this.data.height);
    this.root.dataset.plots = JSON.stringify([[this.plot.x, this.plot.y, this.plot.w, this.plot.h]]);
    this.show();
  }

  showControls() {
    for (const tool of this.tools) tool.checked = Number(tool.value) === this.drawing.tool;
    for (const [name, slider] of Object.entries(this.sliders)) {
      slider.value = String(this.drawing[name]);
      const share = (slider.value - slider.min) / (slider.max - slider.min);
      slider.style.setProperty("--fill", `${100 * share}%`);
    }
  }

  show() {
    const { points, past } = this.drawing;
    const plus = points.filter(([, , kind]) => kind > 0).length;
    const text = `${points.length} points: ${plus} of class +1, ${points.length - plus} of class −1`;
    this.root.dataset.count = String(points.length);
    this.root.dataset.theme = this.theme.dark ? "dark" : "light";
    if (!this.stroke) this.count.textContent = text;
    this.canvas.setAttribute("aria-label", `Drawing area with ${text}`);
    const limit = points.length < this.data.cap ? ""
      : `That is the limit of ${this.data.cap.toLocaleString("en")} points; erase some to add others.`;
    if (this.limit.textContent !== limit) this.limit.textContent = limit;
    // Not disabled: a button that is would lose the focus of whoever just pressed it.
    this.buttons.undo.setAttribute("aria-disabled", String(past.length === 0));
    this.buttons.clear.setAttribute("aria-disabled", String(points.length === 0));
    this.draw();
  }

  draw() {
    if (this.width === 0) return;
    const { context, plot, theme } = this;
    const { points } = this.drawing;
    context.clearRect(0, 0, this.width, this.data.height);
    context.drawImage(this.backdrop, 0, 0, this.width, this.data.height);
    const paths = [new Path2D(), new Path2D()];
    const radius = markerRadius(points.length);
    for (const [x, y, kind] of points) {
      const k = kind > 0 ? 0 : 1;
      addMarker(paths[k], SHAPES[k], plot.toX(x), plot.toY(y), radius);
    }
    context.save();
    clipToPlot(context, plot);
    paths.forEach((path, k) => paintMarkers(context, path, theme.palette[k], theme));
    if (this.pointer) this.drawBrush();
    context.restore();
  }

  get reach() {
    const erasing = this.drawing.tool === 0;
    return erasing ? Math.max(SMALLEST_ERASER, this.drawing.radius) : this.drawing.radius;
  }

  drawBrush() {
    const { context, theme } = this;
    context.beginPath();
    context.arc(this.pointer.x, this.pointer.y, Math.max(2, this.reach), 0, 2 * Math.PI);
    context.strokeStyle = theme.text;
    context.globalAlpha = 0.45;
    context.lineWidth = 1.2;
    context.setLineDash(this.drawing.tool === 0 ? [4, 4] : []);
    context.stroke();
    context.globalAlpha = 1;
  }

  // Adds a point at a place on the canvas, if there is room and it lies in the picture.
  add(x, y) {
    const { drawing, plot } = this;
    if (drawing.points.length >= this.data.cap || !plot.holds(x, y)) return;
    const [xmin, xmax, ymin, ymax] = this.data.view;
    // Five digits of the view are finer than a pixel, and keep messages short.
    const tidy = (value, span) => Number(value.toFixed(Math.max(0, 5 - Math.ceil(Math.log10(span)))));
    const point = [tidy(plot.fromX(x), xmax - xmin), tidy(plot.fromY(y), ymax - ymin), drawing.tool];
    drawing.points = [...drawing.points, point];
  }

  erase(x, y) {
    const { plot, reach } = this;
    const kept = this.drawing.points.filter(([px, py]) => (
      (plot.toX(px) - x) ** 2 + (plot.toY(py) - y) ** 2 > reach ** 2
    ));
    if (kept.length < this.drawing.points.length) this.drawing.points = kept;
  }

  begin(event) {
    if (event.button !== 0 || this.stroke) return;
    const [x, y] = [event.offsetX, event.offsetY];
    if (!this.plot.holds(x, y)) return;
    this.canvas.setPointerCapture(event.pointerId);
    remember(this.drawing);
    this.pointer = { x, y };
    this.stroke = { x, y, spraying: false, owed: 0, before: this.drawing.points };
    if (this.drawing.tool === 0) this.erase(x, y);
    else this.add(x, y);
    this.show();
  }

  move(event) {
    this.pointer = { x: event.offsetX, y: event.offsetY };
    const { stroke } = this;
    if (stroke && this.drawing.tool === 0) this.erase(event.offsetX, event.offsetY);
    else if (stroke && !stroke.spraying) {
      const far = Math.hypot(event.offsetX - stroke.x, event.offsetY - stroke.y) > DRAG_STARTS;
      if (far) this.startSpray();
    }
    if (stroke) this.show();
    else this.draw();
  }

  // From the first real movement on points come at a steady rate until the button is let go.
  startSpray() {
    const { stroke } = this;
    stroke.spraying = true;
    let before = performance.now();
    const step = (now) => {
      if (stroke !== this.stroke) return;
      stroke.owed += (Math.min(Math.max(now - before, 0), 100) / 1000) * this.drawing.rate;
      before = now;
      for (; stroke.owed >= 1; stroke.owed -= 1) this.sprayOne();
      this.show();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  sprayOne() {
    const [dx, dy] = normalPair(this.drawing.random);
    const spread = this.drawing.radius / 2;
    this.add(this.pointer.x + dx * spread, this.pointer.y + dy * spread);
  }

  end() {
    if (!this.stroke) return;
    const changed = this.stroke.before !== this.drawing.points;
    this.stroke = null;
    if (!changed) this.drawing.past.pop();
    this.show();
    if (changed) this.report();
  }

  undo() {
    if (this.stroke || this.drawing.past.length === 0) return;
    this.drawing.points = this.drawing.past.pop();
    this.show();
    this.report();
  }

  clear() {
    if (this.stroke || this.drawing.points.length === 0) return;
    remember(this.drawing);
    this.drawing.points = [];
    this.show();
    this.report();
  }

  report() {
    this.drawing.reported = this.drawing.points;
    this.drawing.turn += 1;
    const { base, turn, points } = this.drawing;
    this.setStateValue("drawing", { base, turn, points });
  }
}

export default function mountPainter(component) {
  const root = component.parentElement.querySelector(".painter");
  if (!painters.has(root)) painters.set(root, new Painter(root));
  const painter = painters.get(root);
  const generation = painter.update(component);
  return () => painter.dispose(generation);
}
