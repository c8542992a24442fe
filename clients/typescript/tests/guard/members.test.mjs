// SPDX-License-Identifier: Apache-2.0
/** Laws of what a guard reads of JSON text itself: members of an object, and seals by what they are about. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { members } from "../../dist/esm/guard/members.js";
import { COUNT, Seals } from "../../dist/esm/guard/seals.js";
import { drawing } from "../drawing.mjs";

test("members of drawn objects are those that JSON.parse finds, as they are spelled", () => {
  const draw = drawing(7);
  for (let round = 0; round < 2000; round += 1) {
    const value = draw.object(4);
    for (const indent of [0, 1, "\t"]) {
      const found = members(` ${JSON.stringify(value, null, indent)}\n`);
      assert.deepEqual([...found.keys()], Object.keys(value));
      for (const [name, text] of found) {
        assert.deepEqual(JSON.parse(text), value[name]);
        assert.equal(text, text.trim());
      }
    }
  }
});

test("names with escapes, and what is no object", () => {
  assert.deepEqual([...members('{"\\u0073tream" : true,"a\\"}": "\\\\"}')], [["stream", "true"], ['a"}', '"\\\\"']]);
  for (const text of ["", "[]", '"a"', "7", '{"a', '{"a"', "{", "}"]) assert.deepEqual([...members(text)], []);
});

test("the walk takes time that grows with the text alone", () => {
  const cost = (size) => {
    const text = JSON.stringify({ a: "\\".repeat(size), b: '"'.repeat(size), stream: true });
    const start = performance.now();
    for (let round = 0; round < 5; round += 1) assert.equal(members(text).get("stream"), "true");
    return performance.now() - start;
  };
  cost(1e4);
  assert.ok(cost(1e6) < 100 * 10 * Math.max(cost(1e4), 0.2));
});

const SEALED = (turn, ...ids) => ({ turn, blocks: ids.map((id) => ({ type: "tool_use", id })) });
const signed = (...signatures) => JSON.stringify(signatures.map((signature) => ({ type: "thinking", signature })));

test("seals are found by signatures, and by ids where a signature is unknown", () => {
  const seals = new Seals();
  seals.keep(SEALED("one", "a"), signed("c2ln"));
  seals.keep(SEALED("two", "b"), '[{"type" : "redacted_thinking", "data" : "cmVk"}]');
  seals.keep(SEALED("three", "c"), "[]"); // nothing signed: it can't break
  seals.keep(null, signed("eA=="));
  const turns = (text) => seals.of(text).map(({ seal }) => seal.turn);
  assert.equal(seals.size, 2);
  assert.deepEqual(turns(signed("c2ln")), ["one"]);
  assert.deepEqual(turns('[{"type":"redacted_thinking","data":"cmVk"},{"signature":"c2ln"}]'), ["one", "two"]);
  assert.deepEqual(turns('[{"signature":"other"},{"id": "b"}]'), ["two"]);
  assert.deepEqual(turns('[{"signature":"c2ln"},{"id":"b"}]'), ["one"]);
  assert.deepEqual(turns('[{"id":"b"}]'), []);
  seals.forget();
  assert.deepEqual([seals.size, turns(signed("c2ln"))], [0, []]);
});

test("their number and size are bounded, and the longest unused go first", () => {
  for (const seals of [new Seals(3), new Seals(1024, 3 * 140)]) {
    const add = (name) => seals.keep(SEALED(name.repeat(20), name), signed(name.repeat(60)));
    for (const name of ["a", "b", "c"]) add(name);
    assert.equal(seals.size, 3);
    assert.equal(seals.of(signed("a".repeat(60))).length, 1);
    add("d");
    const left = ["a", "b", "c", "d"].filter((name) => seals.of(signed(name.repeat(60))).length === 1);
    assert.deepEqual(left, ["a", "c", "d"]);
  }
  const many = new Seals();
  for (let n = 0; n < COUNT + 9; n += 1) many.keep(SEALED(`t${n}`), signed(`signature${n}`));
  assert.equal(many.size, COUNT);
});
