// SPDX-License-Identifier: Apache-2.0
// A host of turnkeeper.wasm, as turnkeeper/wasm.h tells to write one: an instance with a core and a session.

export const JSON_ONLY = 1;

export class Instance {
    // module: a WebAssembly.Module. limits: max_depth and the others in the order of tk_module_core_new().
    constructor(module, limits = {}, key = null) {
        this.exports = new WebAssembly.Instance(module, {}).exports;
        const address = key ? this.copyIn(key) : 0;
        this.core = this.exports.tk_module_core_new(
            limits.max_depth ?? 0, limits.max_values ?? 0, limits.max_answer ?? 0, limits.max_streams ?? 0,
            limits.max_stream_buffer ?? 0, address, limits.max_memory ?? 0) >>> 0;
        if (address) this.exports.tk_module_free(address);
        this.session = this.core ? this.exports.tk_session_new(this.core) >>> 0 : 0;
        if (!this.session) throw new NoMemory("a core");
    }

    view(address, size) {
        return new Uint8Array(this.exports.memory.buffer, address >>> 0, size >>> 0);
    }

    copyIn(bytes) {
        const address = this.exports.tk_module_allocate(bytes.length) >>> 0;
        if (!address) throw new NoMemory("a request");
        this.view(address, bytes.length).set(bytes);
        return address;
    }

    // Returns {bytes, error}: a copy of the answer's bytes, and the name of the error or null.
    call(request, flags = 0) {
        const address = this.copyIn(request);
        try {
            const reply = this.exports.tk_module_call(this.core, this.session, address, request.length, flags) >>> 0;
            if (!reply) throw new NoMemory("a reply");
            const answer = { bytes: this.answer(reply), error: this.name(this.exports.tk_module_reply_error(reply)) };
            this.exports.tk_reply_free(reply);
            return answer;
        } finally {
            this.exports.tk_module_free(address);
        }
    }

    answer(reply) {
        const { tk_reply_size, tk_module_reply_pieces, tk_module_reply_piece, tk_module_reply_piece_size } = this.exports;
        const bytes = new Uint8Array(tk_reply_size(reply) >>> 0);
        let end = 0;
        for (let i = 0, n = tk_module_reply_pieces(reply); i < n; i++) {
            const piece = this.view(tk_module_reply_piece(reply, i), tk_module_reply_piece_size(reply, i));
            bytes.set(piece, end);
            end += piece.length;
        }
        return bytes;
    }

    // The NUL-terminated string at an address, null at 0.
    name(address) {
        if (!address) return null;
        const rest = new Uint8Array(this.exports.memory.buffer, address >>> 0);
        return new TextDecoder().decode(rest.subarray(0, rest.indexOf(0)));
    }

    // The bytes of the stack that no call has used yet: it comes first in the memory and grows down.
    unusedStack() {
        return new Uint8Array(this.exports.memory.buffer).findIndex((byte) => byte !== 0);
    }

    newSession() {
        this.exports.tk_session_free(this.session);
        this.session = this.exports.tk_session_new(this.core) >>> 0;
        if (!this.session) throw new NoMemory("a session");
    }

    close() {
        this.exports.tk_session_free(this.session);
        this.exports.tk_core_free(this.core);
    }
}

// What tk_module_allocate(), tk_module_core_new() or tk_module_call() returned 0 for.
export class NoMemory extends Error {}
