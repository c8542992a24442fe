// SPDX-License-Identifier: Apache-2.0
//
// A chat of Vercel's AI SDK that is stuck, asked as it is stored, and with turnkeeper before the request.
//
//   npm ci && ANTHROPIC_API_KEY=... TURNKEEPER_SOCKET=... node chat.mjs
//
// The SDK's own ModelMessages go to the daemon in line mode: one JSON document a line, over the Unix socket,
// without a client library. `ask` is all that an application needs.

import net from "node:net";
import readline from "node:readline";
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText } from "ai";

const SOCKET = process.env.TURNKEEPER_SOCKET ?? "/run/turnkeeper/turnkeeper.sock";

/** Calls one method of the daemon. Rejects with its error object, or with that of the connection. */
function ask(method, params) {
  return new Promise((resolve, reject) => {
    const socket = net.createConnection(SOCKET);
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the daemon closed the connection")));
    readline.createInterface({ input: socket }).once("line", (line) => {
      socket.end();
      const answer = JSON.parse(line);
      if (answer.error) reject(Object.assign(new Error(answer.error.message), answer.error.data)); // name, pointer...
      else resolve(answer.result);
    });
    socket.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) + "\n");
  });
}

/** Gives the messages to send; the ones that were given stay as they are: those are for the store. */
async function repaired(messages) {
  const result = await ask("repair", { dialect: "ai-sdk", messages, return: "messages" });
  for (const edit of result.edits) console.log(`    repaired: ${edit.action} ${edit.tool} at ${edit.pointer}`);
  return result.changed ? result.messages : messages;
}

const host = process.env.ANTHROPIC_BASE_URL ?? "https://api.anthropic.com";
const anthropic = createAnthropic({ baseURL: host + "/v1" });

async function chat(messages) {
  try {
    const { text, response } = await generateText({
      model: anthropic("claude-sonnet-5-5"),
      tools: { web_search: anthropic.tools.webSearch_20250305() },
      maxRetries: 0,
      messages,
    });
    console.log("    " + text);
    return response.messages;
  } catch (error) {
    console.log("    refused: " + error.message);
    return [];
  }
}

// The stored history. The application stopped in the middle of a search and was asked to go on.
const stored = [
  { role: "user", content: "Is the pass open?" },
  {
    role: "assistant",
    content: [
      { type: "text", text: "Let me look." },
      {
        type: "tool-call",
        toolCallId: "srvtoolu_01Cut",
        toolName: "web_search",
        input: { query: "pass road status" },
        providerExecuted: true,
      },
    ],
  },
  { role: "user", content: "Are you still there?" },
];

console.log("without turnkeeper:");
await chat(stored);
console.log("with turnkeeper:");
stored.push(...(await chat(await repaired(stored))));
stored.push({ role: "user", content: "And tomorrow?" });
stored.push(...(await chat(await repaired(stored))));
console.log(`${stored.length} messages are stored`);
