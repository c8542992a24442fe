// SPDX-License-Identifier: Apache-2.0
/**
 * Pairs the parts of a model's stream: a call that the provider runs leaves together with its result.
 *
 *     part ──┬── of such a call ──> held ──┐ released when the core has seen its result
 *            ├── call, result ──> core ────┘
 *            └── everything else ──────────────> leaves at once
 *
 * The core decides; this file holds parts back and lets them go. A fault of the pairs becomes a part of type `error`,
 * and the finish says so, too.
 */

import { PairingFailed } from "../errors.js";
import type { Filter } from "../pulled.js";
import type { Output } from "../results/others.js";
import type { Stream } from "../stream.js";
import type { StreamPart } from "./model.js";
import { blockEvents, callBlock, endEvents, resultBlock, startEvent } from "./wire.js";

const NO_USAGE = { inputTokens: {}, outputTokens: {} };

export class PairedParts implements Filter<StreamPart, StreamPart> {
  over = false;
  readonly #stream: Stream;
  readonly #held = new Map<string, StreamPart[]>(); // parts of calls that the provider runs, by id
  #blocks = 0;
  #started = false;
  #broken = false; // the provider sent an error: what is held stays here, and the finish is the provider's

  /** `stream`: one of the core, open, with `emit: "parts"`. */
  constructor(stream: Stream) {
    this.#stream = stream;
  }

  async take(part: StreamPart): Promise<readonly StreamPart[]> {
    if (this.#stream.state === "ended" && part.type !== "raw") return [];
    const step = STEPS[part.type];
    return step === undefined ? [part] : step(this, part);
  }

  async end(): Promise<readonly StreamPart[]> {
    return this.#stream.state === "ended" || this.#broken ? [] : this.#last([]);
  }

  close(): void {
    this.#stream.close();
  }

  /** Holds the part if it is one of a call that the provider runs. */
  inputPart(part: StreamPart): readonly StreamPart[] {
    const id = part.id ?? "";
    const starts = part.type === "tool-input-start" && part.providerExecuted === true;
    if (!starts && !this.#held.has(id)) return [part];
    this.#hold(id, part);
    return [];
  }

  async call(part: StreamPart): Promise<readonly StreamPart[]> {
    if (part.providerExecuted !== true) return [...(await this.#block(callBlock(part))), part];
    this.#hold(part.toolCallId ?? "", part);
    return this.#block(callBlock(part));
  }

  async result(part: StreamPart): Promise<readonly StreamPart[]> {
    this.#hold(part.toolCallId ?? "", part);
    return part.preliminary === true ? [] : this.#block(resultBlock(part));
  }

  error(part: StreamPart): readonly StreamPart[] {
    this.#broken = true;
    this.#held.clear();
    return [part];
  }

  async finish(part: StreamPart): Promise<readonly StreamPart[]> {
    if (this.#broken) return [part];
    const released = await this.#fed(endEvents(part.finishReason), part);
    return this.#stream.state === "ended" ? released : [...released, ...(await this.#last([part], part))];
  }

  #hold(id: string, part: StreamPart): void {
    const held = this.#held.get(id);
    if (held) held.push(part);
    else this.#held.set(id, [part]);
  }

  async #block(block: Readonly<Record<string, unknown>>): Promise<readonly StreamPart[]> {
    this.#blocks += 1;
    return this.#fed(blockEvents(this.#blocks - 1, block));
  }

  /** Returns what leaves after these events; if they show a fault, the error at the end. `finish`: as in #last. */
  async #fed(events: readonly object[], finish?: StreamPart): Promise<readonly StreamPart[]> {
    const all = this.#started ? events : [startEvent(), ...events];
    this.#started = true;
    const released = this.#released(await this.#stream.feed(all));
    return this.#stream.state === "failed" ? [...released, ...(await this.#last([], finish))] : released;
  }

  #released(outputs: readonly Output[]): StreamPart[] {
    return outputs.flatMap((output) => {
      const id = output["id"] as string;
      const leaves = output.type === "tool_call" || output.type === "tool_result";
      if (!leaves || output["provider_executed"] !== true) return [];
      const parts = this.#held.get(id) ?? [];
      this.#held.delete(id);
      return parts;
    });
  }

  /**
   * Ends the core's stream. Returns what it still releases and then `after`; or the fault, and a finish that says so, with
   * the usage of the provider's own if that has come.
   */
  async #last(after: readonly StreamPart[], finish?: StreamPart): Promise<readonly StreamPart[]> {
    try {
      const { outputs } = await this.#stream.finish();
      return [...this.#released(outputs), ...after];
    } catch (error) {
      if (!(error instanceof PairingFailed)) throw error;
      this.over = true;
      const released = this.#released(error.outputs);
      const end = { usage: NO_USAGE, ...finish, type: "finish", finishReason: { unified: "error", raw: undefined } };
      return [...released, { type: "error", error } as StreamPart, end];
    }
  }
}

type Step = (parts: PairedParts, part: StreamPart) => readonly StreamPart[] | Promise<readonly StreamPart[]>;

const STEPS: Readonly<Record<string, Step>> = {
  "tool-input-start": (parts, part) => parts.inputPart(part),
  "tool-input-delta": (parts, part) => parts.inputPart(part),
  "tool-input-end": (parts, part) => parts.inputPart(part),
  "tool-call": (parts, part) => parts.call(part),
  "tool-result": (parts, part) => parts.result(part),
  error: (parts, part) => parts.error(part),
  finish: (parts, part) => parts.finish(part),
};
