// SPDX-License-Identifier: Apache-2.0
// Modules with another maximum of memory.

const MEMORY = 5; // the number of the section

// An unsigned number of the binary format: 7 bits in a byte, the low ones first.
function readNumber(bytes, at) {
    let value = 0, shift = 0, byte;
    do {
        byte = bytes[at++];
        value |= (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    return { value, at };
}

function writeNumber(value) {
    const out = [];
    for (; value > 0x7f; value >>>= 7) out.push(0x80 | (value & 0x7f));
    return [...out, value];
}

// The module with a memory of `min` pages, which it has, to min + more.
export function withMaximum(bytes, more) {
    for (let at = 8; at < bytes.length;) {
        const { value: size, at: content } = readNumber(bytes, at + 1);
        if (bytes[at] === MEMORY) {
            const { value: min } = readNumber(bytes, content + 2);
            const section = [1, 1, ...writeNumber(min), ...writeNumber(min + more)];
            return new WebAssembly.Module(Buffer.concat([bytes.subarray(0, at),
                Buffer.from([MEMORY, ...writeNumber(section.length), ...section]), bytes.subarray(content + size)]));
        }
        at = content + size;
    }
    throw new Error("there is no memory section");
}
