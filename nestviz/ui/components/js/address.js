// Writes the parameters of the page into the address, without an entry in the history.

function pageInView(pages) {
  const last = window.location.pathname.replace(/\/+$/, "").split("/").pop();
  return pages.includes(last) ? last : "";
}

export default function writeAddress({ data }) {
  // The reader may have gone on to another page before this arrived.
  if (pageInView(data.pages) !== data.page) return;
  const wanted = new URLSearchParams(data.search);
  for (const [name, value] of new URLSearchParams(window.location.search)) {
    // Streamlit's own: whether the app stands inside another page.
    if (name.startsWith("embed")) wanted.append(name, value);
  }
  const url = new URL(window.location.href);
  url.search = wanted.toString();
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}
