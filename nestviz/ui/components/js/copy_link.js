// The address of the page as it stands, to copy: data choice, parameters, level and view.

function address(version) {
  const url = new URL(window.location.href);
  // Says by which rules the parameters are to be read.
  url.searchParams.set("v", version);
  return url.href;
}

async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // Only pages from https or from this machine may write to the clipboard directly.
    field.select();
    return document.execCommand("copy");
  }
}

export default function mountCopyLink({ data, parentElement }) {
  const field = parentElement.querySelector("input");
  const button = parentElement.querySelector("button");
  const words = parentElement.querySelector(".words");
  const refresh = () => { field.value = address(data.version); };
  refresh();
  // Streamlit rewrites the address without an event; it is read again when it is looked at.
  field.onfocus = () => { refresh(); field.select(); };
  button.onclick = async () => {
    refresh();
    const done = await copy(field);
    words.textContent = done ? "Copied." : "Select the address and copy it by hand.";
  };
  const timer = setInterval(() => {
    if (parentElement.activeElement !== field && field.value !== address(data.version)) refresh();
  }, 500);
  return () => clearInterval(timer);
}
