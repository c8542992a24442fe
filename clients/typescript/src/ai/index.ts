// SPDX-License-Identifier: Apache-2.0
/** For programs of Vercel's AI SDK (`ai` 6 and later): a middleware for models, and a repair of stored messages. */

import { Asking } from "../guard/asking.js";
import { type AskingOptions, OPTIONS } from "../guard/options.js";
import { ANTHROPIC } from "../providers.js";
import { NotSent } from "../guard/refusals.js";
import type { Destination } from "../guard/routes.js";
import { shared } from "../guard/shared.js";
import type { Target } from "../params.js";
import { pulled } from "../pulled.js";
import type { Stream } from "../stream.js";
import { SoundPrompts } from "./misses.js";
import type { Message, Model, StreamPart } from "./model.js";
import { PairedParts } from "./parts.js";
import { repairedPrompt } from "./prompts.js";
import { wireHistory } from "./wire.js";

export { GuardUnavailable } from "../guard/decisions.js";
export type { Model } from "./model.js";
export { type MendOptions, mendUIMessages, type UIMessageLike, type UIPart } from "./ui_messages.js";
export type MiddlewareOptions = AskingOptions;

/** A `LanguageModelMiddleware` of the AI SDK. */
export interface Middleware {
  readonly specificationVersion: "v3";
  transformParams<P extends { prompt: readonly unknown[] }>(options: { params: P; model: Model }): Promise<P>;
  wrapGenerate<R>(options: {
    doGenerate: () => PromiseLike<R>;
    params: { prompt: readonly unknown[] };
    model: Model;
  }): Promise<R>;
  wrapStream<R extends { stream: ReadableStream<unknown> }>(options: {
    doStream: () => PromiseLike<R>;
    params: { prompt: readonly unknown[] };
    model: Model;
  }): Promise<R>;
}

const PLATFORMS: readonly (readonly [RegExp, string])[] = [
  [/bedrock/i, "bedrock"],
  [/vertex/i, "vertex"],
];
const TO: Destination = { provider: ANTHROPIC, target: {}, counts: false, versioned: false, streams: false };

/** Returns what provider and name of a model show of where its requests go; undefined: it isn't one of Anthropic's. */
function targetOf({ provider, modelId }: Model): Target | undefined {
  if (!/anthropic|claude/i.test(`${provider} ${modelId}`)) return undefined;
  const platform = PLATFORMS.find(([pattern]) => pattern.test(provider));
  return { ...(platform ? { endpoint: platform[1] } : {}), model: modelId };
}

/**
 * Returns a middleware for `wrapLanguageModel`, for Anthropic's models by the packages for its API, Bedrock and Vertex:
 *
 *     const model = wrapLanguageModel({ model: anthropic("claude-sonnet-5-5"), middleware: turnkeeperMiddleware() });
 *
 * Prompts are repaired before each call. What no allowed edit makes safe throws UnsafeHistory; nothing is sent then. A
 * prompt that shows another provider's format is passed on. Of a stream, parts of a call that the provider runs leave
 * together with its result; where the provider's stream breaks that, a part of type `error` with PairingFailed comes
 * and then a `finish` with the reason `error`. Everything else is passed on as it is. So are other providers' models,
 * unless `target` is given, with one warning for each provider: `guardFetch` as their `fetch` repairs OpenAI's requests.
 *
 * `onEvent` gets an event for each prompt that was repaired or refused, and for each call that the provider refuses although
 * its prompt was judged sound: that is reported, and saved by `saveMiss`, before the AI SDK's error is thrown.
 *
 * Throws a TypeError or RangeError, in words, for wrong options.
 */
export function turnkeeperMiddleware(options: MiddlewareOptions = {}): Middleware {
  const asking = new Asking(options, shared, OPTIONS.middleware);
  const { policy, target, saveMiss: save } = options;
  const { caller, events, notices } = asking;
  const sound = new SoundPrompts({ keeper: () => asking.keeper(), events, notices, caller, save });
  const how = { ...asking.caller, ...(policy === undefined ? {} : { policy }) };
  const aim = (model: Model): Target | undefined => {
    const found = targetOf(model);
    return found || target ? { ...found, ...target } : undefined;
  };
  return {
    specificationVersion: "v3",
    async transformParams({ params, model }) {
      const where = aim(model);
      if (!where) {
        notices.unknownModel(model.provider);
        return params;
      }
      try {
        const prompt = params.prompt as readonly Message[];
        const repaired = await repairedPrompt(await asking.keeper(), prompt, { ...how, target: where });
        asking.notices.up();
        sound.add(repaired.edits.length === 0 ? params.prompt : repaired.messages);
        if (repaired.edits.length === 0) return params;
        const codes = new Set(repaired.edits.map((edit) => edit.code));
        asking.notices.info(`repaired: ${[...codes].sort().join(", ")}`);
        asking.events.repaired(ANTHROPIC, repaired.edits);
        return { ...params, prompt: repaired.messages };
      } catch (error) {
        settle(asking, error);
        return params;
      }
    },
    wrapGenerate: ({ doGenerate, params }) => sound.call(params.prompt, doGenerate),
    async wrapStream({ doStream, params, model }) {
      if (!aim(model)) return doStream();
      const sent = () => sound.call(params.prompt, doStream);
      let stream: Stream | undefined;
      try {
        const history = wireHistory(params.prompt as readonly Message[]);
        // Opened before the request leaves: what can't be paired must not be paid for.
        stream = await (await asking.keeper()).stream({ history, ...how });
      } catch (error) {
        settle(asking, error);
      }
      if (!stream) return sent();
      try {
        const result = await sent();
        return { ...result, stream: pulled(result.stream as ReadableStream<StreamPart>, new PairedParts(stream)) };
      } catch (error) {
        stream.close();
        throw error;
      }
    },
  };
}

/** Returns where a call may go on without turnkeeper; else throws what its caller is told. */
function settle(asking: Asking, error: unknown): void {
  try {
    asking.decide(error, TO);
  } catch (why) {
    if (!(why instanceof NotSent)) throw why;
    asking.events.refused(ANTHROPIC, why.codes);
    throw why.cause;
  }
}
