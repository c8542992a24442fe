// SPDX-License-Identifier: Apache-2.0

/**
 * The methods of turnkeeper, the same for both back ends. In process they return at once (`Keeper<"now">`, see
 * local/), through the daemon's socket they return promises (`Keeper<"later">`, see socket/).
 *
 * Every method may throw a RemoteError (the other side answers with an error, errors_by_name.ts), a TransportError
 * (no whole answer came) or an EncodeError (an argument isn't JSON). No method changes its arguments.
 */

import type { Call } from "./call.js";
import * as calls from "./calls.js";
import type { Link } from "./link.js";
import type {
  CallOptions, ExplainOptions, FitOptions, PairOptions, PrepareOptions, RedactOptions, RepairOptions, SealOptions, SpliceOptions,
  StreamOptions, TimedOptions, ToolsOptions, TurnOptions, ValidateOptions,
} from "./params.js";
import type { Detected } from "./results/detected.js";
import type { Explanation, Miss } from "./results/explanations.js";
import type { Report } from "./results/findings.js";
import type { Fitted, FittedBody } from "./results/fits.js";
import type { Health, Info, PairedTurn, Pong, Stats } from "./results/others.js";
import type { Json } from "./results/reading.js";
import type {
  MergedTools, Prepared, PreparedBody, Repaired, RepairedBody, RepairedTurn, Spliced,
} from "./results/repairs.js";
import type { Stream } from "./stream.js";

/** The type that a method of each back end returns for a result of type T. */
export interface Answers<T> {
  now: T;
  later: Promise<T>;
}
export type When = keyof Answers<unknown>;
export type Answer<W extends When, T> = Answers<T>[W];

/**
 * A keeper of either kind: `await` its answers. The back ends are LocalKeeper and SocketKeeper.
 */
export abstract class Keeper<W extends When = When> {
  /** Makes the call and gives its result. What `make` throws is thrown, or rejects the promise. */
  protected abstract run<T>(make: () => Call<T>): Answer<W, T>;

  /** Opens a stream, which pairs a provider's stream as it comes. See Stream. */
  abstract stream(options?: StreamOptions): Answer<W, Stream<W>>;

  /** Gives a connection, or in process a session, for one user alone: for whoever speaks the protocol itself. */
  abstract link(): Answer<W, Link<W>>;

  /** Gives back memory or connections. Calls that still run come to their end; a later one is an error. */
  abstract close(): void;

  /** Finds all that is wrong with a list of messages, oldest first, or with a whole request body. */
  validate(document: readonly object[] | object, options: ValidateOptions = {}): Answer<W, Report> {
    return this.run(() => calls.validate(document, options));
  }

  /**
   * Returns a repaired copy of a list of messages, or of a whole request body; UnsafeHistory if no allowed edit
   * makes it acceptable. Messages that no edit touched are the same objects in the result.
   */
  repair<M extends object>(messages: readonly M[], options?: RepairOptions): Answer<W, Repaired<M>>;
  repair<R extends object>(request: R, options?: RepairOptions): Answer<W, Repaired<unknown, R>>;
  repair(document: readonly object[] | object, options: RepairOptions = {}): Answer<W, Repaired<never, never>> {
    return this.run(() => calls.repair(document, options)) as Answer<W, Repaired<never, never>>;
  }

  /**
   * Returns a repaired copy of a request body, or of a list of messages, in JSON text, with every byte the same that no
   * edit touches. The text isn't read by this client; unedited, the result's `body` is the very argument.
   */
  repairBody<T extends string | Uint8Array>(body: T, options: RepairOptions = {}): Answer<W, RepairedBody<T>> {
    return this.run(() => calls.repairBody(body, options));
  }

  /**
   * Returns a copy of a list of messages, or of a whole request body, whose size is at most `over`: whole rounds are
   * removed, the oldest first, and single steps of a long loop of tool calls. BudgetUnreachable if that isn't enough;
   * nothing is repaired. Messages that no edit touched are the same objects in the result.
   */
  fit<M extends object>(messages: readonly M[], over: number, options?: FitOptions): Answer<W, Fitted<M>>;
  fit<R extends object>(request: R, over: number, options?: FitOptions): Answer<W, Fitted<unknown, R>>;
  fit(document: readonly object[] | object, over: number, options: FitOptions = {}): Answer<W, Fitted<never, never>> {
    return this.run(() => calls.fit(document, over, options)) as Answer<W, Fitted<never, never>>;
  }

  /** Fits a body, or a list of messages, that is JSON text; what isn't edited keeps its bytes (see repairBody). */
  fitBody<T extends string | Uint8Array>(body: T, over: number, options: FitOptions = {}): Answer<W, FittedBody<T>> {
    return this.run(() => calls.fitBody(body, over, options));
  }

  /**
   * Returns a copy of a list of messages, or of a whole request body, for a bug report: every text, name, input, output,
   * id and signature is replaced by others of the same length and kind, and `validate` says the same of it. White space,
   * punctuation and the protocol's words stay: read it before you publish it.
   */
  redact<D extends readonly object[] | object>(document: D, options: RedactOptions = {}): Answer<W, D> {
    return this.run(() => calls.redact(document, options)) as Answer<W, D>;
  }

  /** Returns a repaired copy of the content of one assistant turn, before it is stored. */
  repairTurn<P extends object>(content: readonly P[], options: TurnOptions = {}): Answer<W, RepairedTurn<P>> {
    return this.run(() => calls.repairTurn(content, options)) as Answer<W, RepairedTurn<P>>;
  }

  /**
   * Returns the fingerprint of an assistant turn as it was received: of its message (the response body will do), of
   * its content, or of JSON text of the content as bytes. Keep it with the turn, and give it back in `seals` of
   * `validate`, `repair` and `prepare`, as `{"seal": it}`.
   */
  seal(turn: string | Uint8Array | readonly object[] | object, options: SealOptions = {}): Answer<W, Readonly<Json>> {
    return this.run(() => calls.seal(turn, options));
  }

  /**
   * Returns the messages to send next: those that were sent, the turn that came back, results, appended ones. The turn
   * is the response body, or what `provider` has in it: a message, a choice, a list of items. Results may be objects
   * with `id`, `content` and, where a call failed, `is_error`, for every provider.
   */
  splice<M extends object>(messages: readonly M[], assistant: object, options?: SpliceOptions): Answer<W, Spliced<M>>;
  splice<R extends object>(request: R, assistant: object, options?: SpliceOptions): Answer<W, Spliced<unknown, R>>;
  splice(document: object, assistant: object, options: SpliceOptions = {}): Answer<W, Spliced<never, never>> {
    return this.run(() => calls.splice(document, assistant, options)) as Answer<W, Spliced<never, never>>;
  }

  /** Returns a copy of a list of tools (null: none yet), or of a whole request body, with what `add` names. */
  tools<T extends object>(tools: readonly T[] | null, options?: ToolsOptions): Answer<W, MergedTools<T | Json>>;
  tools<R extends object>(request: R, options?: ToolsOptions): Answer<W, MergedTools<unknown, R>>;
  tools(document: object | null, options: ToolsOptions = {}): Answer<W, MergedTools<never, never>> {
    return this.run(() => calls.tools(document, options)) as Answer<W, MergedTools<never, never>>;
  }

  /**
   * Returns a copy of a whole request body as it is to be sent, with its beta header. The steps are `splice`,
   * `tools`, `fit` and `repair`; `data.stage` of an error names the one that failed, and then nothing is applied.
   */
  prepare<R extends object>(request: R, options: PrepareOptions = {}): Answer<W, Prepared<R>> {
    return this.run(() => calls.prepare(request, options)) as Answer<W, Prepared<R>>;
  }

  /** Prepares a body that is JSON text; what isn't edited keeps its bytes (see repairBody). */
  prepareBody<T extends string | Uint8Array>(body: T, options: PrepareOptions = {}): Answer<W, PreparedBody<T>> {
    return this.run(() => calls.prepareBody(body, options));
  }

  /** Returns the turn in a whole response, with its outputs in the form `emit`; PairingFailed if it has none. */
  pair(response: object, options: PairOptions = {}): Answer<W, PairedTurn> {
    return this.run(() => calls.pair(response, options));
  }

  /** Says whose history a list of messages, or a whole request body, is: the provider, the dialect, the endpoint. */
  detect(document: readonly object[] | object, options: TimedOptions = {}): Answer<W, Detected> {
    return this.run(() => calls.detect(document, options));
  }

  /**
   * Finds the rules that a provider's refusal belongs to, by its words, up to 65,536 bytes: `String(error)` of an SDK's
   * error will do.
   */
  explain(text: string, options: ExplainOptions = {}): Answer<W, Explanation> {
    return this.run(() => calls.explain(text, options));
  }

  /**
   * Counts a request that the provider refused, with this HTTP status and text, although it was called sound. The daemon
   * counts it in `stats` by the code of its rule; the text is neither kept nor logged.
   */
  reportMiss(status: number, text: string, provider: string, options: TimedOptions = {}): Answer<W, Miss> {
    return this.run(() => calls.reportMiss(status, text, provider, options));
  }

  /** Checks that the other side answers. The result has `echo` unchanged. */
  ping(echo?: unknown, options: CallOptions = {}): Answer<W, Pong> {
    return this.run(() => calls.ping(echo, options));
  }

  /** Asks if the daemon is well. In process there is no daemon: MethodNotFound. */
  health(options: CallOptions = {}): Answer<W, Health> {
    return this.run(() => calls.health(options));
  }

  /** Asks for the counts since the daemon's start. In process there is no daemon: MethodNotFound. */
  stats(options: CallOptions = {}): Answer<W, Stats> {
    return this.run(() => calls.stats(options));
  }

  /** Asks what the other side serves and judges. */
  info(options: CallOptions = {}): Answer<W, Info> {
    return this.run(() => calls.info(options));
  }

  /** Asks what the other side serves; UnsupportedProtocol if it speaks another protocol than this package. */
  checkProtocol(options: CallOptions = {}): Answer<W, Info> {
    return this.run(() => calls.checkProtocol(options));
  }

  /**
   * Any method by its name, with parameters as PROTOCOL.md has them; gives the result as it came. For streams use
   * `stream`: they belong to a connection, of which a client may have many.
   */
  call(method: string, params: Json = {}, options: CallOptions = {}): Answer<W, unknown> {
    return this.run(() => calls.call(method, params, options));
  }
}
