// Keeps a text in the browser, for this tab only: it survives a reload and ends with the tab.

const PLACE = "nestviz.own-data";

function keep(given) {
  try {
    window.sessionStorage.setItem(PLACE, JSON.stringify(given));
    return true;
  } catch {
    // Full, or switched off by the reader.
    return false;
  }
}

function kept() {
  try {
    const found = JSON.parse(window.sessionStorage.getItem(PLACE));
    return found && typeof found.text === "string" ? found : null;
  } catch {
    return null;
  }
}

export default function mountTabStore({ data, parentElement, setStateValue, setTriggerValue }) {
  const box = parentElement.querySelector(".kept");
  box.hidden = !data.offer;
  if (data.keep) {
    keep(data.keep);
    // Also where it could not be kept: asking again would not help.
    setStateValue("seen", data.keep.id);
  }
  if (!data.offer) return;
  const found = kept();
  const button = box.querySelector("button");
  button.hidden = !found;
  button.textContent = found ? `Bring back “${found.name}”` : "";
  box.querySelector(".words").textContent = found
    ? "This tab of your browser still has them."
    : "This tab of your browser has none either.";
  button.onclick = () => setTriggerValue("given", found.text);
}
