// SPDX-License-Identifier: Apache-2.0

/** Frames of the socket: four bytes with the length, big-endian, then one document (PROTOCOL.md 1). */

import { ProtocolError } from "../errors.js";
import { notOurs } from "../wire/envelope.js";
import { joined } from "../wire/pieces.js";

const HEADER = 4; // bytes
const LARGEST = 2 ** 31; // bytes of an answer; no daemon is configured to give more
const TEXT = 0x20000000; // a first byte from here on is a character of text, so what follows has to be a document
const BRACE = 0x7b;

/** Returns the header of a frame with a document of `size` bytes. */
export function header(size: number): Uint8Array {
  const bytes = new Uint8Array(HEADER);
  new DataView(bytes.buffer).setUint32(0, size);
  return bytes;
}

/** Gathers the one frame that answers a request. */
export class AnswerFrame {
  private readonly parts: Uint8Array[] = [];
  private got = 0;
  private size: number | null = null;

  /** True as soon as one byte is here. */
  get started(): boolean {
    return this.got > 0;
  }

  get whole(): boolean {
    return this.size !== null && this.got === HEADER + this.size;
  }

  /** The document, once the frame is whole. */
  get document(): Uint8Array {
    return joined(this.parts, this.got).subarray(HEADER);
  }

  /** Takes more bytes; ProtocolError if these can't be an answer. */
  feed(data: Uint8Array): void {
    this.parts.push(data);
    this.got += data.length;
    if (this.size === null && this.got >= HEADER) this.readHeader();
    if (this.size !== null && this.got > HEADER + this.size) throw new ProtocolError("bytes after the answer");
  }

  private readHeader(): void {
    const head = joined(this.parts, this.got);
    this.size = new DataView(head.buffer).getUint32(0);
    if (this.size === 0 || this.size > LARGEST) throw notOurs(`an answer of ${this.size} bytes`);
    if (this.size >= TEXT && head.length > HEADER && head[HEADER] !== BRACE) throw notOurs("an answer that is no frame");
  }
}
