// The player: a picture, its controls, and a memory that outlives both.

const REPORT_DELAY = 250;
const ANNOUNCE_EVERY = 4000;

const players = new WeakMap();

class Player {
  constructor(root) {
    const find = (selector) => root.querySelector(selector);
    this.root = root;
    this.canvas = find("canvas");
    this.tooltip = find(".tooltip");
    this.scrubber = find(".scrubber");
    this.speed = find(".speed");
    this.buttons = Object.fromEntries(
      [...root.querySelectorAll("[data-action]")].map((button) => [button.dataset.action, button]),
    );
    this.views = [...root.querySelectorAll("[data-view]")];
    this.parts = {
      legend: find(".legend"), readout: find(".readout"), level: find(".level"),
      caption: find(".caption"), live: find(".live"), views: find(".views"),
    };
    this.picture = new SweepPicture(this.canvas);
    this.generation = 0;
    this.token = 0;
    this.hover = null;
    this.announced = 0;
    this.observer = new ResizeObserver(() => this.fit());
    this.listen();
  }

  listen() {
    const actions = {
      play: () => (this.memory.playing ? this.pause() : this.play()),
      back: () => this.goTo(this.frame - 1),
      forward: () => this.goTo(this.frame + 1),
      bounce: () => this.toggleBounce(),
    };
    for (const [name, button] of Object.entries(this.buttons)) {
      button.addEventListener("click", actions[name]);
    }
    for (const button of this.views) {
      button.addEventListener("click", () => this.toggleView(button.dataset.view));
    }
    this.onMarks = (event) => { if (event.detail === this.sweep?.player.id) this.showMarks(); };
    this.scrubber.addEventListener("input", () => this.goTo(Number(this.scrubber.value)));
    this.speed.addEventListener("change", () => { this.memory.speed = Number(this.speed.value); });
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    this.canvas.addEventListener("pointermove", (event) => this.onPointer(event));
    this.canvas.addEventListener("pointerleave", () => this.setHover(null));
    this.canvas.addEventListener("click", (event) => this.onClick(event));
  }

  // Called at first, and again for new data or another theme.
  update({ data, setStateValue, setTriggerValue }) {
    this.generation += 1;
    this.setStateValue = setStateValue;
    this.setTriggerValue = setTriggerValue;
    // Nothing is drawn until the panels have been placed anew.
    this.picture.width = 0;
    if (data !== this.data) {
      this.data = data;
      this.sweep = decodeSweep(data);
      this.memory = recall(this.sweep);
      this.picture.setSweep(this.sweep);
      this.setHover(null);
    }
    this.picture.setTheme(readTheme(this.root));
    this.picture.views = this.memory.views;
    this.picture.marked = marksOf(this.sweep.player.id) ?? [];
    this.showControls();
    this.showLegend();
    this.fit();
    this.observer.observe(this.root);
    window.addEventListener("nestviz-marks", this.onMarks);
    // The first picture may come before the page's font has been loaded.
    if (document.fonts.status !== "loaded") document.fonts.ready.then(() => this.redraw());
    if (this.memory.playing) this.run();
    else this.report();
    return this.generation;
  }

  // A late clean-up of an earlier call must not stop what a later call has started.
  dispose(generation) {
    if (generation !== this.generation) return;
    this.token += 1;
    this.observer.disconnect();
    window.removeEventListener("nestviz-marks", this.onMarks);
    clearTimeout(this.reportTimer);
    clearTimeout(this.announceTimer);
    players.delete(this.root);
  }

  get frame() {
    return nearestFrame(this.memory);
  }

  fit() {
    const width = Math.floor(this.canvas.parentElement.clientWidth);
    if (width <= 0 || width === this.picture.width) return;
    this.picture.layout(width);
    this.root.dataset.plots = JSON.stringify(
      this.picture.plots.map(({ x, y, w, h }) => [x, y, w, h]),
    );
    this.show();
  }

  // Draws the cached layers anew as well.
  redraw() {
    if (this.picture.width === 0) return;
    this.picture.layout(this.picture.width);
    this.show();
  }

  showControls() {
    const { show } = this.sweep.player;
    this.canvas.setAttribute("aria-label", this.sweep.alt);
    this.scrubber.max = String(this.memory.last);
    this.scrubber.setAttribute("aria-label", this.sweep.level_name);
    this.speed.value = String(this.memory.speed);
    this.speed.hidden = !show.includes("speed");
    this.buttons.bounce.hidden = !show.includes("loop");
    this.parts.readout.hidden = !show.includes("readout");
    this.buttons.bounce.setAttribute("aria-pressed", String(this.memory.bounce));
    for (const button of this.views) {
      const name = button.dataset.view;
      button.hidden = !show.includes(name) || !viewOffered(this.sweep, name);
      button.setAttribute("aria-pressed", String(this.memory.views.has(name)));
    }
    this.parts.views.hidden = this.views.every((button) => button.hidden);
    this.canvas.classList.toggle("placing", Boolean(this.sweep.player.places));
    for (const control of [this.scrubber, this.buttons.play]) control.disabled = this.memory.last === 0;
    this.root.dataset.frames = String(this.memory.last + 1);
    this.root.dataset.theme = this.picture.theme.dark ? "dark" : "light";
  }

  showLegend() {
    const entries = legendEntries(this.sweep, this.picture);
    this.root.dataset.marked = this.picture.marked.join(" ");
    this.parts.legend.replaceChildren(...entries);
    this.parts.legend.hidden = !this.sweep.player.show.includes("legend") || !entries.length;
  }

  show() {
    const { memory, sweep } = this;
    const smooth = memory.playing && !stillWanted();
    // No width yet: mounted inside something hidden, such as a closed tab.
    if (this.picture.width > 0) this.picture.draw(smooth ? memory.position : this.frame, this.hover);
    if (this.shown === sweep && this.root.dataset.frame === String(this.frame)
      && this.root.dataset.playing === String(memory.playing)) return;
    this.shown = sweep;
    this.root.dataset.frame = String(this.frame);
    this.root.dataset.level = String(sweep.levels[this.frame]);
    this.root.dataset.playing = String(memory.playing);
    this.buttons.play.setAttribute("aria-label", memory.playing ? "Pause" : "Play");
    this.parts.level.textContent = `${sweep.level_name} = ${sweep.labels[this.frame]}`;
    this.parts.caption.textContent = sweep.captions[this.frame];
    this.scrubber.value = String(this.frame);
    this.scrubber.style.setProperty("--fill", `${(100 * this.frame) / Math.max(1, memory.last)}%`);
    this.announce();
  }

  // Says the level aloud: soon after it came to rest, now and then while playing.
  announce() {
    const say = () => {
      const text = `${this.sweep.labels[this.frame]}, ${this.sweep.captions[this.frame]}`;
      this.scrubber.setAttribute("aria-valuetext", text);
      this.parts.live.textContent = `${this.sweep.level_name} ${text}`;
      this.announced = performance.now();
    };
    clearTimeout(this.announceTimer);
    if (!this.memory.playing) this.announceTimer = setTimeout(say, REPORT_DELAY);
    else if (performance.now() - this.announced > ANNOUNCE_EVERY) say();
  }

  // Tells Python the frame once the picture has come to rest.
  report() {
    clearTimeout(this.reportTimer);
    if (!this.sweep.player.report) return;
    this.reportTimer = setTimeout(() => {
      if (this.memory.playing || this.frame === this.memory.reported) return;
      this.memory.reported = this.frame;
      this.setStateValue("frame", this.frame);
    }, REPORT_DELAY);
  }

  play() {
    const { memory } = this;
    if (memory.last === 0) return;
    if (!memory.bounce && memory.position >= memory.last) memory.position = 0;
    memory.playing = true;
    this.run();
    this.show();
  }

  pause() {
    const { frame } = this;
    this.memory.playing = false;
    this.token += 1;
    this.goTo(frame);
  }

  goTo(frame) {
    this.memory.playing = false;
    this.token += 1;
    this.memory.position = Math.min(Math.max(frame, 0), this.memory.last);
    this.show();
    this.report();
  }

  // One animation loop at a time: a loop ends as soon as its token is no longer the newest.
  run() {
    const token = (this.token += 1);
    let before = performance.now();
    const step = (now) => {
      if (token !== this.token) return;
      // After a hidden tab or a long task the sweep goes on where it was, without a jump.
      const seconds = Math.min(Math.max(now - before, 0), 100) / 1000;
      advance(this.memory, seconds * this.memory.speed * this.sweep.frames_per_second);
      before = now;
      this.show();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  toggleBounce() {
    this.memory.bounce = !this.memory.bounce;
    this.buttons.bounce.setAttribute("aria-pressed", String(this.memory.bounce));
  }

  toggleView(name) {
    const { views } = this.memory;
    if (!views.delete(name)) views.add(name);
    this.showControls();
    this.showLegend();
    this.redraw();
    if (this.sweep.player.report) this.setStateValue("view", [...views].sort());
  }

  showMarks() {
    this.picture.marked = marksOf(this.sweep.player.id) ?? [];
    this.showLegend();
    if (!this.memory.playing) this.show();
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const focus = event.composedPath()[0];
    const [inButton, inSelect] = [focus.tagName === "BUTTON", focus.tagName === "SELECT"];
    const keys = {
      " ": inButton || inSelect ? null : () => (this.memory.playing ? this.pause() : this.play()),
      ArrowLeft: inSelect ? null : () => this.goTo(this.frame - 1),
      ArrowRight: inSelect ? null : () => this.goTo(this.frame + 1),
      Home: inSelect ? null : () => this.goTo(0),
      End: inSelect ? null : () => this.goTo(this.memory.last),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  onPointer(event) {
    if (this.picture.width > 0) this.setHover(this.picture.pointAt(event.offsetX, event.offsetY));
  }

  setHover(hover) {
    if (hover?.panel === this.hover?.panel && hover?.index === this.hover?.index) return;
    this.hover = hover;
    this.canvas.classList.toggle("pointing", hover !== null);
    this.tooltip.hidden = hover === null;
    if (hover) placeTooltip(this.tooltip, hover, pointText(this.sweep, hover), this.picture);
    if (!this.memory.playing) this.show();
  }

  onClick(event) {
    if (this.picture.width === 0) return;
    const { id, places } = this.sweep.player;
    const reach = event.pointerType === "touch" ? TOUCH_REACH : HOVER_REACH;
    const hit = this.picture.pointAt(event.offsetX, event.offsetY, reach);
    if (hit) {
      // Marked here and now; Python's own mark follows when its run is through.
      if (marksOf(id)) setMarks(id, [hit.index]);
      this.setTriggerValue("point", { panel: hit.panel, index: hit.index });
      return;
    }
    const place = places ? this.picture.placeAt(event.offsetX, event.offsetY) : null;
    if (place) this.setTriggerValue("place", place);
  }
}

export default function mountPlayer(component) {
  const root = component.parentElement.querySelector(".player");
  if (!players.has(root)) players.set(root, new Player(root));
  const player = players.get(root);
  const generation = player.update(component);
  return () => player.dispose(generation);
}
