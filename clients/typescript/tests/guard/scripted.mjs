// SPDX-License-Identifier: Apache-2.0
/**
 * Shared by the guard's tests: a keeper that is played by a script, and a `fetch` that keeps what arrives.
 *
 * The keeper is one of the package's own: only what would answer its calls is played, at once as in process or later
 * as over the socket.
 */

import { Keeper } from "../../dist/esm/keeper.js";
import { remoteError } from "../../dist/esm/errors_read.js";
import { ConnectionLost, guardFetch } from "../../dist/esm/index.js";
import { Pairing, Stream } from "../../dist/esm/stream.js";

export const URL_MESSAGES = "http://provider.test/v1/messages";
export const BODY = '{"model": "m", "messages": [ {"role":"user","content":"q"},{"n": 1.0} ] }';
export const LEFT = '{"model": "m", "messages": [ {"role":"user","content":"q"}] }';
export const JSON_TYPE = { "content-type": "application/json" };

/** The result of `repair` and `prepare` where nothing is to be done. */
export const OK = {
  changed: false, safe: true, edits: [], stats: {}, violations: [], counts: {}, truncated: 0, patch: [],
};

/** The result that takes `text` out of `body`. Offsets count bytes; the bodies of these tests are ASCII. */
export function without(text, body = BODY, pointer = "/messages/1") {
  const at = body.indexOf(text);
  const edits = [{ code: "c", action: "drop", pointer, id: null, tool: null }];
  return { ...OK, changed: true, edits, splices: [[at, text.length, ""]] };
}

export const EDITED = without(',{"n": 1.0} ');

export const SEAL = {
  v: 1,
  alg: "sha256",
  turn: "ab",
  blocks: [{ type: "thinking", opaque: "cd" }, { type: "tool_use", id: "toolu_1" }],
};

/** An answer that is an error. */
export class Fault {
  constructor(code, name, data = {}) {
    this.error = { code, message: name, data: { retryable: false, ...data, name } };
  }
}

export const UNSAFE = {
  violations: [
    { code: "c", severity: "error", pointer: "/messages/1", message_index: 1, part_index: null,
      provider_error: "messages.1: no", text: "t" },
  ],
};

/** Plays every method; `seen` has the calls: their names, and their parameters with texts as values. */
export class Scripted extends Keeper {
  seen = [];
  closed = 0;
  path = null;

  /**
   * `answers`: by method a result, a Fault, or a function of the parameters that gives one.
   * `later`: answers are promises. `stream`: how streams go, see Playing.
   */
  constructor(answers = {}, { later = false, stream = {}, path = null } = {}) {
    super();
    this.answers = { prepare: OK, repair: OK, seal: { seal: SEAL }, info: INFO, ...answers };
    this.later = later;
    this.playing = stream;
    this.path = path;
  }

  run(make) {
    if (!this.later) return this.perform(make());
    return Promise.resolve().then(() => this.perform(make()));
  }

  stream(options) {
    const lane = new Lane(this);
    const pairing = new Pairing();
    const opened = lane.run(() => pairing.open(options));
    return this.later ? opened.then(() => new Stream(lane, pairing)) : new Stream(lane, pairing);
  }

  close() {}

  perform({ method, params, text, read }) {
    const given = { ...params };
    if (text) given[text.name] = JSON.parse(typeof text.text === "string" ? text.text : new TextDecoder().decode(text.text));
    if (method !== "info") this.seen.push([method, given]);
    let answer = this.answers[method] ?? this.playing[method];
    if (typeof answer === "function") answer = answer(given);
    if (answer instanceof Fault) throw remoteError(answer.error);
    if (answer instanceof Error) throw answer;
    return read(answer ?? streamAnswer(method, given, this.playing));
  }

  /** The names of the methods that were called. */
  get methods() {
    return this.seen.map(([method]) => method);
  }
}

export const INFO = {
  protocol: 1, version: "0", methods: [], providers: [], dialects: [], policies: {}, limits: {}, catalogue: [],
};
const FINISH = { reason: "stop", stop_reason: "end_turn", usage: {}, pending_operations: [] };

/** `state` after each chunk, `end`: the outputs of the end, `message`: of the turn. Chunks come out as they went in. */
function streamAnswer(method, params, { state = "open", end = [], message = { role: "assistant", content: [] } }) {
  if (method === "stream.open") return { state: "open", outputs: [], carried: [] };
  const text = params.data ?? (params.data_base64 ? Buffer.from(params.data_base64, "base64").toString() : "");
  if (method === "stream.feed") return { state, outputs: text === "" ? [] : [{ type: "sse", data: text }] };
  if (state === "failed" || state === "open") {
    return { state: "failed", error: { kinds: ["truncated_stream"], retryable: true }, warnings: {}, outputs: end };
  }
  return { state, finish: FINISH, message, seal: SEAL, warnings: {}, outputs: end };
}

class Lane {
  lost = false;

  constructor(keeper) {
    this.keeper = keeper;
  }

  run(make) {
    if (this.lost) throw new ConnectionLost("closed");
    return this.keeper.run(make);
  }

  give(value) {
    return this.keeper.later ? Promise.resolve(value) : value;
  }

  close() {
    this.keeper.closed += 1;
    this.lost = true;
  }
}

/** A `fetch` that keeps what arrives and answers what it is told. */
export class Sent {
  seen = [];

  constructor(answer = () => Response.json({ ok: true })) {
    this.fetch = async (input, init) => {
      const request = new Request(input, init?.body ? { duplex: "half", ...init } : init);
      const bytes = new Uint8Array(await request.arrayBuffer());
      this.seen.push({ input, init, headers: request.headers, method: request.method, bytes });
      return answer(request);
    };
  }

  get bodies() {
    return this.seen.map(({ bytes }) => new TextDecoder().decode(bytes));
  }
}

/** Keeps a guard's log. */
export class Log {
  warnings = [];
  infos = [];

  warn(message) {
    this.warnings.push(message);
  }

  info(message) {
    this.infos.push(message);
  }
}

/** Makes guards with a keeper that answers at once and with one that answers later; gives each to the test. */
export async function each(test, body) {
  for (const later of [false, true]) {
    await test.test(later ? "later" : "at once", (inner) => body(new Side(later), inner));
  }
}

export class Side {
  constructor(later) {
    this.later = later;
  }

  keeper(answers, stream, path) {
    return new Scripted(answers, { later: this.later, stream, path });
  }

  /** A guard in front of `sent`; `options` may have the keeper's `answers` and `stream`, too. */
  guard({ answers, stream, keeper = this.keeper(answers, stream), sent = new Sent(), ...options } = {}) {
    const log = new Log();
    const fetch = guardFetch({ keeper, logger: log, fetch: sent.fetch, ...options });
    return { fetch, keeper, sent, log };
  }

  /** Posts one body, BODY if none is given, and reads the response to its end. */
  async post({ url = URL_MESSAGES, body = BODY, headers = JSON_TYPE, answer, ...options } = {}) {
    const made = this.guard({ sent: new Sent(answer), ...options });
    const response = await made.fetch(url, { method: "POST", headers, body });
    return { ...made, response, text: await response.text() };
  }
}

/** A body that comes in these chunks; an Error among them breaks it. `reads` counts how often more was asked for. */
export function chunks(...given) {
  const source = { reads: 0, cancelled: 0 };
  const left = [...given];
  source.stream = new ReadableStream(
    {
      pull(controller) {
        source.reads += 1;
        if (left.length === 0) return controller.close();
        const chunk = left.shift();
        if (chunk instanceof Error) throw chunk;
        controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      },
      cancel() {
        source.cancelled += 1;
      },
    },
    { highWaterMark: 0 },
  );
  return source;
}
