// SPDX-License-Identifier: Apache-2.0
/**
 * The providers that clients know by name: what differs between them as far as a client has to know.
 *
 * A provider that isn't in the table is one of a newer core: its name and its rules are the core's, and its list is
 * taken to be "messages".
 */

import { PROVIDERS } from "./tables.js";

export interface Provider {
  /** The value of the parameter `provider`. */
  readonly name: string;
  /** The member of a whole body that holds the history (PROVIDERS.md 1.1). */
  readonly list: string;
  /** True if the core serves `prepare`, `seal` and streams for it; else it serves `repair` alone. */
  readonly prepares: boolean;
  /** True if a target may name a server that copies the API. */
  readonly servers: boolean;
  /** Whose form the refusals have. */
  readonly refusal: "anthropic" | "openai" | "google" | "aws";
}

const BY_NAME: ReadonlyMap<unknown, Provider> = new Map(PROVIDERS.map((provider) => [provider.name, provider]));

export const ANTHROPIC = BY_NAME.get("anthropic") as Provider;

/** Returns the provider of that name; undefined: it isn't in the table. */
export function providerOf(name: unknown): Provider | undefined {
  return BY_NAME.get(name);
}

/**
 * Returns the member that holds the history in bodies of a provider; undefined: of the default one. Patches for a list
 * alone apply to a body with this one member.
 */
export function listOf(provider: unknown): string {
  return (BY_NAME.get(provider) ?? ANTHROPIC).list;
}
