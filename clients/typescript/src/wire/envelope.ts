// SPDX-License-Identifier: Apache-2.0

/** Requests and answers of JSON-RPC 2.0 (PROTOCOL.md 2), without the frames of the socket. */

import { EncodeError, ProtocolError } from "../errors.js";
import { remoteError } from "../errors_read.js";
import type { Json } from "../results/reading.js";
import { unencodable } from "./encodable.js";
import { byteLength, type Piece } from "./pieces.js";
import { decode } from "./text.js";

const NOT_OURS = "%: is this the socket of a turnkeeperd?";

/** A parameter that is given as JSON text. */
export interface TextParam {
  readonly name: string;
  readonly text: string | Uint8Array;
}

/**
 * Returns the request as pieces of UTF-8. EncodeError if a parameter has no form in JSON.
 *
 * A text isn't checked and may not be JSON. That does no harm: it comes last, so it can only add parameters to this
 * one call, and no provider would accept such a text.
 */
export function request(id: number, method: string, params: Json, text?: TextParam): Piece[] {
  const head = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${json(params)}`;
  if (text === undefined) return [head + "}"];
  const open = head.slice(0, -1) + (Object.keys(params).length === 0 ? "" : ",");
  return [`${open}${JSON.stringify(text.name)}:`, text.text, "}}"];
}

function json(params: Json): string {
  try {
    return JSON.stringify(params);
  } catch (cause) {
    const found = unencodable(params);
    if (found === null) throw new EncodeError("the parameters are not JSON", { cause });
    const data = { pointer: "/params" + found.pointer };
    throw new EncodeError(`this can't be sent: ${found.reason}`, { data, cause });
  }
}

// Errors that may come with the id null, because the request's couldn't be read: what is no document, what is no
// envelope, no memory to read it, too large a frame, too busy to read, too costly to read.
const UNREAD = new Set([-32700, -32600, -32603, -32010, -32011, -32014]);

function lengthOf(piece: Piece): number {
  return typeof piece === "string" ? byteLength(piece) : piece.length;
}

/**
 * Returns the error with an `offset` that counts from the first byte, in UTF-8, of the text that the caller gave, not from
 * that of the request. `sent`: the pieces of the request.
 */
function counted(error: Json, sent: readonly Piece[]): Json {
  const data = error["data"] as Json | undefined;
  const offset = data?.["offset"];
  const [head, text] = sent;
  if (typeof offset !== "number" || head === undefined || text === undefined) return error;
  const at = offset - lengthOf(head);
  return at < 0 ? error : { ...error, data: { ...data, offset: Math.min(at, lengthOf(text)) } };
}

/**
 * Returns the result in an answer to request `id`; throws the error that it contains instead. `sent`: the pieces of the
 * request, if offsets are to count in the text that the caller gave.
 */
export function result(answer: Uint8Array, id: number, sent: readonly Piece[] = []): unknown {
  const document = parsed(answer);
  const error = document["error"];
  if ("result" in document === "error" in document) throw notOurs("an answer that is no JSON-RPC response");
  if (error !== undefined && !isError(error)) throw new ProtocolError("an answer with a malformed error");
  const unread = document["id"] === null && error !== undefined && UNREAD.has(error["code"] as number);
  if (!unread && document["id"] !== id) throw new ProtocolError("an answer to another request");
  if (error !== undefined) throw remoteError(counted(error, sent));
  return document["result"];
}

export function notOurs(what: string): ProtocolError {
  return new ProtocolError(NOT_OURS.replace("%", what));
}

function parsed(answer: Uint8Array): Json {
  let document: unknown;
  try {
    document = JSON.parse(decode(answer));
  } catch (cause) {
    throw new ProtocolError("an answer that can't be read", { cause });
  }
  if (typeof document !== "object" || document === null) throw notOurs("an answer that is no object");
  return document as Json;
}

function isError(error: unknown): error is Json {
  const { code, message } = (error ?? {}) as Json;
  return Number.isInteger(code) && typeof message === "string";
}
