import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { AtRest, REST_DELAY } from "../../nestviz/ui/components/js/at_rest.js";

test("only the last of quick changes is said, once it rests", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const said = [];
  const rest = new AtRest();
  for (const level of [0.1, 0.2, 0.3]) {
    rest.then(() => said.push(level));
    mock.timers.tick(REST_DELAY / 2);
  }
  assert.deepEqual(said, []);
  mock.timers.tick(REST_DELAY);
  assert.deepEqual(said, [0.3]);
  rest.then(() => said.push(0.4));
  rest.stop();
  mock.timers.tick(2 * REST_DELAY);
  assert.deepEqual(said, [0.3]);
  mock.timers.reset();
});
