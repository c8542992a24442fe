// SPDX-License-Identifier: Apache-2.0
/**
 * Writes calls and results of the AI SDK as the provider's own events and messages, which is what the core pairs.
 *
 * Only who runs a tool and which result answers which call matters for pairing, not the tool. The AI SDK may name a
 * tool as it likes, so every call that the provider runs is written as one of MCP, whose results fit any name.
 */

import type { Message, Part } from "./model.js";

type Block = Readonly<Record<string, unknown>>;

const EMPTY = "-"; // stands for content that says nothing about pairs

/** Returns the block of a call. */
export function callBlock(part: Part): Block {
  const { toolCallId: id, toolName: name } = part;
  if (part.providerExecuted !== true) return { type: "tool_use", id, name, input: {} };
  return { type: "mcp_tool_use", id, name, server_name: EMPTY, input: {} };
}

/** Returns the block of a result that the provider made. */
export function resultBlock(part: Part): Block {
  return { type: "mcp_tool_result", tool_use_id: part.toolCallId, is_error: false, content: [] };
}

type Writers = Readonly<Record<string, (part: Part) => Block>>;

const IN_ASSISTANT: Writers = {
  "tool-call": callBlock,
  "tool-result": resultBlock,
};
const IN_TOOL: Writers = {
  "tool-result": ({ toolCallId }) => ({ type: "tool_result", tool_use_id: toolCallId, content: EMPTY }),
};
const WRITERS: Readonly<Record<string, Writers>> = { assistant: IN_ASSISTANT, tool: IN_TOOL };

function written({ role, content }: Message): { role: string; content: Block[] } {
  const writers = WRITERS[role] ?? {};
  const parts = typeof content === "string" ? [] : content;
  const blocks: Block[] = [];
  for (const part of parts) {
    const block = writers[part.type]?.(part);
    if (block) blocks.push(block);
  }
  return {
    role: role === "assistant" ? role : "user",
    content: blocks.length > 0 ? blocks : [{ type: "text", text: EMPTY }],
  };
}

/** Returns the calls and results of a prompt as the wire's messages. */
export function wireHistory(prompt: readonly Message[]): { role: string; content: Block[] }[] {
  return prompt.filter(({ role }) => role !== "system").map(written);
}

/** Returns the event that begins a stream. */
export function startEvent(): Block {
  const message = { id: EMPTY, type: "message", role: "assistant", model: EMPTY, content: [], usage: {} };
  return { type: "message_start", message };
}

/** Returns the events of a block that comes whole. */
export function blockEvents(index: number, block: Block): Block[] {
  return [
    { type: "content_block_start", index, content_block: block },
    { type: "content_block_stop", index },
  ];
}

/** Returns the events that end a stream. `finishReason`: as the AI SDK has it, with the provider's own word or not. */
export function endEvents(finishReason: unknown): Block[] {
  const { raw, unified } = (finishReason ?? {}) as { raw?: unknown; unified?: unknown };
  const word = raw ?? unified ?? finishReason;
  const stop_reason = word === "tool-calls" ? "tool_use" : typeof word === "string" && word !== "" ? word : "end_turn";
  return [{ type: "message_delta", delta: { stop_reason }, usage: {} }, { type: "message_stop" }];
}
