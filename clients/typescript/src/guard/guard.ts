// SPDX-License-Identifier: Apache-2.0
/**
 * The way of one request through a guard.
 *
 *     arguments ──> read ──> prepare ──┬──> edited, or as they were ──> open a stream ──> fetch ──┐
 *                      seals ┘         └──> refused: a response, nothing leaves                   │
 *                        └────── the turn's seal ───────────┐                                     │
 *     response <── as it came, or paired: every chunk through the stream <────────────────────────┘
 *
 * routes.ts says which requests are guarded, decisions.ts what an error of the keeper means. Of providers that the core
 * doesn't prepare, pair and seal for (providers.ts) requests are repaired, and responses are as they came.
 */

import { EncodeError, RemoteError, TurnkeeperError } from "../errors.js";
import { DialectMismatch, InvalidParams, Refused } from "../errors_by_name.js";
import type { Keeper } from "../keeper.js";
import type { Edit } from "../results/findings.js";
import type { PreparedBody, RepairedBody } from "../results/repairs.js";
import type { Stream } from "../stream.js";
import { decode, encode } from "../wire/text.js";
import { Asking } from "./asking.js";
import { packed, plain } from "./codings.js";
import { members } from "./members.js";
import { findsFault, missed } from "./misses.js";
import type { Notices } from "./notices.js";
import { type Fetch, type GuardOptions, OPTIONS } from "./options.js";
import { NotSent, refusal } from "./refusals.js";
import * as requests from "./requests.js";
import type { Arguments, Content, Seen } from "./requests.js";
import { isOf, paired, sealed, withBody } from "./responses.js";
import { type Destination, destination, takes, targetOf } from "./routes.js";
import { maySign, type Seal, Seals } from "./seals.js";

const BETA = "anthropic-beta";
const SSE = "text/event-stream";
const BINARY = "application/vnd.amazon.eventstream";

/** A request that is guarded. */
interface Asked {
  readonly given: Arguments;
  readonly seen: Seen;
  readonly to: Destination;
  readonly coding: string;
}

/** A request that may leave. */
interface Admitted {
  readonly given: Arguments;
  /** The pairing that the response passes through. */
  readonly stream?: Stream;
  /** True if the keeper judged it. */
  readonly judged: boolean;
  /** The body without its coding, if no rule is broken in it any more. */
  readonly sound?: Content;
  /** The edits that it leaves with. */
  readonly edits?: readonly Edit[];
}

type Report = PreparedBody<Content> | RepairedBody<Content>;

/**
 * A body without its coding: what is judged, and the text that is searched. A caller's string is judged as it is, since
 * the keeper writes it to where it is read: bytes of it made here would be a second copy, which takes as long as judging.
 */
interface Opened {
  readonly content: Content;
  readonly text: string;
}

/** `limit`: asked for the bytes that a body may have without its coding. */
async function opened(sent: Content, coding: string, limit: () => Promise<number>): Promise<Opened> {
  const content = coding === "identity" ? sent : await plain(bytesOf(sent), coding, await limit());
  return { content, text: textOf(content) };
}

/** Says whether a request asks for a stream. Most needn't be looked into. No repair changes that. */
function asksForStream({ text }: Opened): boolean {
  return text.includes('"stream"') && members(text).get("stream") === "true";
}

/** Says what leaves. `asCame`: the body, if it leaves as it came, although edits may be needed (a count). */
function leaving({ edits, body }: Report, asCame: Content | undefined): Pick<Admitted, "sound" | "edits"> {
  if (asCame === undefined) return { sound: body, edits };
  return edits.length > 0 ? {} : { sound: asCame };
}

/** Says whether the response may hold a turn that the core can pair and seal. */
function answersTurn(to: Destination): boolean {
  return to.provider.prepares && !to.counts;
}

export class Guard {
  readonly #options: GuardOptions;
  readonly #asking: Asking;
  readonly #notices: Notices;
  readonly #seals: Seals | undefined;
  readonly #unknown = new Set<string>(); // members of a target that was found out and that the keeper doesn't know

  /** `load` gives the keeper if the options name none. Throws a TypeError or RangeError for wrong options. */
  constructor(options: GuardOptions, load: () => Promise<Keeper>) {
    this.#options = options;
    this.#asking = new Asking(options, load, OPTIONS.guard);
    this.#notices = this.#asking.notices;
    this.#seals = options.seals === false ? undefined : new Seals();
  }

  /** Does what `fetch` does with these arguments, guarded. */
  async exchange(given: Arguments): Promise<Response> {
    const seen = requests.seen(given);
    const to = seen && destination(seen);
    if (!seen || !to) return this.#send(given);
    const content = await requests.bodyOf(given);
    if (content === undefined) {
      this.#notices.unreadable();
      return this.#send(given);
    }
    const coding = (seen.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
    const asked = { given, seen, to, coding };
    try {
      return await this.#answered(asked, await this.#admitted(asked, content));
    } catch (error) {
      if (!(error instanceof NotSent)) throw error;
      this.#notices.info(`refused: ${error.cause.message}`);
      this.#asking.events.refused(to.provider, error.codes);
      return refusal(to.provider, error);
    }
  }

  #send({ input, init }: Arguments): Promise<Response> {
    return (this.#options.fetch ?? (globalThis.fetch as Fetch))(input, init);
  }

  // -- Before the request leaves

  async #admitted(asked: Asked, content: Content): Promise<Admitted> {
    const asItIs = { given: asked.given, judged: false };
    let body: Opened;
    let report: Report;
    try {
      body = await opened(content, asked.coding, () => this.#asking.largest());
      if (!takes(asked.to, body.text)) return asItIs;
      report = await this.#judged(await this.#asking.keeper(), asked, body);
    } catch (error) {
      this.#asking.decide(error, asked.to);
      return asItIs;
    }
    this.#notices.up();
    const edited = report.changed ? await this.#edited(asked, report) : asked.given;
    const given = this.#withBetas(asked, edited, report);
    const admitted = { given, judged: true, ...leaving(report, edited === asked.given ? body.content : undefined) };
    if (!answersTurn(asked.to) || !(asked.to.streams || asksForStream(body))) return admitted;
    try {
      return { ...admitted, stream: await this.#opened(report.changed ? report.body : body.content) };
    } catch (error) {
      this.#asking.decide(error, asked.to);
      return { ...admitted, judged: false };
    }
  }

  async #judged(keeper: Keeper, asked: Asked, body: Opened): Promise<Report> {
    const { policy, provenance, target: own } = this.#options;
    const { to } = asked;
    const target = targetOf(to, own, this.#unknown);
    const how = {
      ...this.#asking.caller,
      ...(policy === undefined ? {} : { policy }),
      ...(Object.keys(target).length === 0 ? {} : { target }),
    };
    try {
      if (!to.provider.prepares) return await keeper.repairBody(body.content, { provider: to.provider.name, ...how });
      return await this.#prepared(keeper, asked, body, provenance === undefined ? how : { ...how, provenance });
    } catch (error) {
      const found = target.server !== undefined && own?.server === undefined;
      if (!found || !(error instanceof InvalidParams) || error.pointer !== "/params/target/server") throw error;
      this.#unknown.add("server"); // to a daemon of an older release
      return this.#judged(keeper, asked, body);
    }
  }

  /**
   * Returns the result of prepare. The guard refuses only what breaks a rule of the history, so it asks for repair if
   * another step fails: the provider refuses malformed tools.
   */
  async #prepared(keeper: Keeper, asked: Asked, body: Opened, how: object): Promise<Report> {
    const seals = this.#seals?.of(body.text) ?? [];
    const known = seals.length === 0 ? how : { ...how, seals };
    const betas = asked.seen.headers.get(BETA);
    const tools = { betas: betas === null ? [] : [betas], ...(asked.to.counts ? { call: "count_tokens" } : {}) };
    try {
      return await keeper.prepareBody(body.content, { ...known, tools });
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      if (seals.length > 0 && error.pointer?.startsWith("/params/seals")) {
        this.#seals?.forget(); // of another release of the daemon
        return this.#prepared(keeper, asked, body, how);
      }
      const otherStep = error instanceof Refused || error instanceof InvalidParams;
      if (!otherStep || error instanceof DialectMismatch) throw error;
    }
    return keeper.repairBody(body.content, known);
  }

  async #opened(request: Content): Promise<Stream> {
    const { policy, providerInput } = this.#options;
    return (await this.#asking.keeper()).stream({
      request,
      emit: "sse",
      ...this.#asking.caller,
      ...(policy === undefined ? {} : { policy }),
      ...(providerInput === undefined ? {} : { providerInput }),
    });
  }

  async #edited({ given, seen, to, coding }: Asked, report: Report): Promise<Arguments> {
    const bound = requests.boundBy(seen.headers);
    // Without edits the body lacks beta values only.
    if (bound !== undefined && (to.counts || report.edits.length === 0)) return given;
    if (bound !== undefined) {
      const error = new EncodeError(`the header ${bound} binds the body`);
      throw new NotSent(error, `this history needs a repair, not sent: ${error.message}`, report.edits);
    }
    const codes = new Set(report.edits.map((edit) => edit.code));
    if (codes.size > 0) this.#notices.info(`repaired: ${[...codes].sort().join(", ")}`);
    const body = coding === "identity" ? report.body : await packed(bytesOf(report.body), coding);
    return requests.withBody(given, seen, body);
  }

  /** Returns the arguments with the values that they lack after the caller's own, which stay unchanged. */
  #withBetas({ seen }: Asked, given: Arguments, report: Report): Arguments {
    if (!("addedBetas" in report) || !(BETA in report.headers) || report.addedBetas.length === 0) return given;
    if (requests.isSigned(seen.headers)) return given;
    this.#notices.info(`added to ${BETA}: ${report.addedBetas.join(", ")}`);
    const own = seen.headers.get(BETA);
    const values = own === null ? report.addedBetas : [own, ...report.addedBetas];
    return requests.withHeader(given, BETA, values.join(","));
  }

  // -- When the response comes

  /** Sends a request, and tells of it: of edits before, of a refusal of a sound request before the response is returned. */
  async #sent({ provider }: Destination, { given, sound, edits }: Admitted): Promise<Response> {
    const { events, notices, caller } = this.#asking;
    if (edits) events.repaired(provider, edits);
    const response = await this.#send(given);
    if (sound === undefined || !findsFault(response)) return response;
    const keeper = () => this.#asking.keeper();
    const means = { keeper, events, notices, caller, save: this.#options.saveMiss };
    return missed(response, provider, textOf(sound), means);
  }

  async #answered({ to }: Asked, admitted: Admitted): Promise<Response> {
    const { stream, judged } = admitted;
    if (!stream) {
      const response = await this.#sent(to, admitted);
      this.#tellIfBinary(response);
      return judged ? this.#sealing(to, response) : response;
    }
    let response: Response;
    try {
      response = await this.#sent(to, admitted);
    } catch (error) {
      stream.close();
      throw error;
    }
    if (isOf(response, SSE) && response.body) {
      const body = paired(response.body, stream, ({ seal, message }) => {
        this.#seals?.keep(seal, JSON.stringify(message));
      });
      return withBody(response, body, ["content-length", "content-encoding"]);
    }
    stream.close();
    this.#tellIfBinary(response);
    return response;
  }

  #tellIfBinary(response: Response): void {
    if (isOf(response, BINARY)) this.#notices.binary();
  }

  /** Returns the response with what it had; the turn in it is sealed once it has been read. */
  #sealing(to: Destination, response: Response): Response {
    const wanted = this.#seals !== undefined && answersTurn(to) && isOf(response, "application/json");
    if (!wanted || !response.body) return response;
    return withBody(response, sealed(response.body, (text) => this.#seal(text)));
  }

  /** Keeps the seal of the turn in a whole response. Without one nothing fails. */
  async #seal(text: string): Promise<void> {
    const content = maySign(text) ? members(text).get("content") : undefined;
    if (content === undefined) return;
    try {
      const seal: Seal = await (await this.#asking.keeper()).seal(encode(content), this.#asking.caller);
      this.#seals?.keep(seal, content);
    } catch (error) {
      if (!(error instanceof TurnkeeperError)) throw error;
      this.#notices.warn(`a turn without a seal: ${error.message}`);
    }
  }
}

function bytesOf(content: Content): Uint8Array {
  return typeof content === "string" ? encode(content) : content;
}

function textOf(content: Content): string {
  return typeof content === "string" ? content : decode(content);
}
