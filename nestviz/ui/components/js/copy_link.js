// The present address of the page, to copy: data choice, parameters, level and view.

/** @import { Component } from "./dom.js" */
import { find } from "./dom.js";

const REFRESH_EVERY = 500;

/** @param {string} version Of the rules by which the parameters are read. @returns {string} */
function addressWith(version) {
  const url = new URL(window.location.href);
  url.searchParams.set("v", version);
  return url.href;
}

/** @param {HTMLInputElement} field @returns {Promise<boolean>} Whether it was copied. */
async function copyText(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // Only pages from https or from this machine may write to the clipboard directly.
    field.select();
    return document.execCommand("copy");
  }
}

/** @param {Component<{ version: string }>} component @returns {() => void} */
export default function mountCopyLink({ data, parentElement }) {
  const field = find(parentElement, "input", HTMLInputElement);
  const button = find(parentElement, "button", HTMLButtonElement);
  const words = find(parentElement, ".words", HTMLElement);
  const refresh = () => { field.value = addressWith(data.version); };
  refresh();
  field.onfocus = () => { refresh(); field.select(); };
  button.onclick = async () => {
    refresh();
    const done = await copyText(field);
    words.textContent = done ? "Copied." : "Select the address and copy it by hand.";
  };
  // Streamlit rewrites the address without an event.
  const timer = setInterval(() => {
    if (!field.matches(":focus") && field.value !== addressWith(data.version)) refresh();
  }, REFRESH_EVERY);
  return () => clearInterval(timer);
}
