// SPDX-License-Identifier: Apache-2.0
// Requests that were made to take long: hostile.mjs MODULE. Prints "done".
//
// One large element and many small ones that share its id. Half a megabyte held the event loop for 45 seconds, when
// each small one had the large one written anew. Nothing outside can end a call, so each has to end by itself, with
// whatever answer, and soon: the bound is far above what is needed, for a machine that has other work.
import assert from "node:assert/strict";
import fs from "node:fs";
import { Instance } from "./host.mjs";

const module = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const SMALL = 4000, LARGE = 400_000, SECONDS = 5;
const ENDINGS = new Set([null, "request_too_costly", "deadline_exceeded", "unsafe_history"]);

const text = "a\\\"b\n\u00e9".repeat(LARGE / 8);
const user = (content) => ({ role: "user", content });
const many = (make) => Array.from({ length: SMALL }, (_, n) => make(n)).flat();
const use = (input, name = "f") => ({ type: "tool_use", id: "toolu_1", name, input });
const result = (content) => ({ type: "tool_result", tool_use_id: "toolu_1", content });
const chatCall = (text, name = "f") => ({ id: "c1", type: "function", function: { name, arguments: text } });
const said = (...calls) => ({ role: "assistant", content: null, tool_calls: calls });
const item = (text) => ({ type: "function_call", call_id: "c1", name: "f", arguments: text });
const members = JSON.stringify(Object.fromEntries(Array.from({ length: LARGE / 16 }, (_, n) => ["k" + n, n])));
const asJson = JSON.stringify({ text });

const HISTORIES = {
    anthropic: [
        [user("q"), { role: "assistant", content: [use({ text }), ...many((n) => use({ n }))] }, user("n")],
        [user("q"), ...many((n) => [{ role: "assistant", content: [use(n ? { n } : { text })] }, user([result("r")])])],
        [user("q"), { role: "assistant", content: [use({})] }, user([result(text), ...many((n) => result("r" + n))])],
        [user("q"), { role: "assistant", content: [use({}, text)] }, user(many((n) => result("r" + n)))],
    ],
    "openai-chat": [
        [user("q"), said(chatCall(asJson), ...many(() => chatCall("{}"))), user("n")],
        [user("q"), said(chatCall(members), ...many(() => chatCall(members.slice(0, 20)))), user("n")],
        [user("q"), said(chatCall("{}", text)), ...many((n) => ({ role: "tool", tool_call_id: "c1", content: "r" + n }))],
    ],
    "openai-responses": [
        [user("q"), item(asJson), ...many(() => item("{}")), { type: "function_call_output", call_id: "c1", output: "r" }],
        [user("q"), item("{}"), ...many((n) => ({ type: "function_call_output", call_id: "c1", output: n ? "r" : text }))],
    ],
};

for (const [provider, histories] of Object.entries(HISTORIES))
    for (const [n, messages] of histories.entries())
        for (const policy of ["conservative", "preserve"]) {
            const params = { provider, messages, policy, guard: false };
            const request = new TextEncoder().encode(JSON.stringify({ id: 1, method: "repair", params }));
            const instance = new Instance(module);
            const from = performance.now();
            const { error } = instance.call(request);
            const took = (performance.now() - from) / 1000;
            assert.ok(ENDINGS.has(error), error);
            assert.ok(took < SECONDS, `${provider} ${n}, ${policy}: ${took} s for ${request.length} bytes`);
        }
console.log("done");
