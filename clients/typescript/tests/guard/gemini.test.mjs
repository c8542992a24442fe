// SPDX-License-Identifier: Apache-2.0
/** Google's SDK against a local provider: what fails without turnkeeper and works with it. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { guardFetch } from "../../dist/esm/index.js";
import { eachBackEnd, failure, installed, judges, Provider } from "./real.mjs";

const { module, skip } = await installed("@google/genai");
const { GoogleGenAI } = module;

const ANSWER = "The pass is open, with chains.";
const [OLD, NEW] = ["gemini-2.5-flash", "gemini-3-pro-preview"];
const user = (...parts) => ({ role: "user", parts });
const model = (...parts) => ({ role: "model", parts });
const CALL = { functionCall: { name: "look", args: { road: "pass" } } };
const RESPONSE = { functionResponse: { name: "look", response: { output: "open" } } };
const QUESTION = user({ text: "How is the road? é" });
const AGAIN = user({ text: "And now?" });

// The model, a history that Gemini refuses, what it says, and a text that has to be in the repaired one.
const STUCK = [
  [OLD, [QUESTION, model(CALL), AGAIN], /number of function response parts is equal/, "Not executed."],
  [OLD, [QUESTION, user(RESPONSE), AGAIN], /immediately after a function call turn/, "open"],
  [NEW, [QUESTION, model(CALL), user(RESPONSE)], /missing a thought_signature/, "skip_thought_signature_validator"],
];
const SOUND = [QUESTION, model(CALL), user(RESPONSE), model({ text: "It is." }), AGAIN];

describe("Google's SDK", { skip: skip || (!(await judges("gemini")) && "this core doesn't judge them") }, () => {
  let provider;
  before(async () => (provider = await Provider.start()));
  after(() => provider.stop());
  const each = (t, body) => eachBackEnd(t, provider, body);

  /** The text of the answer. */
  const ask = async (guard, name, contents, { stream = false } = {}) => {
    const httpOptions = { baseUrl: provider.url, fetch: guard === null ? fetch : guardFetch(guard) };
    const { models } = new GoogleGenAI({ apiKey: "k", httpOptions });
    if (!stream) return (await models.generateContent({ model: name, contents })).text;
    let said = "";
    for await (const chunk of await models.generateContentStream({ model: name, contents })) said += chunk.text;
    return said;
  };

  test("a chat that is stuck without turnkeeper goes on with it", (t) =>
    each(t, async (guard) => {
      for (const [name, history, said, mended] of STUCK) {
        for (const stream of [false, true]) {
          await provider.play();
          const error = await failure(ask(null, name, history, { stream }));
          assert.equal(error.status, 400);
          assert.match(error.message, said);
          assert.equal(await ask(guard, name, history, { stream }), ANSWER);
          const [stuck, sent] = await provider.bodies();
          assert.notEqual(stuck, sent);
          assert.ok(sent.includes(mended));
        }
      }
    }));

  test("a sound history leaves byte for byte", (t) =>
    each(t, async (guard) => {
      await provider.play();
      for (const one of [null, guard]) assert.equal(await ask(one, OLD, SOUND), ANSWER);
      const [plain, guarded] = await provider.bodies();
      assert.equal(plain, guarded);
    }));

  test("what the policy forbids is refused as Gemini would", (t) =>
    each(t, async (guard) => {
      await provider.play();
      const [name, history, said] = STUCK[0];
      const error = await failure(ask({ ...guard, policy: { unanswered_call: "report" } }, name, history));
      assert.equal(error.status, 400);
      assert.match(error.message, said);
      assert.ok(error.message.includes("gem_call_without_response"));
      assert.deepEqual(await provider.bodies(), []);
    }));
});
