// Plays the sweep of an HTML file of its own, in place of Streamlit.

import { find } from "../../components/js/dom.js";
import { mountPlayer } from "./player.js";

const message = atob(find(document, "#sweep", HTMLElement).textContent ?? "");
const player = {
  data: Uint8Array.from(message, (letter) => letter.charCodeAt(0)),
  parentElement: find(document, "#player", HTMLElement),
  setStateValue() {},
  setTriggerValue() {},
};
mountPlayer(player);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => mountPlayer(player));
