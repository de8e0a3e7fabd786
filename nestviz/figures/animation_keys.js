/* global Plotly, document */
// Keys for a figure with frames on a page of its own: space plays and stops, arrows step.

const plot = document.querySelector(".plotly-graph-div");
const names = JSON.parse(plot.closest("[data-frames]").dataset.frames);
const still = { mode: "immediate", frame: { duration: 0, redraw: true }, transition: { duration: 0 } };
let at = 0;
let playing = false;

/** Does nothing: another frame was asked for meanwhile. */
function interrupted() {}

/** Shows one frame and stops there. */
function show(place) {
  at = Math.max(0, Math.min(names.length - 1, place));
  playing = false;
  Plotly.animate(plot, [names[at]], still).catch(interrupted);
}

/** Plays on from the present frame, or from the first one after the last. */
function play() {
  const from = at === names.length - 1 ? 0 : at;
  const moving = { ...still, frame: { duration: Number(plot.closest("[data-frames]").dataset.milliseconds), redraw: true } };
  playing = true;
  Plotly.animate(plot, names.slice(from), moving).then(() => { playing = false; }, interrupted);
}

const actions = {
  " ": () => (playing ? show(at) : play()),
  ArrowRight: () => show(at + 1),
  ArrowLeft: () => show(at - 1),
  Home: () => show(0),
  End: () => show(names.length - 1),
};

plot.on("plotly_animatingframe", (event) => { at = Math.max(0, names.indexOf(event.name)); });
document.addEventListener("keydown", (event) => {
  const act = actions[event.key];
  if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  act();
});
