// SPDX-License-Identifier: Apache-2.0

/** The lines that the compiler must accept, and refuse, in a program that uses the types of the package. It isn't run. */

import { type Keeper, type LocalKeeper, type Repaired, type SocketKeeper, Turnkeeper, UnsafeHistory } from "turnkeeper";
import { wasm } from "turnkeeper/inline";

interface Message {
  role: "user" | "assistant";
  content: string;
}

export async function uses(history: readonly Message[], request: { messages: Message[]; model: string }) {
  const local: LocalKeeper = await Turnkeeper.load({ wasm: wasm(), limits: { maxFrame: 1 << 20 } });
  const daemon: SocketKeeper = await Turnkeeper.connect("/run/turnkeeper/turnkeeper.sock", { timeout: 1000 });
  const here: Repaired<Message> = local.repair(history);
  const there: Message[] = (await daemon.repair(history)).messages;
  const whole: string = local.repair(request).request.model;
  const text: string = local.repairBody('{"messages":[]}').body;
  const bytes: Uint8Array = (await daemon.prepareBody(new Uint8Array(2))).body;
  const either: Keeper = Math.random() < 0.5 ? local : daemon;
  const report = await either.validate(history, { maxViolations: 1 });
  const stream = await either.stream({ emit: "sse" });
  const outputs = await stream.feed("data");
  const spliced = local.splice(history, [{}], { provider: "openai-responses", options: { choice: 1 } });
  await daemon.prepare(request, { splice: { assistant: {}, options: { state: "chain" } } });
  const least: Message[] = local.fit(history, 1000, { unit: "tokens", keep: { last_rounds: 2 } }).messages;
  const cut: string = (await daemon.fit(request, 1000, { returnRemoved: true })).request.model;
  await daemon.prepare(request, { fit: { over: 1000, bytesPerToken: 3 } });
  await stream.feed(new Uint8Array(1), { restart: true });
  // @ts-expect-error a budget is needed
  void local.fit(history);
  // @ts-expect-error a promise has no messages
  void daemon.repair(history).messages;
  // @ts-expect-error no such option
  local.repair(history, { nobodys: 1 });
  // @ts-expect-error the step is for the request's provider
  local.prepare(request, { splice: { assistant: {}, provider: "gemini" } });
  // @ts-expect-error results aren't changed
  report.valid = true;
  const numbers = [report.violations[0]?.messageIndex, outputs.length];
  return [least, cut, here.messages, there, whole, text, bytes, numbers, spliced.action, UnsafeHistory];
}
