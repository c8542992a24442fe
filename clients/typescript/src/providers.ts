// SPDX-License-Identifier: Apache-2.0

/**
 * The member of a whole body that holds the history, by provider (PROVIDERS.md 1.1). A provider that isn't in the
 * table has "messages".
 */
const LISTS: Readonly<Record<string, string>> = { "openai-responses": "input", gemini: "contents" };

/** Returns that member; undefined: of the default provider. Patches for a list alone apply to a body with it. */
export function listOf(provider: unknown): string {
  return (typeof provider === "string" ? LISTS[provider] : undefined) ?? "messages";
}
