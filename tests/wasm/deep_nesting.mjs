// SPDX-License-Identifier: Apache-2.0
// Documents as deep as max_depth allows, in every method that reads values of any depth: deep_nesting.mjs MODULE.
import assert from "node:assert/strict";
import fs from "node:fs";
import { Instance } from "./host.mjs";

const module = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const DEFAULT = 256, DEEP = 10000;

// A text of JSON that nests n arrays or objects.
function nested(n, open, close) {
    return open.repeat(n) + "1" + close.repeat(n);
}

function requests(depth) {
    const texts = [["[", "]"], ['{"a":', "}"], ['[{"a":', "}]"]].map(
        ([open, close]) => nested(Math.floor(depth / (open.length + close.length > 6 ? 2 : 1)), open, close));
    return texts.flatMap((deep) => {
        const call = `{"type":"tool_use","id":"toolu_1","name":"n","input":{"x":${deep}}}`;
        const result = `{"type":"tool_result","tool_use_id":"toolu_1","content":${deep}}`;
        const messages = `[{"role":"user","content":"q"},{"role":"assistant","content":[${call}]},` +
            `{"role":"user","content":[${result}]},{"role":"user","content":${deep}}]`;
        return [
            `{"id":1,"method":"validate","params":{"messages":${messages}}}`,
            `{"id":1,"method":"repair","params":{"messages":${messages},"return":"messages","guard":false}}`,
            `{"id":1,"method":"repair","params":{"messages":${messages},"policy":"preserve","guard":false}}`,
            `{"id":1,"method":"repair","params":{"request":{"messages":${messages},"tools":${deep}},"guard":false}}`,
            `{"id":1,"method":"seal","params":{"content":[${call}]}}`,
            `{"id":1,"method":"validate","params":${deep}}`,
        ];
    });
}

function answer(instance, text) {
    const { bytes, error } = instance.call(new TextEncoder().encode(text));
    if (error === null) JSON.parse(new TextDecoder().decode(bytes));
    return error;
}

for (const [depth, room] of [[DEFAULT, 12], [DEEP, 12]]) {
    const instance = new Instance(module, { max_depth: depth });
    const errors = requests(depth - room).map((text) => answer(instance, text));
    assert.ok(!errors.includes("too_deep") && !errors.includes("internal"), errors.join());
    assert.ok(errors.includes(null), "no request was accepted");
    assert.ok(instance.unusedStack() >= 32768, "less than half of the stack is left");
    for (const text of requests(depth + room)) assert.equal(answer(instance, text), "too_deep");
}
console.log("done");
