// Writes the parameters of the page into the address, without an entry in the history.

/** @import { Component } from "./dom.js" */

/** @param {string[]} pages @param {string} path @returns {string} */
export function pageInView(pages, path) {
  const last = path.replace(/\/+$/, "").split("/").pop() ?? "";
  return pages.includes(last) ? last : "";
}

/**
 * Returns the parameters of a page with those of Streamlit's own that the address has: whether the
 * app is embedded in another page.
 * @param {string} wanted
 * @param {string} present
 * @returns {string}
 */
export function mergedSearch(wanted, present) {
  const merged = new URLSearchParams(wanted);
  for (const [name, value] of new URLSearchParams(present)) {
    if (name.startsWith("embed")) merged.append(name, value);
  }
  return merged.toString();
}

/** @param {Component<{ page: string, pages: string[], search: string }>} component */
export default function writeAddress({ data }) {
  const { location, history } = window;
  // The reader may have opened another page before this arrived.
  if (pageInView(data.pages, location.pathname) !== data.page) return;
  const url = new URL(location.href);
  url.search = mergedSearch(data.search, location.search);
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}
