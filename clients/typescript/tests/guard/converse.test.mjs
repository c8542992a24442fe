// SPDX-License-Identifier: Apache-2.0
/** AWS's SDK with the middleware of examples/aws-sdk, against a local provider: what fails without turnkeeper and works with it. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { backEnds, failure, installed, judges, Provider } from "./real.mjs";

const { module, skip } = await installed("@aws-sdk/client-bedrock-runtime");
// The SDK's own handler speaks HTTP/2, which the local provider doesn't.
const { NodeHttpHandler } = (await installed("@smithy/node-http-handler")).module;
const { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } = module;
const example = `${process.env.TK_TOP ?? "../../.."}/examples/aws-sdk/guard.mjs`;
const { guard } = await import(pathToFileURL(example));

const ANSWER = "The pass is open, with chains.";
const TOOLS = { tools: [{ toolSpec: { name: "look", inputSchema: { json: { type: "object" } } } }] };
const user = (...content) => ({ role: "user", content });
const CALLING = { role: "assistant", content: [{ toolUse: { toolUseId: "tooluse_1", name: "look", input: {} } }] };
const RESULT = { toolResult: { toolUseId: "tooluse_1", content: [{ text: "open" }] } };
const QUESTION = user({ text: "How is the road? é" });
const AGAIN = user({ text: "And now?" });

// A history that Bedrock refuses, what it says, and a text that has to be in the repaired one.
const STUCK = [
  [[QUESTION, CALLING, AGAIN], /Expected toolResult blocks at messages.2.content/, "Not executed."],
  [[QUESTION, user(RESULT), AGAIN], /exceeds the number of toolUse blocks/, '"open"'],
];
const SOUND = [QUESTION, CALLING, user(RESULT), { role: "assistant", content: [{ text: "It is." }] }, AGAIN];

describe("AWS's SDK", { skip: skip || (!(await judges("bedrock")) && "this core doesn't judge them") }, () => {
  let provider;
  before(async () => (provider = await Provider.start()));
  after(() => provider.stop());

  const client = (keeper) => {
    const made = new BedrockRuntimeClient({
      region: "us-east-1",
      endpoint: provider.url,
      credentials: { accessKeyId: "k", secretAccessKey: "s" },
      maxAttempts: 1,
      requestHandler: new NodeHttpHandler(),
    });
    return keeper ? guard(made, keeper) : made;
  };

  /** The text of the answer. */
  const ask = async (keeper, messages, { stream = false, tools = true } = {}) => {
    const input = { modelId: "amazon.nova-pro-v1:0", messages, toolConfig: tools ? TOOLS : undefined };
    const sdk = client(keeper);
    if (!stream) return (await sdk.send(new ConverseCommand(input))).output.message.content[0].text;
    let said = "";
    for await (const event of (await sdk.send(new ConverseStreamCommand(input))).stream) {
      said += event.contentBlockDelta?.delta.text ?? "";
    }
    return said;
  };

  const each = async (t, body) => {
    for (const [name, { skip, keeper }] of await backEnds(provider)) {
      await t.test(name, { skip }, () => body(keeper));
      keeper?.close();
    }
  };

  test("a chat that is stuck without turnkeeper goes on with it", (t) =>
    each(t, async (keeper) => {
      for (const [history, said, mended] of STUCK) {
        for (const stream of [false, true]) {
          await provider.play();
          const error = await failure(ask(undefined, history, { stream }));
          assert.equal(error.name, "ValidationException");
          assert.match(error.message, said);
          assert.equal(await ask(keeper, history, { stream }), ANSWER);
          const [stuck, sent] = await provider.bodies();
          assert.notEqual(stuck, sent);
          assert.ok(sent.includes(mended));
        }
      }
    }));

  test("a sound history leaves byte for byte", (t) =>
    each(t, async (keeper) => {
      await provider.play();
      for (const one of [undefined, keeper]) assert.equal(await ask(one, SOUND), ANSWER);
      const [plain, guarded] = await provider.bodies();
      assert.equal(plain, guarded);
    }));

  test("what nothing repairs is refused as Bedrock would", (t) =>
    each(t, async (keeper) => {
      await provider.play();
      const error = await failure(ask(keeper, SOUND, { tools: false }));
      assert.deepEqual([error.name, error.$metadata.httpStatusCode], ["ValidationException", 400]);
      assert.match(error.message, /toolConfig field must be defined/);
      assert.equal(error.turnkeeper.violations[0].code, "brk_toolconfig_missing");
      assert.deepEqual(await provider.bodies(), []);
    }));
});
