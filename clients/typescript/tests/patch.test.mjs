// SPDX-License-Identifier: Apache-2.0

/** JSON Patch: the operations of RFC 6902, shared structure, and time that grows with the size alone. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { applyPatch, PatchError } from "turnkeeper";

const ROWS = [
  [{ a: 1 }, [{ op: "add", path: "/b", value: 2 }], { a: 1, b: 2 }],
  [[1, 3], [{ op: "add", path: "/1", value: 2 }], [1, 2, 3]],
  [[1], [{ op: "add", path: "/-", value: 2 }], [1, 2]],
  [{ a: [1, 2] }, [{ op: "remove", path: "/a/0" }], { a: [2] }],
  [{ a: { b: 1 } }, [{ op: "replace", path: "/a/b", value: 2 }], { a: { b: 2 } }],
  [{ a: 1 }, [{ op: "replace", path: "", value: 5 }], 5],
  [{ a: [1, 2, 3] }, [{ op: "move", from: "/a/0", path: "/a/2" }], { a: [2, 3, 1] }],
  [{ a: { b: 1 } }, [{ op: "copy", from: "/a", path: "/c" }, { op: "replace", path: "/c/b", value: 2 }], { a: { b: 1 }, c: { b: 2 } }],
  [{ "a/b": 1, "m~n": 2 }, [{ op: "remove", path: "/a~1b" }, { op: "replace", path: "/m~0n", value: 3 }], { "m~n": 3 }],
  [{ a: [1, { b: 2 }] }, [{ op: "test", path: "/a", value: [1, { b: 2 }] }], { a: [1, { b: 2 }] }],
];
const MISFITS = [
  [{}, { op: "remove", path: "/a" }],
  [[1], { op: "remove", path: "/1" }],
  [[1], { op: "add", path: "/2", value: 1 }],
  [[1], { op: "remove", path: "/01" }],
  [{ a: 1 }, { op: "add", path: "/a/b", value: 1 }],
  [{ a: 1 }, { op: "test", path: "/a", value: 2 }],
  [{ a: {} }, { op: "move", from: "/a", path: "/a/b" }],
  [{ a: 1 }, { op: "add", path: "/b" }],
  [{ a: 1 }, { op: "nobody's", path: "/a" }],
  [{ a: 1 }, { op: "remove", path: "a" }],
];

test("operations", () => {
  for (const [document, patch, want] of ROWS) {
    const before = structuredClone(document);
    assert.deepEqual(applyPatch(document, patch), want);
    assert.deepEqual(document, before);
  }
});

test("what doesn't fit is an error without content in its text", () => {
  for (const [document, operation] of MISFITS) {
    assert.throws(() => applyPatch(document, [operation]), PatchError, JSON.stringify(operation));
  }
  assert.throws(() => applyPatch({}, [{ op: "remove", path: "/secret" }]), (error) => !/secret/.test(error.message));
});

test("only the containers on the way to an edit are new", () => {
  const document = { system: { a: 1 }, messages: [{ content: [{ t: 1 }, { t: 2 }] }, { content: [] }] };
  const after = applyPatch(document, [{ op: "remove", path: "/messages/0/content/0" }]);
  assert.equal(after.system, document.system);
  assert.equal(after.messages[1], document.messages[1]);
  assert.equal(after.messages[0].content[0], document.messages[0].content[1]);
  assert.equal(document.messages[0].content.length, 2);
});

test("a member may have any name", () => {
  const document = JSON.parse('{"__proto__":{"a":1},"constructor":1}');
  const after = applyPatch(document, [{ op: "replace", path: "/__proto__/a", value: 2 }]);
  assert.equal(JSON.stringify(after), '{"__proto__":{"a":2},"constructor":1}');
});

test("objects are patched in the form in which they are sent", () => {
  const document = { messages: [{ toJSON: () => ({ role: "user", content: [1, 2] }) }] };
  const after = applyPatch(document, [{ op: "remove", path: "/messages/0/content/0" }]);
  assert.deepEqual(after.messages, [{ role: "user", content: [2] }]);
});

test("time grows with the number of removals, not with its square", () => {
  const seconds = (count) => {
    const patch = Array.from({ length: count }, (_, n) => ({ op: "remove", path: `/a/${count - 1 - n}` }));
    const document = { a: Array.from({ length: count }, (_, n) => n) };
    const start = performance.now();
    assert.deepEqual(applyPatch(document, patch).a, []);
    return performance.now() - start;
  };
  seconds(1000);
  const [small, large] = [Math.max(seconds(10_000), 1), seconds(100_000)];
  assert.ok(large < 60 * small, `${large} ms for ten times what took ${small} ms`);
});
