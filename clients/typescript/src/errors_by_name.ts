// SPDX-License-Identifier: Apache-2.0

/**
 * One class for each name of an error that a daemon or the module answers with (PROTOCOL.md 6).
 *
 * A class of which the table at the end says "code" is also the class of all unknown names of its code. An unknown
 * code becomes RemoteError itself. What was answered stays in `name`, `code`, `data` and `retryable` in any case.
 */

import { RemoteError } from "./errors.js";
import { shown } from "./places.js";
import { type Finding, readFinding } from "./results/findings.js";
import type { Json } from "./results/reading.js";

const LISTED = 3; // findings in a text

/**
 * The request couldn't be read as a document; `offset` says at which byte: of the JSON text that was given, in UTF-8, if
 * one was, as to repairBody; else of the request.
 */
export class ParseError extends RemoteError {
  static override readonly NAME: string = "parse_error";
  static override readonly CODE: number | null = -32700;

  get offset(): number | null {
    return this.number("offset");
  }
}

export class CodecUnknown extends ParseError {
  static override readonly NAME: string = "codec_unknown";
}

export class DuplicateKey extends ParseError {
  static override readonly NAME: string = "duplicate_key";
}

export class TooDeep extends ParseError {
  static override readonly NAME: string = "too_deep";
}

export class TooManyValues extends ParseError {
  static override readonly NAME: string = "too_many_values";
}

export class TrailingBytes extends ParseError {
  static override readonly NAME: string = "trailing_bytes";
}

export class InvalidRequest extends RemoteError {
  static override readonly NAME: string = "invalid_request";
  static override readonly CODE: number | null = -32600;
}

export class MethodNotFound extends RemoteError {
  static override readonly NAME: string = "method_not_found";
  static override readonly CODE: number | null = -32601;
}

/** A parameter is missing, unknown or of the wrong type: `pointer` names it. */
export class InvalidParams extends RemoteError {
  static override readonly NAME: string = "invalid_params";
  static override readonly CODE: number | null = -32602;
}

/**
 * The history is in another format than was asked for; nothing of it was touched.
 *
 * `looksLike`: the format that it shows a sign of, as "openai-chat"; null: of none that is known. `sign`: the member
 * that shows it. `dialect`: what was asked for.
 */
export class DialectMismatch extends InvalidParams {
  static override readonly NAME: string = "dialect_mismatch";

  get looksLike(): string | null {
    return this.text("looks_like");
  }

  get sign(): string | null {
    return this.text("sign");
  }

  get dialect(): string | null {
    return this.text("dialect");
  }

  protected override about(): string[] {
    const { looksLike, sign, dialect } = this;
    const found = looksLike !== null && sign !== null ? [`this looks like ${looksLike}: ${sign}`] : [];
    if (dialect !== null) found.push(`asked for as ${dialect}`);
    return [...found, ...super.about()];
  }
}

/** A defect of the daemon or the module. The daemon logged it; in process the instance was replaced. */
export class InternalError extends RemoteError {
  static override readonly NAME: string = "internal";
  static override readonly CODE: number | null = -32603;
}

/**
 * The guard could not make the history safe: don't send it to the provider.
 *
 * `violations` lists the findings that no allowed edit could repair, with places of the history as it was passed;
 * `needed` of each names the edit that protection or policy forbade, `wayOut` says what to do.
 */
export class UnsafeHistory extends RemoteError {
  static override readonly NAME: string = "unsafe_history";
  static override readonly CODE: number | null = -32001;

  get violations(): readonly Finding[] {
    const listed = this.data["violations"];
    if (!Array.isArray(listed)) return [];
    return listed.filter((v) => typeof v === "object" && v !== null && "code" in v).map(readFinding);
  }

  /** Sentences that say what the user can do; none if the daemon is too old for them. */
  get waysOut(): readonly string[] {
    return [...new Set(this.violations.flatMap((v) => v.wayOut ?? []))];
  }

  protected override about(): string[] {
    // Codes and places only: an error's text ends up in logs, a history must not.
    const found = this.violations;
    const listed = found.slice(0, LISTED).map((v) => `${v.code} at ${shown(v.pointer) || "/"}`);
    return found.length > LISTED ? [...listed, `${found.length - LISTED} more`] : listed;
  }
}

/** Misuse of a stream. */
export class StreamError extends RemoteError {
  static override readonly NAME: string = "stream_error";
  static override readonly CODE: number | null = -32002;
}

export class StreamNotFound extends StreamError {
  static override readonly NAME: string = "stream_not_found";
}

export class StreamExists extends StreamError {
  static override readonly NAME: string = "stream_exists";
}

export class StreamFinished extends StreamError {
  static override readonly NAME: string = "stream_finished";
}

/** The request was understood and won't be done, for the reason that `name` gives. */
export class Refused extends RemoteError {
  static override readonly NAME: string = "refused";
  static override readonly CODE: number | null = -32003;
}

/** The answer would be larger than `max_answer`; a stream that was fed is gone. */
export class AnswerTooLarge extends RemoteError {
  static override readonly NAME: string = "answer_too_large";
  static override readonly CODE: number | null = -32014;
}

/** The request would take more memory than `max_memory`; a stream that was fed is gone. */
export class RequestTooCostly extends AnswerTooLarge {
  static override readonly NAME: string = "request_too_costly";
}

/** The request is larger than `max_frame`. */
export class FrameTooLarge extends RemoteError {
  static override readonly NAME: string = "frame_too_large";
  static override readonly CODE: number | null = -32010;
}

/** A limit on connections, streams or bytes in flight is reached. See `retryAfterMs`. */
export class Busy extends RemoteError {
  static override readonly NAME: string = "busy";
  static override readonly CODE: number | null = -32011;
  static override readonly RETRYABLE: boolean = true;
}

/** The daemon is shutting down; its successor will answer. */
export class Draining extends RemoteError {
  static override readonly NAME: string = "draining";
  static override readonly CODE: number | null = -32012;
  static override readonly RETRYABLE: boolean = true;
}

/** The daemon's time for this request ran out. */
export class DeadlineExceeded extends RemoteError {
  static override readonly NAME: string = "deadline_exceeded";
  static override readonly CODE: number | null = -32013;
  static override readonly RETRYABLE: boolean = true;
}

type Class = typeof RemoteError;

/** The classes of all unknown names of their codes; they come first here. */
const OF_CODES: readonly Class[] = [
  ParseError, InvalidRequest, MethodNotFound, InvalidParams, InternalError, UnsafeHistory, StreamError, Refused,
  AnswerTooLarge, FrameTooLarge, Busy, Draining, DeadlineExceeded,
];
const OF_NAMES: readonly Class[] = [
  ...OF_CODES, CodecUnknown, DuplicateKey, TooDeep, TooManyValues, TrailingBytes, DialectMismatch, StreamNotFound,
  StreamExists, StreamFinished, RequestTooCostly,
];
const byCode = new Map<number, Class>(OF_CODES.map((kind) => [kind.CODE as number, kind]));
const byName = new Map<string, Class>(OF_NAMES.map((kind) => [kind.NAME, kind]));

/** Makes the error for the member `error` of an answer, whose `code` and `message` were checked. */
export function remoteError(error: Json): RemoteError {
  const code = error["code"] as number;
  const detail = error["data"];
  const data = typeof detail === "object" && detail !== null ? (detail as Json) : {};
  const name = typeof data["name"] === "string" ? data["name"] : undefined;
  const retryable = typeof data["retryable"] === "boolean" ? data["retryable"] : undefined;
  const kind = byName.get(name ?? "") ?? byCode.get(code) ?? RemoteError;
  return new kind(error["message"] as string, { name, code, data, retryable });
}
