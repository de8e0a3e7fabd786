// Keeps a text in the browser, for this tab only: it survives a reload and ends with the tab.

/** @import { Component } from "./dom.js" */
import { find } from "./dom.js";

/** @typedef {{ id: string, name: string, text: string }} Kept */

const STORE_KEY = "nestviz.own-data";

/** @param {Kept} given */
function keep(given) {
  try {
    window.sessionStorage.setItem(STORE_KEY, JSON.stringify(given));
  } catch {
    // The storage is full, or switched off by the reader: then the text cannot be offered later.
  }
}

/** @returns {Kept | null} */
function kept() {
  try {
    const found = JSON.parse(window.sessionStorage.getItem(STORE_KEY) ?? "null");
    return found && typeof found.text === "string" ? found : null;
  } catch {
    return null;
  }
}

/** @param {Component<{ keep: Kept | null, offer: boolean }>} component */
export default function mountTabStore({ data, parentElement, setStateValue, setTriggerValue }) {
  const box = find(parentElement, ".kept", HTMLElement);
  box.hidden = !data.offer;
  if (data.keep) {
    keep(data.keep);
    // Also where it could not be kept: asking again would not help.
    setStateValue("seen", data.keep.id);
  }
  if (!data.offer) return;
  const found = kept();
  const button = find(box, "button", HTMLButtonElement);
  button.hidden = !found;
  button.textContent = found ? `Bring back “${found.name}”` : "";
  find(box, ".words", HTMLElement).textContent = found
    ? "This tab of your browser still has them."
    : "This tab of your browser has none either.";
  button.onclick = () => { if (found) setTriggerValue("given", found.text); };
}
