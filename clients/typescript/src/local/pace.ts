// SPDX-License-Identifier: Apache-2.0

/**
 * Turns milliseconds into polls of the core, of which there is one after about equal pieces of work: the module has no
 * clock, and nothing outside can end a call.
 */

import type { Instance } from "./instance.js";

/** Polls of a millisecond where the clock stands still while a program computes, as in some edge workers. */
const USUAL = 50;
const RUNS = 3; // the engine compiles the module during the first ones
const LARGEST = 2 ** 32 - 1;

/** How many polls a millisecond has on this machine; measured at the first use. */
let pace = 0;

/** Returns the polls of so many milliseconds, at least one. Takes some milliseconds itself, once a process. */
export function pollsOf(milliseconds: number, fresh: () => Instance): number {
  pace ||= measured(fresh());
  return Math.min(Math.max(Math.round(milliseconds * pace), 1), LARGEST);
}

function measured(instance: Instance): number {
  const request = new TextEncoder().encode(JSON.stringify(sample()));
  let best = 0;
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    instance.call(0, [request], LARGEST);
    const took = performance.now() - start;
    if (took > 0) best = Math.max(best, instance.polls / took);
  }
  return best || USUAL;
}

/** A request with an edit in each second message. */
function sample(): object {
  const messages: object[] = [];
  for (let n = 0; n < 300; n++) {
    const call = { type: "tool_use", id: `toolu_${n}`, name: "look", input: { n } };
    messages.push({ role: "user", content: `question ${n}` }, { role: "assistant", content: [call] });
  }
  messages.push({ role: "user", content: "end" });
  return { jsonrpc: "2.0", id: 0, method: "repair", params: { messages, policy: "preserve" } };
}
