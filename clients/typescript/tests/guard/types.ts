// SPDX-License-Identifier: Apache-2.0
/** Compiled, never run: what the package gives fits the types of the SDKs. */

import { anthropic, createAnthropic } from "@ai-sdk/anthropic";
import Anthropic from "@anthropic-ai/sdk";
import { convertToModelMessages, type UIMessage, wrapLanguageModel } from "ai";
import OpenAI from "openai";
import { type Fetch, guardFetch, type GuardOptions, Turnkeeper } from "turnkeeper";
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

// @ts-expect-error: a mode that doesn't exist
guardFetch({ onUnavailable: "maybe" });
