import assert from "node:assert/strict";
import { test } from "node:test";

// As much of a browser as the gestures need.
class Pointer extends Event {
  constructor(name, fields) {
    super(name);
    const mouse = { pointerId: 1, pointerType: "mouse", button: 0, offsetX: 0, offsetY: 0 };
    for (const [key, value] of Object.entries({ ...mouse, ...fields })) {
      Object.defineProperty(this, key, { value });
    }
  }
}
Object.assign(globalThis, {
  PointerEvent: Pointer,
  HTMLSelectElement: class {},
  HTMLTextAreaElement: class {},
  HTMLInputElement: class extends EventTarget {},
});
const { Gestures } = await import("../../nestviz/ui/player/js/gestures.js");
const { wheelFactor } = await import("../../nestviz/ui/player/js/view_moves.js");

class Canvas extends EventTarget {
  style = {};
  root = new EventTarget();

  closest() {
    return this.root;
  }

  setPointerCapture() {}
}

/** A host that writes down what is called, and a hand to move. */
function stage(mode = "look", { zoomed = false, holds = false } = {}) {
  const calls = [];
  const host = { mode, zoomed, panelAt: (x) => (x < 0 ? -1 : 0), centreOf: () => [50, 50] };
  for (const name of [
    "zoomAt", "pan", "resetView", "hover", "leave", "tap", "lasso", "lassoing", "drag", "drop", "turn",
    "wheelLeft",
  ]) {
    host[name] = (...given) => calls.push([name, ...given.filter((value) => !(value instanceof Event))]);
  }
  host.grab = () => holds;
  const canvas = new Canvas();
  const gestures = new Gestures(canvas, host);
  const send = (target, event, fields) => {
    for (const [key, value] of Object.entries(fields)) Object.defineProperty(event, key, { value });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const blank = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  return {
    calls, canvas, gestures, host,
    names: () => calls.map(([name]) => name),
    hand: (name, x, y, more = {}) => canvas.dispatchEvent(
      new Pointer(`pointer${name}`, { offsetX: x, offsetY: y, ...more }),
    ),
    wheel: (fields) => send(canvas, new Event("wheel", { cancelable: true }), {
      ...blank, offsetX: 10, offsetY: 10, deltaX: 0, deltaY: -100, deltaMode: 0, ...fields,
    }),
    key: (key, fields = {}) => send(canvas.root, new Event("keydown", { cancelable: true }), {
      ...blank, key, ...fields,
    }),
    touch: (name, count) => send(canvas, new Event(name, { cancelable: true }), {
      touches: { length: count },
    }),
  };
}

const FINGER = { pointerType: "touch" };

test("a click is a tap, a second one at once resets the view", () => {
  const { hand, calls } = stage();
  for (const x of [10, 12]) {
    hand("down", x, 10, { timeStamp: 1000 + x });
    hand("move", x + 1, 10, { timeStamp: 1000 + x });
    hand("up", x + 1, 10, { timeStamp: 1000 + x });
  }
  assert.deepEqual(calls, [["tap", 0, 11, 10], ["resetView"]]);
});

test("clicks far apart in time or place, or while editing, are taps", () => {
  const click = ({ hand }, x, timeStamp) => {
    hand("down", x, 10, { timeStamp });
    hand("up", x, 10, { timeStamp });
  };
  const looking = stage();
  [[10, 0], [10, 2000], [90, 2100]].forEach(([x, time]) => click(looking, x, time));
  const editing = stage("edit");
  [[10, 0], [10, 100]].forEach(([x, time]) => click(editing, x, time));
  assert.deepEqual([...looking.names(), ...editing.names()], Array(5).fill("tap"));
});

test("a drag does what the mode says", () => {
  const drag = (...given) => {
    const { hand, calls } = stage(...given);
    hand("down", 10, 10);
    hand("move", 30, 10);
    hand("move", 30, 40);
    hand("up", 30, 40);
    return calls;
  };
  const moves = [["pan", 0, 20, 0], ["pan", 0, 0, 30]];
  assert.deepEqual(drag("look"), moves);
  assert.deepEqual(drag("edit"), moves);
  assert.deepEqual(drag("turn"), [["turn", 20, 0], ["turn", 0, 30]]);
  assert.deepEqual(drag("edit", { holds: true }), [
    ["drag", 0, 30, 10], ["drag", 0, 30, 40], ["drop", 0, 30, 40],
  ]);
  const line = [[10, 10], [30, 10], [30, 40]];
  assert.deepEqual(drag("lasso").at(-1), ["lasso", 0, line]);
});

test("Escape gives a lasso up", () => {
  const { hand, key, calls, names } = stage("lasso");
  hand("down", 10, 10);
  hand("move", 30, 10);
  hand("move", 30, 40);
  key("Escape");
  hand("up", 30, 40);
  assert.deepEqual(calls.at(-1), ["lassoing", 0, []]);
  assert.ok(!names().includes("lasso"));
});

test("a finger on the whole picture is the page's, and ours once zoomed in", () => {
  for (const zoomed of [false, true]) {
    const { hand, canvas, names, touch } = stage("look", { zoomed });
    assert.equal(canvas.style.touchAction, zoomed ? "none" : "pan-y");
    hand("down", 10, 10, FINGER);
    assert.ok(!touch("touchstart", 1));
    hand("move", 10, 60, FINGER);
    assert.equal(touch("touchmove", 1), zoomed);
    hand("up", 10, 60, FINGER);
    assert.deepEqual(names(), zoomed ? ["pan"] : []);
  }
});

test("two fingers zoom about their middle and move with it", () => {
  const { hand, calls, names, touch } = stage();
  hand("down", 40, 50, FINGER);
  hand("down", 60, 50, { ...FINGER, pointerId: 2 });
  assert.ok(touch("touchstart", 2));
  hand("move", 80, 50, { ...FINGER, pointerId: 2 });
  assert.deepEqual(calls, [["pan", 0, 10, 0], ["zoomAt", 0, 60, 50, 2]]);
  // The finger that remains does nothing.
  hand("up", 80, 50, { ...FINGER, pointerId: 2 });
  hand("move", 90, 90, FINGER);
  hand("up", 90, 90, FINGER);
  assert.deepEqual(names(), ["pan", "zoomAt"]);
});

test("a second finger lets go of what the first one holds", () => {
  const { hand, calls } = stage("edit", { holds: true });
  hand("down", 10, 10, FINGER);
  hand("move", 20, 20, FINGER);
  hand("down", 60, 50, { ...FINGER, pointerId: 2 });
  assert.deepEqual(calls, [["drag", 0, 20, 20], ["drop", 0, 20, 20]]);
});

test("when the browser takes a finger away, nothing is tapped", () => {
  const { hand, calls } = stage();
  hand("down", 10, 10, FINGER);
  hand("cancel", 10, 10, FINGER);
  hand("up", 10, 10, FINGER);
  assert.deepEqual(calls, []);
});

test("the wheel is the page's without a key, and ours after a click until the pointer leaves", () => {
  const { hand, wheel, names } = stage();
  assert.ok(!wheel({}));
  assert.ok(wheel({ ctrlKey: true }) && wheel({ metaKey: true }));
  hand("down", 10, 10);
  hand("up", 10, 10);
  assert.ok(wheel({}) && wheel({ deltaX: 50, deltaY: 0 }));
  hand("leave", -5, 10);
  assert.ok(!wheel({}) && !wheel({ offsetX: -5, ctrlKey: true }));
  assert.deepEqual(
    names(), ["wheelLeft", "zoomAt", "zoomAt", "tap", "zoomAt", "pan", "wheelLeft"],
  );
});

test("a wheel zooms by what it turned, in any unit, and never at a leap", () => {
  const factor = (deltaY, deltaMode = 0, ctrlKey = false) => wheelFactor({ deltaY, deltaMode, ctrlKey });
  assert.equal(factor(0), 1);
  assert.ok(factor(-100) > 1.1 && factor(100) < 0.9);
  assert.ok(Math.abs(factor(-100) * factor(100) - 1) < 1e-12);
  assert.equal(factor(-3, 1), factor(-48));
  assert.ok(factor(-1e6) < 2 && factor(-1e6, 0, true) < 2 && factor(1, 2) > 0.5);
});

test("keys zoom about the centre, reset and move; others are left alone", () => {
  const { key, calls } = stage();
  assert.ok(["+", "=", "-", "0"].every((name) => key(name)));
  assert.ok(key("ArrowLeft", { shiftKey: true }) && key("ArrowDown", { shiftKey: true }));
  assert.ok(!key("ArrowLeft") && !key("+", { ctrlKey: true }) && !key("x") && !key("Escape"));
  assert.deepEqual(calls, [
    ["zoomAt", 0, 50, 50, 1.25], ["zoomAt", 0, 50, 50, 1.25], ["zoomAt", 0, 50, 50, 0.8],
    ["resetView"], ["pan", 0, 40, 0], ["pan", 0, 0, -40],
  ]);
});

test("a pointer that hovers is reported, and its leaving once", () => {
  const { hand, calls } = stage();
  hand("move", 10, 10);
  hand("move", -1, 10);
  hand("leave", -9, 10);
  hand("move", 10, 10, FINGER);
  assert.deepEqual(calls, [["hover", 0, 10, 10], ["leave"]]);
});

test("nothing is heard after the end", () => {
  const { gestures, hand, key, wheel, calls } = stage();
  gestures.dispose();
  hand("down", 10, 10);
  hand("up", 10, 10);
  assert.ok(!key("+") && !wheel({ ctrlKey: true }));
  assert.deepEqual(calls, []);
});
