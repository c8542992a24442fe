// SPDX-License-Identifier: Apache-2.0
/** Repairs the prompt of one call of a language model. */

import type { Keeper } from "../keeper.js";
import type { RepairOptions } from "../params.js";
import type { Edit } from "../results/findings.js";
import type { Message, Part } from "./model.js";

const PLACEHOLDER = "AA=="; // base64 of one byte: no rule of this dialect reads what a file holds

const MAY_HOLD_FILES = new Set(["file", "image", "tool-result"]);

/** Returns a value with a placeholder for each of its byte arrays; the value itself if it has none. */
function withoutBytes(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return PLACEHOLDER;
  if (value instanceof URL) return value.href;
  let changed = false;
  const changing = (item: unknown): unknown => {
    const made = withoutBytes(item);
    changed ||= made !== item;
    return made;
  };
  const made = Array.isArray(value)
    ? value.map(changing)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, changing(item)]));
  return changed ? made : value;
}

/** Exchanges parts that have no form in JSON (files in bytes) for others, and back. */
class Files {
  readonly #given = new Map<unknown, unknown>();

  without(message: Message): Message {
    if (typeof message.content === "string") return message;
    const content = message.content.map((part) => this.#part(part));
    const same = content.every((part, index) => part === message.content[index]);
    return same ? message : this.#exchanged(message, { ...message, content });
  }

  /** A message that was edited is another object; its unedited parts are still those that were made here. */
  back(message: Message): Message {
    const given = this.#given.get(message) as Message | undefined;
    if (given) return given;
    const { content } = message;
    if (typeof content === "string" || !content.some((part) => this.#given.has(part))) return message;
    return { ...message, content: content.map((part) => (this.#given.get(part) as Part | undefined) ?? part) };
  }

  #part(part: Part): Part {
    const made = MAY_HOLD_FILES.has(part.type) ? (withoutBytes(part) as Part) : part;
    return made === part ? part : this.#exchanged(part, made);
  }

  #exchanged<T>(given: T, made: T): T {
    this.#given.set(made, given);
    return made;
  }
}

/** A repaired prompt, and what was edited in it. */
export interface RepairedPrompt {
  readonly messages: Message[];
  readonly edits: readonly Edit[];
}

/** Returns a repaired copy; messages that needed no edit are the same objects. Throws as `repair` does. */
export async function repairedPrompt(
  keeper: Keeper,
  prompt: readonly Message[],
  options: RepairOptions,
): Promise<RepairedPrompt> {
  const files = new Files();
  const sent = prompt.map((message) => files.without(message));
  const { messages, edits } = await keeper.repair(sent, { ...options, dialect: "ai-sdk" });
  return { messages: messages.map((message) => files.back(message)), edits };
}
