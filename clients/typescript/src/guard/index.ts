// SPDX-License-Identifier: Apache-2.0
/** The guard for programs that take a `fetch`: the SDKs of Anthropic and OpenAI, providers of the AI SDK. */

import { shared } from "./shared.js";
import { Guard } from "./guard.js";
import type { Fetch, GuardOptions } from "./options.js";

export { GuardUnavailable } from "./decisions.js";
export type { Counts, EventOptions, GuardEvent, MissedEvent, RefusedEvent, RepairedEvent } from "./events.js";
export type { SavedMiss, SaveMiss } from "./misses.js";
export type { Logger } from "./notices.js";
export type { Fetch, GuardOptions } from "./options.js";

/**
 * Returns a `fetch` that repairs conversation histories on their way to a provider:
 *
 *     const client = new Anthropic({ fetch: guardFetch() });
 *
 * Requests to the Messages API (POST .../v1/messages) are repaired before they leave; only the bytes of what is edited
 * change, and the body of one that needs no edit is passed on as the object that it was. So are requests to
 * Anthropic's models on Amazon Bedrock (InvokeModel) and Vertex AI (rawPredict), by the rules of that platform and of
 * the model in their path, and OpenAI's (POST .../chat/completions, .../responses), by OpenAI's rules at
 * api.openai.com, by Azure's at its hosts and on its path with a deployment, else by those of servers that copy the
 * API; which of these it is ("server") is known from the host. So are Gemini's (POST .../models/MODEL:generateContent,
 * :streamGenerateContent; Google's API, Vertex AI, and who copies them) and those of Bedrock's Converse (POST
 * .../model/MODEL/converse, /converse-stream). `target` says more than a request shows.
 *
 * A request that no allowed edit makes safe is answered, before it leaves, as the provider would: status 400, its words, the
 * first fault; "turnkeeper" in the body has all of them. A history in another format than the provider's, and a body
 * that isn't JSON, leave as they are: the provider will say so. Requests that count tokens are repaired too, but never
 * refused. Where a header binds the bytes of the body (AWS signatures, digests), a request that needs an edit is
 * refused: repair such histories before they are signed.
 *
 * Of the Messages API, beta values that the request needs are added to its header, after the caller's. Turns with
 * signed thinking are sealed as they come in, and their seals go along with requests that hold them; seals are in
 * memory, at most a thousand of them and a megabyte. A streamed response passes through pairing: no half of a
 * provider-executed call and result arrives; where the provider's stream breaks their order, or off, it ends in an
 * `error` event. Everything else passes untouched: other paths, bodies that are streams or forms, all responses of
 * OpenAI's, Gemini's and Converse's.
 *
 * `onEvent` gets an event for each request that was repaired or refused, and for each that the provider refuses (400, 422)
 * although it was judged sound, with codes and counts, and nothing of what was said. Of the latter the beginning of the
 * provider's response is read, and its words go to `reportMiss`; the caller gets the same response.
 *
 * Throws a TypeError or RangeError, in words, for wrong options. What it returns throws what `fetch` throws, and
 * GuardUnavailable. Reading a paired body may fail with ConnectionLost, if turnkeeper was lost in its middle.
 */
export function guardFetch(options: GuardOptions = {}): Fetch {
  const guard = new Guard(options, shared);
  return (input, init) => guard.exchange({ input, init });
}
