// Asks the server for a scene while a control is dragged, without a rerun of the page.

/**
 * @typedef {object} Live What Python's `offer` returns.
 * @property {string} url Relative to the address of the app.
 * @property {string} token
 * @property {string} player
 */

/**
 * @typedef {object} LiveBody
 * @property {Record<string, number>} knobs
 * @property {number[][]} [points]
 * @property {number[]} [classes]
 * @property {number[]} [panels] The panels asked for; all by default.
 */

/**
 * @typedef {object} ChannelTools What the browser provides; tests have their own.
 * @property {(url: URL, options: RequestInit) => Promise<Response>} send
 * @property {(action: () => void, milliseconds: number) => () => void} later Returns its undoing.
 * @property {string} base The address that URLs are relative to.
 */

/**
 * @typedef {object} LiveQuestion
 * @property {LiveBody} body
 * @property {(answer: Uint8Array | null) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {number} refusals How often the server was too busy for it.
 */

/** Between two requests: the server takes forty a second. */
const REQUEST_PAUSE = 33;
/** After an answer that the server is busy. */
const BUSY_PAUSE = 250;
const MOST_REFUSALS = 8;
/** A question that is the newest for so long replaces the one under way: the hand rests. */
const REST_PAUSE = 150;

const UNPROCESSABLE_STATUS = 422;
const BUSY_STATUS = 429;

/** @returns {ChannelTools} */
function browserTools() {
  return {
    send: (url, options) => fetch(url, options),
    later: (action, milliseconds) => {
      const timer = setTimeout(action, milliseconds);
      return () => clearTimeout(timer);
    },
    base: document.baseURI,
  };
}

/**
 * Returns the server's reason for having no answer.
 * @param {Response} response
 * @returns {Promise<string>}
 */
async function reasonOf(response) {
  const kind = response.headers.get("content-type") ?? "";
  const text = kind.startsWith("text/plain") ? (await response.text()).slice(0, 300) : "";
  return text || `The server answered with status ${response.status}.`;
}

/**
 * One request under way and one question waiting: the newest. While questions keep coming, each
 * request is answered, so that the picture follows a moving hand; when they pause, the request
 * under way is given up for the newest question.
 */
export class Channel {
  /** @param {Live} live @param {ChannelTools} [tools] */
  constructor(live, tools = browserTools()) {
    this.live = live;
    this.tools = tools;
    /** Whether it has been closed, or has failed: it then asks nothing more. */
    this.off = false;
    /** @type {LiveQuestion | null} */
    this.waiting = null;
    /** @type {AbortController | null} */
    this.request = null;
    this.pauses = 0;
    this.cancelRest = () => {};
  }

  /**
   * Returns the answer; null if a newer question replaced this one, or the channel is off. Rejects
   * with a sentence where there is no answer.
   * @param {LiveBody} body
   * @returns {Promise<Uint8Array | null>}
   */
  ask(body) {
    if (this.off) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.waiting?.resolve(null);
      this.waiting = { body, resolve, reject, refusals: 0 };
      this.cancelRest();
      this.cancelRest = this.tools.later(() => this.waiting && this.request?.abort(), REST_PAUSE);
      this.next();
    });
  }

  /** Gives up all questions. */
  close() {
    this.off = true;
    this.cancelRest();
    this.request?.abort();
    this.waiting?.resolve(null);
    this.waiting = null;
  }

  /** Sends the question that waits, if it may be sent now. */
  next() {
    const question = this.waiting;
    if (!question || this.request || this.pauses) return;
    this.waiting = null;
    this.request = new AbortController();
    this.pause(REQUEST_PAUSE);
    this.fetchAnswer(question, this.request.signal).then((answer) => {
      this.request = null;
      // The server computes the next answer while this one is drawn.
      this.next();
      if (answer) question.resolve(answer);
    });
  }

  /** @param {number} milliseconds */
  pause(milliseconds) {
    this.pauses += 1;
    this.tools.later(() => {
      this.pauses -= 1;
      this.next();
    }, milliseconds);
  }

  /**
   * @param {LiveQuestion} question
   * @param {AbortSignal} signal
   * @returns {Promise<Uint8Array | null>} Null where the question has been settled without one.
   */
  async fetchAnswer(question, signal) {
    const { url, token, player } = this.live;
    try {
      const response = await this.tools.send(new URL(url, this.tools.base), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ token, player, ...question.body }),
        signal,
      });
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      if (response.status === BUSY_STATUS && question.refusals < MOST_REFUSALS) {
        this.askAgain(question);
      } else this.fail(question, await reasonOf(response), response.status);
    } catch {
      if (signal.aborted) question.resolve(null);
      else this.fail(question, "The server cannot be reached.", 0);
    }
    return null;
  }

  /** Lets a question wait again, unless there is a newer one. @param {LiveQuestion} question */
  askAgain(question) {
    this.pause(BUSY_PAUSE);
    question.refusals += 1;
    if (this.waiting || this.off) question.resolve(null);
    else this.waiting = question;
  }

  /** @param {LiveQuestion} question @param {string} reason @param {number} status */
  fail(question, reason, status) {
    question.reject(new Error(reason));
    // Other values of the controls may have an answer.
    if (status !== UNPROCESSABLE_STATUS) this.close();
  }
}
