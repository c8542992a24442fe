// SPDX-License-Identifier: Apache-2.0
/**
 * Errors that the other side answers with: one class a name. Those with data of their own are in errors_with_data.ts.
 *
 * Made by clients/shared/generate.py from routes.json and the build's `info`: change those.
 */

import { RemoteError } from "./errors.js";
import { ParseError, Refused, StreamError } from "./errors_with_data.js";

export { DialectMismatch, InvalidParams, ParseError, Refused, StreamError, UnsafeHistory } from "./errors_with_data.js";

/** Not a JSON-RPC 2.0 request. */
export class InvalidRequest extends RemoteError {
  static override readonly NAME: string = "invalid_request";
  static override readonly CODE: number | null = -32600;
}

/** There is no such method here. */
export class MethodNotFound extends RemoteError {
  static override readonly NAME: string = "method_not_found";
  static override readonly CODE: number | null = -32601;
}

/** A defect of turnkeeper, please report it. */
export class InternalError extends RemoteError {
  static override readonly NAME: string = "internal";
  static override readonly CODE: number | null = -32603;
}

/** The request is larger than max_frame. */
export class FrameTooLarge extends RemoteError {
  static override readonly NAME: string = "frame_too_large";
  static override readonly CODE: number | null = -32010;
}

/** Too much work at once; nothing was consumed. */
export class Busy extends RemoteError {
  static override readonly NAME: string = "busy";
  static override readonly CODE: number | null = -32011;
  static override readonly RETRYABLE: boolean = true;
}

/** The daemon is shutting down. */
export class Draining extends RemoteError {
  static override readonly NAME: string = "draining";
  static override readonly CODE: number | null = -32012;
  static override readonly RETRYABLE: boolean = true;
}

/** The request's time is over. */
export class DeadlineExceeded extends RemoteError {
  static override readonly NAME: string = "deadline_exceeded";
  static override readonly CODE: number | null = -32013;
  static override readonly RETRYABLE: boolean = true;
}

/** The answer would be larger than max_answer. */
export class AnswerTooLarge extends RemoteError {
  static override readonly NAME: string = "answer_too_large";
  static override readonly CODE: number | null = -32014;
}

/** The payload begins like neither JSON nor msgpack. */
export class CodecUnknown extends ParseError {
  static override readonly NAME: string = "codec_unknown";
}

/** An object has a key twice. */
export class DuplicateKey extends ParseError {
  static override readonly NAME: string = "duplicate_key";
}

/** Arrays and objects are nested too deeply. */
export class TooDeep extends ParseError {
  static override readonly NAME: string = "too_deep";
}

/** The document holds too many values. */
export class TooManyValues extends ParseError {
  static override readonly NAME: string = "too_many_values";
}

/** Bytes follow the document. */
export class TrailingBytes extends ParseError {
  static override readonly NAME: string = "trailing_bytes";
}

/** A seal is of a version or algorithm that this build lacks. */
export class SealUnsupported extends Refused {
  static override readonly NAME: string = "seal_unsupported";
}

/** A seal contradicts itself. */
export class SealInvalid extends Refused {
  static override readonly NAME: string = "seal_invalid";
}

/** No stream with that key is open on this connection. */
export class StreamNotFound extends StreamError {
  static override readonly NAME: string = "stream_not_found";
}

/** A stream with that key is already open on this connection. */
export class StreamExists extends StreamError {
  static override readonly NAME: string = "stream_exists";
}

/** The stream has ended; stream.end returns its outcome. */
export class StreamFinished extends StreamError {
  static override readonly NAME: string = "stream_finished";
}

/** The request continues a thread that the provider keeps. */
export class ThreadUnsupportedRequest extends Refused {
  static override readonly NAME: string = "thread_unsupported_request";
}

/** An appended assistant message leaves a call open. */
export class AssistantConflict extends Refused {
  static override readonly NAME: string = "assistant_conflict";
}

/** A call has no result. */
export class MissingToolResult extends Refused {
  static override readonly NAME: string = "missing_tool_result";
}

/** Only the provider may answer this call. */
export class ServerToolResultNotAllowed extends Refused {
  static override readonly NAME: string = "server_tool_result_not_allowed";
}

/** A result whose call doesn't exist. */
export class UnknownToolUseId extends Refused {
  static override readonly NAME: string = "unknown_tool_use_id";
}

/** No user message precedes this system message. */
export class SystemPlacement extends Refused {
  static override readonly NAME: string = "system_placement";
}

/** A message without content. */
export class EmptyMessage extends Refused {
  static override readonly NAME: string = "empty_message";
}

/** The model still works on this turn. */
export class TurnNotFinished extends Refused {
  static override readonly NAME: string = "turn_not_finished";
}

/** The result of such a call needs the provider's own form. */
export class ResultFormRequired extends Refused {
  static override readonly NAME: string = "result_form_required";
}

/** The server has the history, and the response's id is missing. */
export class ResponseIdMissing extends Refused {
  static override readonly NAME: string = "response_id_missing";
}

/** The server has the history, but didn't store this response. */
export class ResponseNotStored extends Refused {
  static override readonly NAME: string = "response_not_stored";
}

/** Two different tools have the same name. */
export class ToolNameConflict extends Refused {
  static override readonly NAME: string = "tool_name_conflict";
}

/** The provider refuses these tools together. */
export class IncompatibleTools extends Refused {
  static override readonly NAME: string = "incompatible_tools";
}

/** The provider refuses this beta value together with these tools. */
export class BetaConflict extends Refused {
  static override readonly NAME: string = "beta_conflict";
}

/** The provider has no such tool. */
export class UnsupportedServerTool extends Refused {
  static override readonly NAME: string = "unsupported_server_tool";
}

/** The tool needs this option. */
export class MissingOption extends Refused {
  static override readonly NAME: string = "missing_option";
}

/** The provider's tool has no such option. */
export class UnsupportedOption extends Refused {
  static override readonly NAME: string = "unsupported_option";
}

/** What may be removed isn't enough for this budget. */
export class BudgetUnreachable extends Refused {
  static override readonly NAME: string = "budget_unreachable";
}

/** The request would make more in memory than max_memory allows. */
export class RequestTooCostly extends AnswerTooLarge {
  static override readonly NAME: string = "request_too_costly";
}
