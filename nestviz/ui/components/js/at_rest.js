// Texts for screen readers follow what is shown when it has come to rest, not at every frame.

/** Milliseconds without a change after which a picture counts as resting. */
export const REST_DELAY = 250;

export class AtRest {
  constructor() {
    this.timer = 0;
  }

  /** Calls a function once nothing else has been asked for a while. @param {() => void} act */
  then(act) {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, REST_DELAY);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
