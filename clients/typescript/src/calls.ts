// SPDX-License-Identifier: Apache-2.0

/** The requests of each method and the reading of its result, for both back ends. keeper.ts documents the methods. */

import { type Call, named } from "./call.js";
import { PairingFailed, UnsupportedProtocol } from "./errors.js";
import * as params from "./params.js";
import { applyPatch } from "./patch.js";
import { listOf } from "./providers.js";
import { type Detected, readDetected } from "./results/detected.js";
import { type Explanation, type Miss, readExplanation, readMiss } from "./results/explanations.js";
import { readReport, type Report } from "./results/findings.js";
import { type Fitted, type FittedBody, readFit } from "./results/fits.js";
import {
  type Health, type Info, type PairedTurn, type Pong, readHealth, readInfo, readPairedTurn, readPong, readStats,
  type Stats,
} from "./results/others.js";
import { type Json, Malformed, object } from "./results/reading.js";
import {
  type MergedTools, type Prepared, type PreparedBody, readMerging, readPreparation, readRepair, readSplicing,
  type Repair, type Repaired, type RepairedBody, type RepairedTurn, type Spliced,
} from "./results/repairs.js";
import { PROTOCOL } from "./version.js";
import { applySplices } from "./wire/splices.js";
import { decode } from "./wire/text.js";

/** Messages, or a whole request body. */
export type Document = readonly object[] | object;

/** The body that patches apply to, and the parameter that sends it. */
interface Opened {
  readonly body: object;
  readonly sent: Json;
  readonly whole: boolean;
}

export function call(method: string, given: Json, options: params.CallOptions): Call<unknown> {
  return named({ method, params: given, ...about(options), read: (result) => result }, options.caller);
}

export function validate(document: Document, options: params.ValidateOptions): Call<Report> {
  return of("validate", options, opened(document).sent, readReport);
}

export function repair(document: Document, options: params.RepairOptions): Call<Repaired<unknown, unknown>> {
  const key = listOf(options.provider);
  const { body, sent, whole } = opened(document, key);
  return of("repair", options, sent, (result) => {
    const { after, messages } = withMessages(body, key, result);
    return { ...readRepair(result), messages, request: whole ? after : null };
  });
}

export function repairBody<T extends string | Uint8Array>(
  body: T,
  options: params.RepairOptions,
): Call<RepairedBody<T>> {
  return {
    ...of("repair", options, { return: "splices" }, (result) => {
      return { ...readRepair(result), body: applySplices(body, splicesOf(result)) };
    }),
    text: documentText(body),
  };
}

export function fit(document: Document, over: number, options: params.FitOptions): Call<Fitted<unknown, unknown>> {
  const key = listOf(options.provider);
  const { body, sent, whole } = opened(document, key);
  return of("fit", options, { ...sent, over }, (result) => {
    const { after, messages } = withMessages(body, key, result);
    return { ...readFit(result), messages, request: whole ? after : null };
  });
}

export function fitBody<T extends string | Uint8Array>(
  body: T,
  over: number,
  options: params.FitOptions,
): Call<FittedBody<T>> {
  return {
    ...of("fit", options, { over, return: "splices" }, (result) => {
      return { ...readFit(result), body: applySplices(body, splicesOf(result)) };
    }),
    text: documentText(body),
  };
}

/** The answer is of the kind of the document, and nothing of it but the strings differs. */
export function redact(document: Document, options: params.RedactOptions): Call<unknown> {
  const { sent, whole } = opened(document);
  return of("redact", options, sent, (result) => {
    const found = object(result, "result")[whole ? "request" : "messages"];
    if (typeof found !== "object" || found === null) throw new Malformed("no document");
    return found;
  });
}

/** `validate` of JSON text, for the command: what a document's own text has wrong is found, too. */
export function validateText(body: string | Uint8Array, options: params.ValidateOptions): Call<Report> {
  return { ...of("validate", options, {}, readReport), text: documentText(body) };
}

export function repairTurn(content: readonly object[], options: params.TurnOptions): Call<RepairedTurn> {
  const body = { content: listed(content, "content") };
  return of("repair_turn", options, body, (result) => {
    const after = patched(body, result);
    return { ...readRepair(result), content: own(after, "content", after["content"], body) };
  });
}

export function seal(turn: unknown, options: params.SealOptions): Call<Readonly<Json>> {
  const text = turn instanceof Uint8Array ? turn : null;
  const name = Array.isArray(turn) || typeof turn === "string" ? "content" : "message";
  const made = of("seal", options, text === null ? { [name]: turn } : {}, (result) => {
    return object(object(result, "seal")["seal"], "seal");
  });
  return text === null ? made : { ...made, text: { name: "content", text } };
}

export function splice(
  document: Document,
  assistant: object,
  options: params.SpliceOptions,
): Call<Spliced<unknown, unknown>> {
  const key = listOf(options.provider);
  const { body, sent, whole } = opened(document, key);
  return of("splice", options, { ...sent, assistant }, (result) => {
    const { after, messages } = withMessages(body, key, result);
    return { ...readSplicing(result), messages, request: whole ? after : null };
  });
}

export function tools(document: Document | null, options: params.ToolsOptions): Call<MergedTools<unknown, unknown>> {
  const whole = document !== null && !Array.isArray(document);
  const body = whole ? document : { tools: document };
  return of("tools", options, whole ? { request: document } : { tools: document }, (result) => {
    const read = readMerging(result);
    const after = patched(body, result);
    const list = after["tools"] ?? null;
    if (list !== null && !Array.isArray(list)) throw new Malformed("a patch that leaves no tools");
    const merged = list === null ? [] : own(after, "tools", list, body);
    return { ...read, tools: merged, request: whole ? after : null };
  });
}

export function prepare(request: object, options: params.PrepareOptions): Call<Prepared<unknown>> {
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    throw new TypeError("request: a whole request body, as an object");
  }
  const key = listOf(options.provider);
  return of("prepare", options, { request }, (result) => {
    const { after, messages } = withMessages(request, key, result);
    return { ...readPreparation(result), messages, request: after };
  });
}

export function prepareBody<T extends string | Uint8Array>(
  body: T,
  options: params.PrepareOptions,
): Call<PreparedBody<T>> {
  return {
    ...of("prepare", options, { return: "splices" }, (result) => {
      return { ...readPreparation(result), body: applySplices(body, splicesOf(result)) };
    }),
    text: { name: "request", text: checkedText(body) },
  };
}

export function pair(response: object, options: params.PairOptions): Call<PairedTurn> {
  return withHistory(of("pair", options, { response }, readPaired));
}

export function detect(document: Document, options: params.TimedOptions): Call<Detected> {
  return of("detect", options, opened(document).sent, readDetected);
}

/** `detect` of JSON text, for the command. */
export function detectText(body: string | Uint8Array, options: params.TimedOptions): Call<Detected> {
  return { ...of("detect", options, {}, readDetected), text: documentText(body) };
}

/** `repair` of JSON text without the repaired history, for the command: what was edited and what remains. */
export function repairReport(body: string | Uint8Array, options: params.RepairOptions): Call<Repair> {
  return { ...of("repair", options, { return: "report" }, readRepair), text: documentText(body) };
}

export function explain(text: string, options: params.ExplainOptions): Call<Explanation> {
  return of("explain", options, { text }, readExplanation);
}

export function reportMiss(status: number, text: string, provider: string, options: params.TimedOptions): Call<Miss> {
  return of("report_miss", options, { status, text, provider }, (result) => {
    if (object(result, "miss")["code"] === undefined) throw new Malformed("no code");
    return readMiss(result);
  });
}

export function ping(echo: unknown, options: params.CallOptions): Call<Pong> {
  return of("ping", options, echo === undefined ? {} : { echo }, readPong);
}

export function health(options: params.CallOptions): Call<Health> {
  return of("health", options, {}, readHealth);
}

export function stats(options: params.CallOptions): Call<Stats> {
  return of("stats", options, {}, readStats);
}

export function info(options: params.CallOptions): Call<Info> {
  return of("info", options, {}, readInfo);
}

export function checkProtocol(options: params.CallOptions): Call<Info> {
  return of("info", options, {}, (result) => {
    const protocol = object(result, "info")["protocol"];
    if (protocol === undefined) throw new Malformed("no version of the protocol");
    if (protocol !== PROTOCOL) {
      const said = `the daemon speaks protocol ${String(protocol)}, this client ${PROTOCOL}`;
      throw new UnsupportedProtocol(said, { data: { protocol } });
    }
    return readInfo(result);
  });
}

/** Reads the answer of `stream.end` and `pair`; throws the stream's error. */
export function readPaired(result: unknown): PairedTurn {
  const raw = object(result, "turn");
  if (raw["state"] === "failed") throw PairingFailed.read(raw);
  return readPairedTurn(raw);
}

/** The parameter `history` or `request` may be JSON text, which is then sent as it is; only a body as a string, too. */
export function withHistory<T>(made: Call<T>): Call<T> {
  for (const name of ["history", "request"]) {
    const { [name]: text, ...rest } = made.params;
    const isText = text instanceof Uint8Array || (typeof text === "string" && name === "request");
    if (isText) return { ...made, params: rest, text: { name, text } };
  }
  return made;
}

// -- What they are made of

function of<T>(method: string, options: params.CallOptions, sent: Json, read: (result: unknown) => T): Call<T> {
  return { method, params: { ...params.asParams(options), ...sent }, ...about(options), read };
}

function about(options: params.CallOptions): { signal?: AbortSignal; timeout?: number } {
  const { signal, timeout } = options;
  return { ...(signal === undefined ? {} : { signal }), ...(timeout === undefined ? {} : { timeout }) };
}

/** `key`: the member of a body that holds the list. */
function opened(document: Document, key = "messages"): Opened {
  if (Array.isArray(document)) return { body: { [key]: document }, sent: { messages: document }, whole: false };
  if (typeof document === "object" && document !== null) {
    return { body: document, sent: { request: document }, whole: true };
  }
  throw new TypeError("document: a list of messages, or a whole request body");
}

function listed(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`${what}: a list`);
  return value;
}

function checkedText<T extends string | Uint8Array>(body: T): T {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  throw new TypeError("the body: JSON text, as a string or as bytes of UTF-8");
}

/** A body or a list of messages in JSON text: the first character says which. */
function documentText(body: string | Uint8Array): { name: string; text: string | Uint8Array } {
  const text = checkedText(body);
  const head = typeof text === "string" ? text.slice(0, 1000) : decode(text.subarray(0, 1000));
  return { name: /^[ \t\n\r]*\[/.test(head) ? "messages" : "request", text };
}

/** Returns a new body with the patch of a result applied, also where nothing was edited. */
function patched(body: object, result: unknown): Json {
  const raw = object(result, "result");
  const patch = raw["patch"] ?? (raw["changed"] === true ? undefined : []);
  if (!Array.isArray(patch)) throw new Malformed("no patch");
  const after = applyPatch(body, patch as readonly Json[]);
  return after === body ? { ...(body as Json) } : object(after, "a patched body");
}

/**
 * Returns a body after the patch of a result, and its messages: none where they are a text, or absent, before and
 * after.
 */
function withMessages(body: object, key: string, result: unknown): { after: Json; messages: unknown[] } {
  const after = patched(body, result);
  const list = after[key];
  const none = !Array.isArray(list) && !Array.isArray((body as Json)[key]);
  return { after, messages: none ? [] : own(after, key, list, body) };
}

/** Returns the list of a patched body; makes it a new one in that body if it is still that of the argument. */
function own(after: Json, key: string, list: unknown, before: object): unknown[] {
  if (!Array.isArray(list)) throw new Malformed(`a patch that leaves no ${key}`);
  if (list !== (before as Json)[key]) return list;
  return (after[key] = list.slice());
}

function splicesOf(result: unknown): unknown {
  const raw = object(result, "result");
  if (raw["changed"] === true && raw["splices"] === undefined) throw new Malformed("no splices");
  return raw["splices"];
}
