// SPDX-License-Identifier: Apache-2.0
/** Compiled, never run: what the package gives fits the types of the SDKs. */

import { anthropic, createAnthropic } from "@ai-sdk/anthropic";
import Anthropic from "@anthropic-ai/sdk";
import { convertToModelMessages, type UIMessage, wrapLanguageModel } from "ai";
import OpenAI from "openai";
import { type Fetch, guardFetch, type GuardOptions, type Keeper, type PolicyKeys, Turnkeeper } from "turnkeeper";
import { mendUIMessages, turnkeeperMiddleware } from "turnkeeper/ai";
import { missFolder } from "turnkeeper/misses";

const daemon = await Turnkeeper.connect();
const options: GuardOptions = {
  keeper: daemon, onUnavailable: "closed", policy: "preserve", logger: console, saveMiss: missFolder("/tmp"),
  onEvent: (event) => console.log(event.kind === "missed" ? event.code : event.codes),
};
const fetch: Fetch = guardFetch(options);

export const clients = [new Anthropic({ fetch }), new OpenAI({ fetch }), createAnthropic({ fetch })];
export const model = wrapLanguageModel({
  model: anthropic("claude-sonnet-5-5"),
  middleware: turnkeeperMiddleware({ keeper: await Turnkeeper.load(), saveMiss: missFolder("/tmp") }),
});

export function converted(stored: UIMessage[]) {
  return convertToModelMessages(mendUIMessages(stored));
}

const keeper = await Turnkeeper.load();
const policy: PolicyKeys = { base: "preserve", prefill: "report", extra_members: "drop", mark_text: true };
guardFetch({ keeper, policy });
guardFetch({ policy: "preserve", target: { endpoint: "compatible", server: "vllm" } });
keeper.repair([], { policy });
// @ts-expect-error: a mode that doesn't exist
guardFetch({ onUnavailable: "maybe" });
// @ts-expect-error: with a socket `onUnavailable` has to be chosen
guardFetch({ keeper: daemon });
// @ts-expect-error: nor for the middleware is there a default
turnkeeperMiddleware({ keeper: daemon });
// @ts-expect-error: a keeper that may be either
guardFetch({ keeper: daemon as Keeper });
// @ts-expect-error: a misspelt name of a policy
guardFetch({ policy: "perserve" });
// @ts-expect-error: a misspelt key
guardFetch({ policy: { thinkin: "drop" } });
// @ts-expect-error: a misspelt value
keeper.repair([], { policy: { thinking: "dorp" } });
// @ts-expect-error: a misspelt option
guardFetch({ onUnavialable: "open" });
// @ts-expect-error: a misspelt member
guardFetch({ target: { endpiont: "azure" } });
