// One slider on a page without a player; the page follows when it is released.

/** @import { Component } from "./dom.js" */
/** @import { Knob } from "../../player/js/knob_values.js" */
import { Knobs } from "../../player/js/knobs.js";
import { find } from "./dom.js";

/** @type {WeakMap<HTMLElement, { knobs: Knobs, component: Component<Knob> }>} */
const knobFields = new WeakMap();

/** @param {Component<Knob>} component */
export default function mountKnob(component) {
  const container = find(component.parentElement, ".knobs", HTMLElement);
  const known = knobFields.get(container);
  if (known) known.component = component;
  const field = known ?? { component, knobs: new Knobs(container, {
    onInput: () => {},
    onRelease: (_, value) => {
      // The time makes each report a new one: a value may come again after Python has set another.
      field.component.setStateValue("knob", { value, time: Date.now() });
    },
  }) };
  knobFields.set(container, field);
  field.knobs.show([component.data]);
}
