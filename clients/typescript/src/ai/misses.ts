// SPDX-License-Identifier: Apache-2.0
/** Calls of a model that the provider refuses although their prompt was judged sound; told as guardFetch tells them. */

import { type Means, missedText } from "../guard/misses.js";
import { ANTHROPIC } from "../providers.js";
import { isFinding, type Refused } from "./refused.js";

/** Knows the prompts that were judged sound. */
export class SoundPrompts {
  readonly #prompts = new WeakSet<readonly unknown[]>();

  constructor(private readonly means: Means) {}

  /** Remembers a prompt that leaves as it is now. The AI SDK gives the same array to the call itself. */
  add(prompt: readonly unknown[]): void {
    this.#prompts.add(prompt);
  }

  /** Makes the call; what it throws is thrown again, after a miss was told. */
  async call<R>(prompt: readonly unknown[], make: () => PromiseLike<R>): Promise<R> {
    try {
      return await make();
    } catch (error) {
      if (this.#prompts.has(prompt) && isFinding(error)) await this.#tell(error);
      throw error;
    }
  }

  async #tell({ statusCode: status, responseBody: text = "", requestBodyValues }: Refused): Promise<void> {
    await missedText({ status, text, request: () => requestBodyValues }, ANTHROPIC, this.means);
  }
}
