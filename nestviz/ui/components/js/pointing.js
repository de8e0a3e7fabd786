// What the plane and the tree have in common: a canvas that is pointed at.

const LEGEND = 9;

// Beside a place, on the side where there is room.
function placeHint(hint, { x, y }, text, { width, height }) {
  hint.textContent = text;
  const { offsetWidth: w, offsetHeight: h } = hint;
  hint.style.left = `${x + 14 + w <= width ? x + 14 : Math.max(0, x - 14 - w)}px`;
  hint.style.top = `${Math.min(Math.max(0, y - h / 2), Math.max(0, height - h))}px`;
}

// Places in the palette come again after its end; what is told by them has a mark as well.
function colourOf(place, theme) {
  return place < 0 ? theme.text : theme.palette[place % theme.palette.length];
}

// Marks and names, the first few of many.
function legendItems(kinds) {
  const items = kinds.slice(0, LEGEND).map(({ name, color, shape }) => {
    const item = document.createElement("li");
    // Names may come from the user's data: appended as text, never as markup.
    item.append(markerIcon(shape, color), name);
    return item;
  });
  if (kinds.length > LEGEND) {
    const more = document.createElement("li");
    more.textContent = `and ${kinds.length - LEGEND} more`;
    items.push(more);
  }
  return items;
}

function ringPath(rings, plot) {
  const path = new Path2D();
  for (const ring of rings) {
    for (let k = 0; k < ring.length; k += 2) {
      const [x, y] = [plot.toX(ring[k]), plot.toY(ring[k + 1])];
      if (k === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
    path.closePath();
  }
  return path;
}

function blend(from, to, share) {
  const part = (color, k) => parseInt(color.slice(1 + 2 * k, 3 + 2 * k), 16);
  const mixed = [0, 1, 2].map((k) => Math.round(part(from, k) * (1 - share) + part(to, k) * share));
  return `rgb(${mixed.join(",")})`;
}

function insidePolygon(polygon, x, y) {
  let inside = false;
  for (let k = 0, m = polygon.length - 1; k < polygon.length; m = k++) {
    const [[ax, ay], [bx, by]] = [polygon[k], polygon[m]];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

// One picture per root element. It is called again for new data or another theme without a
// clean-up of the call before; a late clean-up must not end what a later call has begun.
class Pointed {
  constructor(root) {
    this.root = root;
    this.canvas = root.querySelector("canvas");
    this.hint = root.querySelector(".tooltip");
    this.generation = 0;
    this.width = 0;
    this.hover = null;
    this.observer = new ResizeObserver(() => this.fit());
    const handlers = {
      pointerdown: (event) => this.onDown(event),
      pointermove: (event) => this.onMove(event),
      pointerup: (event) => this.onUp(event),
      pointercancel: () => this.onCancel(),
      pointerleave: () => this.setHover(null),
    };
    for (const [name, handler] of Object.entries(handlers)) {
      this.canvas.addEventListener(name, (event) => { if (this.width > 0) handler(event); });
    }
  }

  update({ data, setTriggerValue }) {
    this.generation += 1;
    this.tell = setTriggerValue;
    this.data = data;
    this.theme = readTheme(this.root);
    this.root.setAttribute("aria-label", data.name);
    this.canvas.setAttribute("aria-label", data.alt);
    this.root.dataset.theme = this.theme.dark ? "dark" : "light";
    this.renew();
    this.width = 0;
    this.fit();
    this.observer.observe(this.root);
    if (document.fonts.status !== "loaded") document.fonts.ready.then(() => this.layout());
    return this.generation;
  }

  dispose(generation) {
    if (generation !== this.generation) return;
    this.observer.disconnect();
    pictures.delete(this.root);
  }

  fit() {
    const width = Math.floor(this.canvas.parentElement.clientWidth);
    if (width <= 0 || width === this.width) return;
    this.width = width;
    this.layout();
  }

  setHover(hover) {
    const same = JSON.stringify(hover) === JSON.stringify(this.hover);
    if (same) return;
    this.hover = hover;
    this.canvas.classList.toggle("pointing", hover !== null);
    this.hint.hidden = hover === null;
    if (hover) placeHint(this.hint, hover, hover.text, this);
    this.draw();
  }
}

const pictures = new WeakMap();

function mountPointed(Kind, selector) {
  return (component) => {
    const root = component.parentElement.querySelector(selector);
    if (!pictures.has(root)) pictures.set(root, new Kind(root));
    const picture = pictures.get(root);
    const generation = picture.update(component);
    return () => picture.dispose(generation);
  };
}
