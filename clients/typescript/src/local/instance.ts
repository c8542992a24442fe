// SPDX-License-Identifier: Apache-2.0

/**
 * One instance of the module, whose exports include/turnkeeper/wasm.h documents. Addresses, cores, sessions and
 * replies are numbers; 0 means that there was no memory.
 */

import { joined, likelySize, type Piece, sized, write } from "../wire/pieces.js";
import type { Limits } from "./limits.js";
import type { Random } from "./random.js";

/** The exports that this client uses. */
export interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  tk_module_allocate(size: number): number;
  tk_module_free(address: number): void;
  tk_module_core_new(
    maxDepth: number, maxValues: number, maxAnswer: number, maxStreams: number, maxStreamBuffer: number, key: number,
    maxMemory: number,
  ): number;
  tk_session_new(core: number): number;
  tk_session_free(session: number): void;
  tk_module_call(
    core: number, session: number, request: number, size: number, flags: number, work: number,
  ): number;
  tk_reply_size(reply: number): number;
  tk_module_reply_pieces(reply: number): number;
  tk_module_reply_piece(reply: number, piece: number): number;
  tk_module_reply_piece_size(reply: number, piece: number): number;
  tk_reply_free(reply: number): void;
}

/** Where a request is in the module's memory. */
interface Written {
  readonly address: number;
  readonly size: number;
}

/** No memory is left in the instance, which must be dropped. */
export class NoMemory extends Error {}

const KEY_SIZE = 16; // bytes of the hash tables' secret key
const WORK_SIZE = 12; // bytes of what bounds a call: three numbers

export class Instance {
  private readonly core: number;
  private readonly work: number;
  private sessions = 0;

  /** NoMemory, or the engine's own error, if the core can't be made. */
  constructor(
    private readonly exports: Exports,
    limits: Required<Limits>,
    random: Random,
  ) {
    const key = this.allocated(KEY_SIZE);
    random(this.bytes(key, KEY_SIZE));
    const { maxDepth, maxValues, maxAnswer, maxStreamBuffer, maxRequestMemory } = limits;
    this.core = checked(
      exports.tk_module_core_new(maxDepth, maxValues, maxAnswer, 0, maxStreamBuffer, key, maxRequestMemory),
    );
    exports.tk_module_free(key);
    this.work = this.allocated(WORK_SIZE);
  }

  /** True while a session is open, and with it perhaps a stream. */
  get isHeld(): boolean {
    return this.sessions > 0;
  }

  /** Bytes of memory that the instance has taken so far. */
  get memorySize(): number {
    return this.exports.memory.buffer.byteLength;
  }

  openSession(): number {
    const session = checked(this.exports.tk_session_new(this.core));
    this.sessions++;
    return session;
  }

  closeSession(session: number): void {
    this.exports.tk_session_free(session);
    this.sessions--;
  }

  /** Polls that the last call made. */
  get polls(): number {
    return this.numbers()[2] as number;
  }

  /**
   * Returns the answer to one request, as bytes of its own. session 0: none. most: after so many polls of the core the
   * answer is `deadline_exceeded`; 0: after as many as the module allows for a request of this size.
   */
  call(session: number, request: readonly Piece[], most = 0): Uint8Array {
    const { exports } = this;
    const { address, size } = this.written(request, likelySize(request)) ?? this.counted(request);
    this.numbers().set([most, 0]);
    const reply = checked(exports.tk_module_call(this.core, session, address, size, 0, this.work));
    const answer = this.read(reply);
    exports.tk_reply_free(reply);
    exports.tk_module_free(address);
    return answer;
  }

  /** Copies a request to new bytes of the module's memory; null if it needs more than `room`. */
  private written(request: readonly Piece[], room: number): Written | null {
    const address = this.allocated(Math.max(room, 1));
    const size = write(request, this.bytes(address, room));
    if (size !== null) return { address, size };
    this.exports.tk_module_free(address);
    return null;
  }

  private counted(request: readonly Piece[]): Written {
    const { pieces, size } = sized(request);
    return this.written(pieces, size) as Written;
  }

  private read(reply: number): Uint8Array {
    const { exports } = this;
    const parts: Uint8Array[] = [];
    const count = exports.tk_module_reply_pieces(reply);
    for (let n = 0; n < count; n++) {
      parts.push(this.bytes(exports.tk_module_reply_piece(reply, n), exports.tk_module_reply_piece_size(reply, n)));
    }
    return joined(parts, exports.tk_reply_size(reply) >>> 0);
  }

  private allocated(size: number): number {
    return checked(this.exports.tk_module_allocate(size));
  }

  /** What bounds a call: its most polls, 1 to stop it, the polls that it made. */
  private numbers(): Uint32Array {
    return new Uint32Array(this.exports.memory.buffer, this.work >>> 0, WORK_SIZE / 4);
  }

  /** A view of the memory, to be used before the next call: the memory may grow, which ends all views. */
  private bytes(address: number, size: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.exports.memory.buffer, address >>> 0, size >>> 0);
  }
}

function checked(address: number): number {
  if (address === 0) throw new NoMemory("no memory is left in this instance");
  return address;
}
