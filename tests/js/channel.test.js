// The channel with a server and a clock of its own: nothing here depends on time.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Channel } from "../../nestviz/ui/player/js/channel.js";

const LIVE = { url: "nestviz/live", token: "secret", player: "one_class" };
const knobs = (sigma) => ({ knobs: { sigma } });

/** A channel whose requests and timers the test settles by hand. */
function opened(base = "http://here/base/one_class") {
  const requests = [];
  const timers = [];
  const tools = {
    base,
    send: (url, options) => new Promise((resolve, reject) => {
      const request = { url, options, body: JSON.parse(options.body), aborted: false };
      request.answer = (content, status = 200, kind = "text/plain") => {
        resolve(new Response(content, { status, headers: { "content-type": kind } }));
        return settled();
      };
      request.lose = () => { reject(new TypeError("fetch failed")); return settled(); };
      options.signal.addEventListener("abort", () => {
        request.aborted = true;
        reject(new DOMException("aborted", "AbortError"));
      });
      requests.push(request);
    }),
    later: (action, milliseconds) => {
      const timer = { action, milliseconds };
      timers.push(timer);
      return () => { timer.action = () => {}; };
    },
  };
  const run = (wanted) => {
    for (const timer of timers.filter(({ milliseconds }) => wanted(milliseconds))) {
      timers.splice(timers.indexOf(timer), 1);
      timer.action();
    }
    return settled();
  };
  const channel = new Channel(LIVE, tools);
  return { channel, requests, rest: () => run((ms) => ms === 150), pace: () => run((ms) => ms !== 150) };
}

/** Lets all promises that can go on do so. */
const settled = () => new Promise((resolve) => { setImmediate(resolve); });
const bytesOf = (answer) => [...answer];

test("a question is posted beside the page, with its token, and answered by bytes", async () => {
  const { channel, requests } = opened();
  const answer = channel.ask({ knobs: { sigma: 0.5 }, points: [[0, 1]], classes: [1] });
  assert.equal(requests[0].url.href, "http://here/base/nestviz/live");
  assert.equal(requests[0].options.method, "POST");
  assert.deepEqual(requests[0].body, {
    token: "secret", player: "one_class", knobs: { sigma: 0.5 }, points: [[0, 1]], classes: [1],
  });
  await requests[0].answer(new Uint8Array([1, 2, 3]), 200, "application/octet-stream");
  assert.deepEqual(bytesOf(await answer), [1, 2, 3]);
});

test("the app at the root of its server", () => {
  const { channel, requests } = opened("http://here/?width=0.5");
  channel.ask(knobs(1));
  assert.equal(requests[0].url.href, "http://here/nestviz/live");
});

test("one request under way, and only the newest question waits", async () => {
  const { channel, requests, pace } = opened();
  const [first, second, third] = [1, 2, 3].map((sigma) => channel.ask(knobs(sigma)));
  assert.equal(await second, null);
  assert.equal(requests.length, 1);
  await requests[0].answer("a");
  assert.deepEqual(bytesOf(await first), [97]);
  assert.equal(requests.length, 1, "not sooner than the pause");
  await pace();
  assert.equal(requests.length, 2);
  assert.equal(requests[1].body.knobs.sigma, 3);
  await requests[1].answer("b");
  assert.deepEqual(bytesOf(await third), [98]);
});

test("a moving hand lets a request end; a resting one replaces it", async () => {
  const { channel, requests, pace, rest } = opened();
  const first = channel.ask(knobs(1));
  await pace();
  channel.ask(knobs(2));
  assert.ok(!requests[0].aborted);
  const last = channel.ask(knobs(3));
  await rest();
  assert.ok(requests[0].aborted);
  assert.equal(await first, null);
  assert.equal(requests[1].body.knobs.sigma, 3);
  await requests[1].answer("c");
  assert.deepEqual(bytesOf(await last), [99]);
});

test("a request without a newer question goes on while the hand rests", async () => {
  const { channel, requests, rest } = opened();
  const only = channel.ask(knobs(1));
  await rest();
  assert.ok(!requests[0].aborted);
  await requests[0].answer("a");
  assert.deepEqual(bytesOf(await only), [97]);
});

test("a refused question is rejected once with its sentence, and the channel is off", async () => {
  const { channel, requests, pace } = opened();
  const first = channel.ask(knobs(1));
  const second = channel.ask(knobs(2));
  const rejected = assert.rejects(first, { message: "Reload the page." });
  await requests[0].answer("Reload the page.", 404);
  await rejected;
  assert.ok(channel.off);
  assert.equal(await second, null);
  assert.equal(await channel.ask(knobs(3)), null);
  await pace();
  assert.equal(requests.length, 1);
});

test("a lost connection and a page of a proxy are named in words", async () => {
  const lost = opened();
  const first = assert.rejects(lost.channel.ask(knobs(1)), { message: "The server cannot be reached." });
  await lost.requests[0].lose();
  await first;
  assert.ok(lost.channel.off);
  const proxy = opened();
  const second = assert.rejects(
    proxy.channel.ask(knobs(1)), { message: "The server answered with status 502." },
  );
  await proxy.requests[0].answer("<html>", 502, "text/html");
  await second;
});

test("data without an answer leave the channel on", async () => {
  const { channel, requests, pace } = opened();
  const rejected = assert.rejects(channel.ask(knobs(1)), { message: "Too few points." });
  await requests[0].answer("Too few points.", 422);
  await rejected;
  assert.ok(!channel.off);
  await pace();
  const answer = channel.ask(knobs(2));
  await requests[1].answer("a");
  assert.deepEqual(bytesOf(await answer), [97]);
});

test("a busy server is asked again, and given up after some refusals", async () => {
  const { channel, requests, pace } = opened();
  const answer = channel.ask(knobs(1));
  await requests[0].answer("Busy.", 429);
  await pace();
  await requests[1].answer("a");
  assert.deepEqual(bytesOf(await answer), [97]);
  await pace();
  const rejected = assert.rejects(channel.ask(knobs(2)), { message: "Busy." });
  while (!channel.off) {
    await requests.at(-1).answer("Busy.", 429);
    await pace();
  }
  await rejected;
  assert.equal(requests.length, 2 + 9);
});

test("a busy server is asked the newest question", async () => {
  const { channel, requests, pace } = opened();
  const first = channel.ask(knobs(1));
  channel.ask(knobs(2));
  await requests[0].answer("Busy.", 429);
  assert.equal(await first, null);
  await pace();
  assert.equal(requests[1].body.knobs.sigma, 2);
});

test("closing withdraws the request and the question that waits", async () => {
  const { channel, requests } = opened();
  const [first, second] = [channel.ask(knobs(1)), channel.ask(knobs(2))];
  channel.close();
  assert.ok(requests[0].aborted);
  assert.deepEqual([await first, await second], [null, null]);
  assert.equal(await channel.ask(knobs(3)), null);
});
