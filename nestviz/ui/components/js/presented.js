// Whether the page is presented. It is an attribute of the document: scripts of other components
// read it, style sheets follow it, and it lasts while pages and components come and go.

/** Asks the player of a page to fill the screen; who does prevents the default. */
export const PRESENT_PLAYER = "nestviz-present-player";

/** The largest zoom of pictures on a presented page, in nestviz/ui/presented.css. */
export const LARGEST_ZOOM = 1.6;

/** @returns {boolean} */
export function isPagePresented() {
  return "presented" in document.documentElement.dataset;
}

/** @param {boolean} presented */
export function setPagePresented(presented) {
  document.documentElement.toggleAttribute("data-presented", presented);
}
