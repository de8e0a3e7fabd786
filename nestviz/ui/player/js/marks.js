// Marked points travel beside the sweep: a new mark must not send the whole sweep again.

// On the window, since player and marker are modules of their own: player id to marked rows. A
// player that has no entry belongs to a page that marks nothing.
function markTable() {
  return (window.nestvizMarks ??= new Map());
}

function marksOf(id) {
  return markTable().get(id) ?? null;
}

function setMarks(id, rows) {
  markTable().set(id, rows);
  window.dispatchEvent(new CustomEvent("nestviz-marks", { detail: id }));
}
