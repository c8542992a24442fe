// SPDX-License-Identifier: Apache-2.0
//
// Reads recorded streams with the SDK for TypeScript; reader.py does the same with the one for Python.
//
//   node reader.mjs FOLDER/ BASE_URL messages|beta      FOLDER: where node_modules is
//
// In:  a name a line; asked for the model of that name, the Messages API of BASE_URL answers with that stream
// Out: lines {"name", "message"} with what the SDK built, or {"name", "error"}
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [folder, baseURL, which] = process.argv.slice(2);
const { default: Anthropic } = createRequire(folder)("@anthropic-ai/sdk");
const client = new Anthropic({ apiKey: "any", baseURL, maxRetries: 0, logLevel: "off" });
const api = which === "beta" ? client.beta.messages : client.messages;
const request = { max_tokens: 1, messages: [{ role: "user", content: "any" }] };

for await (const name of createInterface({ input: process.stdin })) {
  const answer = { name };
  try {
    answer.message = await api.stream({ model: name, ...request }).finalMessage();
  } catch (why) {
    answer.error = `${why.name}: ${why.message}`; // whatever it is, it is the answer
  }
  console.log(JSON.stringify(answer));
}
