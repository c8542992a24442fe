// SPDX-License-Identifier: Apache-2.0

/** Text that is repaired by splices, next to objects that are repaired by patches: drawn texts, both kinds of arguments. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Turnkeeper } from "turnkeeper";

const WORDS = ["rain", "Regen – ja", "été", "\u{1f327}\ufe0f", "\\u00e9 \\/ \\\"", "雨", "\u{10ffff}", "a".repeat(50), ""];
const BLANKS = ["", " ", "\n\t ", "\r\n"];

/** Numbers from 0 to 1, the same in every run (mulberry32). */
function drawing(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A body in JSON text whose strings hold characters of every length, with calls that have no result. */
function drawn(draw) {
  const pick = (list) => list[Math.floor(draw() * list.length)];
  const blank = () => pick(BLANKS);
  const text = () => `{${blank()}"type":"text","text":"x${pick(WORDS)}${pick(WORDS)}"}`;
  const call = (n) => `{"type":"server_tool_use","id":"srvtoolu_${n}","name":"web_search","input":{"n":1e400,"q":"${pick(WORDS)}"}}`;
  const turns = Array.from({ length: 1 + Math.floor(draw() * 6) }, (_, n) => {
    const parts = [text(), ...(draw() < 0.6 ? [call(n)] : []), ...(draw() < 0.3 ? [text()] : [])];
    return `{"role":"user","content":"${pick(WORDS)}?"},${blank()}{"role":"assistant","content":[${parts.join("," + blank())}]}`;
  });
  return `${blank()}{"note":"${pick(WORDS)}","messages":[${turns},{"role":"user","content":"end"}],"big":1.50}${blank()}`;
}

test("text and bytes come back with the same edits as objects, and nothing else changed", async () => {
  const keeper = await Turnkeeper.load();
  const draw = drawing(7);
  let changed = 0;
  for (let n = 0; n < 300; n++) {
    const text = drawn(draw);
    const bytes = new TextEncoder().encode(text);
    const [one, two] = [keeper.repairBody(text), keeper.repairBody(bytes)];
    assert.equal(one.body, new TextDecoder("utf-8", { ignoreBOM: true }).decode(two.body));
    assert.deepEqual(JSON.parse(one.body), keeper.repair(JSON.parse(text)).request, text);
    assert.ok(one.body.endsWith(text.slice(text.indexOf('"end"}]'))));
    if (!one.changed) assert.equal(two.body, bytes);
    changed += Number(one.changed);
  }
  assert.ok(changed > 100, `${changed} of 300 were edited`);
});
