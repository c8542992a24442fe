// SPDX-License-Identifier: Apache-2.0

/**
 * The law of both back ends: their answers are the daemon's, byte for byte.
 *
 * TK_REQUESTS names a file with one case a line, as test_typescript.py writes it: its name, and its steps, each with
 * the request's text and the daemon's answer to it, as they were on a socket of the test's own.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { Turnkeeper } from "turnkeeper";

const cases = readFileSync(process.env.TK_REQUESTS, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const OF_THE_DAEMON = new Set(["health", "stats"]); // in process there is none
const keepers = {};

before(async () => {
  keepers.local = await Turnkeeper.load();
  keepers.socket = await Turnkeeper.connect(process.env.TURNKEEPER_SOCKET);
});
after(() => Object.values(keepers).forEach((keeper) => keeper.close()));

/** Answers without what differs between two processes that serve the same: limits, counters, times. */
function compared(method, text) {
  if (method !== "info" && !OF_THE_DAEMON.has(method)) return text;
  const answer = JSON.parse(text);
  if (answer.result === undefined) return text;
  if (method !== "info") return Object.keys(answer.result).sort().join();
  delete answer.result.limits;
  answer.result.methods = answer.result.methods.filter(({ name }) => !OF_THE_DAEMON.has(name));
  return JSON.stringify(answer);
}

async function differences(name, steps, keeper) {
  const link = await keeper.link();
  const found = [];
  for (const { method, request, answer } of steps) {
    if (keeper === keepers.local && OF_THE_DAEMON.has(method)) continue;
    const got = new TextDecoder().decode(await link.answer(request));
    const [have, want] = [got, answer].map((text) => compared(method, text));
    if (have !== want) found.push(`${name}:\n  want ${want.slice(0, 600)}\n  got  ${have.slice(0, 600)}`);
  }
  link.close();
  return found;
}

for (const kind of ["local", "socket"]) {
  test(`${kind}: the daemon's answers`, async () => {
    const found = [];
    for (const { name, steps } of cases) found.push(...(await differences(name, steps, keepers[kind])));
    assert.equal(found.length, 0, `${found.length} of ${cases.length} differ\n${found.slice(0, 5).join("\n")}`);
    assert.ok(cases.length > 0);
  });
}
