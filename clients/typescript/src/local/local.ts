// SPDX-License-Identifier: Apache-2.0

/** The back end in process: an instance of the WebAssembly module, replaced when it fails or has grown. */

import { randomSource } from "#platform";
import { type Call, named } from "../call.js";
import { Aborted, ConnectionLost, ProtocolError } from "../errors.js";
import { FrameTooLarge, InternalError } from "../errors_by_name.js";
import { type Answer, Keeper } from "../keeper.js";
import { checkNames } from "../names.js";
import type { Link } from "../link.js";
import type { StreamOptions } from "../params.js";
import { Malformed } from "../results/reading.js";
import { Pairing, Stream } from "../stream.js";
import { request, result } from "../wire/envelope.js";
import { largestSize, type Piece, sized } from "../wire/pieces.js";
import { Instance } from "./instance.js";
import { checkedLimits, type Limits } from "./limits.js";
import { type CompiledModule, compiled, instantiated, type Wasm } from "./module.js";
import { pollsOf } from "./pace.js";
import type { Random } from "./random.js";

export interface LocalOptions {
  wasm?: Wasm | Promise<Wasm>;
  limits?: Limits;
  /** A name that each call sends which has none of its own, as to a daemon; nothing logs it here. */
  caller?: string;
}

const OPTIONS = ["wasm", "limits", "caller"] as const satisfies readonly (keyof LocalOptions)[];

/** Loads the module and makes a keeper that answers in process. */
export async function load(options: LocalOptions = {}): Promise<LocalKeeper> {
  checkNames("the option", options, OPTIONS);
  const limits = checkedLimits(options.limits ?? {});
  return new LocalKeeper(await compiled(await options.wasm), limits, await randomSource(), options.caller);
}

/**
 * Answers in process. All methods return at once, and nothing of them leaves the process.
 *
 * An end of the instance (no memory, a defect) fails that call with InternalError and loses the streams that are open
 * in it; the next call has a fresh instance. A thread, or worker, loads a keeper of its own.
 */
export class LocalKeeper extends Keeper<"now"> {
  private instance: Instance | null = null;
  private closed = false;
  private ids = 0;

  /** For `load`: `limits` are complete. */
  constructor(
    private readonly module: CompiledModule,
    private readonly limits: Required<Limits>,
    private readonly random: Random,
    private readonly caller?: string,
  ) {
    super();
  }

  override close(): void {
    this.closed = true;
    this.instance = null;
  }

  override stream(options: StreamOptions = {}): Stream<"now"> {
    const link = this.link();
    const pairing = new Pairing();
    link.run(() => pairing.open(options));
    return new Stream(link, pairing);
  }

  /** Opens a session for one user alone. */
  override link(): Link<"now"> {
    return new Session(this);
  }

  protected override run<T>(make: () => Call<T>): Answer<"now", T> {
    return this.perform(make(), this.current(), 0);
  }

  /** Makes one call in an instance. session 0: none. */
  perform<T>(call: Call<T>, instance: Instance, session: number): T {
    if (call.signal?.aborted === true) throw new Aborted("the signal was aborted", { cause: call.signal.reason });
    const id = ++this.ids;
    const { params } = named(call, this.caller);
    const sent = request(id, call.method, params, call.text);
    const answer = this.exchange(instance, session, sent, this.most(call));
    try {
      return call.read(result(answer, id, sent));
    } catch (why) {
      if (!(why instanceof Malformed)) throw why;
      throw new ProtocolError(`a result of another shape: ${why.message}`, { cause: why });
    }
  }

  /** Returns the instance that calls use now; makes one if there is none. */
  current(): Instance {
    if (this.closed) throw new Error("the keeper is closed");
    return (this.instance ??= this.attempt(() => this.fresh()));
  }

  private fresh(): Instance {
    return new Instance(instantiated(this.module), this.limits, this.random);
  }

  isCurrent(instance: Instance): boolean {
    return this.instance === instance;
  }

  /** Opens a session; InternalError, and the end of the instance, if there is no memory for it. */
  openSession(instance: Instance): number {
    return this.attempt(() => instance.openSession());
  }

  /** Closes a session of an instance, which may have ended before. */
  closeSession(instance: Instance, session: number): void {
    if (!this.isCurrent(instance)) return;
    this.attempt(() => instance.closeSession(session));
    this.dropIfLarge(instance);
  }

  /** Answers one document. session 0: none. most: of polls, see Instance. */
  exchange(instance: Instance, session: number, pieces: readonly Piece[], most = 0): Uint8Array {
    this.checkSize(pieces);
    const answer = this.attempt(() => instance.call(session, pieces, most));
    this.dropIfLarge(instance);
    return answer;
  }

  /** Returns the polls after which a call ends: those of its time, or 0 where it has none. */
  private most(call: Call<unknown>): number {
    const own = call.params["timeout_ms"];
    const time = Math.min(call.timeout ?? Infinity, typeof own === "number" && own > 0 ? own : Infinity);
    return Number.isFinite(time) ? this.attempt(() => pollsOf(time, () => this.fresh())) : 0;
  }

  /** Drops the instance if the work fails, which is a trap or the end of memory. */
  private attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      this.instance = null;
      const said = "the module failed, and was replaced; please report it if memory was not the reason";
      throw new InternalError(said, { data: { name: "internal", retryable: false }, cause });
    }
  }

  /** FrameTooLarge for a request beyond the limit. Most are so small or so large that nobody has to count their bytes. */
  private checkSize(pieces: readonly Piece[]): void {
    const limit = this.limits.maxFrame;
    const least = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (largestSize(pieces) <= limit || (least <= limit && sized(pieces).size <= limit)) return;
    const data = { name: "frame_too_large", retryable: false, limit };
    throw new FrameTooLarge("the request is larger than max_frame", { data });
  }

  private dropIfLarge(instance: Instance): void {
    if (!instance.isHeld && instance.memorySize > this.limits.maxMemory) this.instance = null;
  }
}

/** A session for one stream. It ends with its instance. */
class Session implements Link<"now"> {
  private readonly instance: Instance;
  private readonly session: number;
  private open = true;

  constructor(private readonly keeper: LocalKeeper) {
    this.instance = keeper.current();
    this.session = keeper.openSession(this.instance);
  }

  get lost(): boolean {
    return !this.open || !this.keeper.isCurrent(this.instance);
  }

  run<T>(make: () => Call<T>): T {
    const call = make();
    const ends = call.method === "stream.end";
    try {
      return this.keeper.perform(call, this.instance, this.session);
    } catch (why) {
      if (call.method === "stream.open") this.close();
      if (why instanceof InternalError && this.lost) throw lostWithInstance(why);
      throw why;
    } finally {
      if (ends) this.close();
    }
  }

  answer(document: string | Uint8Array): Uint8Array {
    if (this.lost) throw new ConnectionLost("the session has ended", { retryable: false });
    return this.keeper.exchange(this.instance, this.session, [document]);
  }

  give<T>(value: T): T {
    return value;
  }

  close(): void {
    if (!this.open) return;
    this.open = false;
    this.keeper.closeSession(this.instance, this.session);
  }
}

function lostWithInstance(cause: InternalError): ConnectionLost {
  return new ConnectionLost("the stream ended with its instance of the module", { retryable: false, cause });
}
