// SPDX-License-Identifier: Apache-2.0
// Answers the requests of standard input in the module, one after the other: answer_requests.mjs MODULE.
//
// A request is its size (4 bytes, big-endian) and its bytes; an answer, too. After a request of size 0, which has no
// answer, the next ones have a new session.
import fs from "node:fs";
import { Instance } from "./host.mjs";

const instance = new Instance(new WebAssembly.Module(fs.readFileSync(process.argv[2])));

// Returns false at the end of the input.
function readFully(bytes) {
    for (let at = 0; at < bytes.length;) {
        const n = fs.readSync(0, bytes, at, bytes.length - at);
        if (n === 0) return false;
        at += n;
    }
    return true;
}

function writeFully(bytes) {
    for (let at = 0; at < bytes.length;) at += fs.writeSync(1, bytes, at);
}

const size = Buffer.alloc(4);
while (readFully(size)) {
    const request = Buffer.alloc(size.readUInt32BE());
    if (request.length === 0) {
        instance.newSession();
        continue;
    }
    readFully(request);
    const { bytes } = instance.call(request);
    size.writeUInt32BE(bytes.length);
    writeFully(size);
    writeFully(bytes);
}
if (instance.unusedStack() < 32768) throw new Error("only " + instance.unusedStack() + " bytes of the stack are left");
instance.close();
