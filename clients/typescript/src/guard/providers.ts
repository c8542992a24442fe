// SPDX-License-Identifier: Apache-2.0
/** The providers whose requests a guard knows: what differs between them as far as a client has to know. */

export interface Provider {
  /** The value of the parameter `provider`. */
  readonly name: string;
  /** True if the core serves `prepare`, `seal` and streams for it; else it serves `repair` alone. */
  readonly prepares: boolean;
  /** True if refusals have OpenAI's form; else they have Anthropic's. */
  readonly openai: boolean;
}

export const ANTHROPIC: Provider = { name: "anthropic", prepares: true, openai: false };
export const OPENAI_CHAT: Provider = { name: "openai-chat", prepares: false, openai: true };
export const OPENAI_RESPONSES: Provider = { name: "openai-responses", prepares: false, openai: true };
