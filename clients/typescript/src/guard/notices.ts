// SPDX-License-Identifier: Apache-2.0
/**
 * Writes a guard's log, with a limit on how often.
 *
 *     the keeper can't be asked, or can be again      a warning, once a change
 *     a history in another format                     a warning, once a format and guard
 *     a body, or a stream, that can't be guarded      a warning, once a guard
 *     a provider that the keeper doesn't judge, or the middleware doesn't serve
 *                                                     a warning, once a provider and guard
 *     a missed request that isn't saved               a warning, once a reason and guard
 *     everything else                                 each time, for `info`
 *
 * No line has content of a history in it.
 */

import type { DialectMismatch } from "../errors_by_name.js";

/** Where a guard's log goes; `console` is one. A guard without a logger warns on the console and says no more. */
export interface Logger {
  warn(message: string): void;
  info?(message: string): void;
}

const CONSEQUENCES = {
  open: 'requests are sent unguarded until it can (onUnavailable: "open")',
  closed: 'requests are not sent until it can (onUnavailable: "closed")',
};

/** Those of one guard. */
export class Notices {
  readonly #logger: Logger;
  readonly #mode: "open" | "closed";
  #down = false;
  readonly #told = new Set<string>();

  constructor(mode: "open" | "closed", logger?: Logger) {
    this.#mode = mode;
    this.#logger = logger ?? { warn: (message) => console.warn(message) };
  }

  /** The keeper can't be asked. */
  down(error: Error): void {
    if (!this.#down) this.warn(`turnkeeper can't be asked, ${CONSEQUENCES[this.#mode]}: ${error.message}`);
    else if (this.#mode === "open") this.info(`sent unguarded: ${error.message}`);
    this.#down = true;
  }

  /** The keeper answered. */
  up(): void {
    if (this.#down) this.warn("turnkeeper answers again, requests are guarded");
    this.#down = false;
  }

  /** A history isn't one of the provider's format, thus not one that a guard may touch. */
  foreign(error: DialectMismatch): void {
    const said = `not the provider's format, sent as it is for the provider to judge: ${error.message}`;
    this.#once(`format ${error.looksLike}`, said);
  }

  /** A response is a stream of Amazon's own framing, which the core doesn't read. */
  binary(): void {
    this.#once("binary", "Bedrock's event streams pass as they come, neither paired nor sealed; requests are repaired");
  }

  /** The body of a request is none that can be read here and sent all the same. */
  unreadable(): void {
    this.#once("body", "a request whose body is a stream or a form is sent unguarded");
  }

  /** The keeper is of a release that doesn't judge this provider. */
  unserved(provider: string): void {
    this.#once(`provider ${provider}`, `this turnkeeper doesn't judge ${provider}: its requests are sent unguarded`);
  }

  /** A model isn't one of those that the middleware repairs prompts for. */
  unknownModel(provider: string): void {
    const said = `prompts for ${JSON.stringify(provider)} pass as they are: the middleware is for Anthropic's models;`;
    this.#once(`model ${provider}`, `${said} createOpenAI({ fetch: guardFetch() }) guards OpenAI's requests`);
  }

  /** A missed request isn't saved: the system's own error, which names a file, or another one. */
  unsaved(error: unknown): void {
    const { code, message } = error as { code?: unknown; message?: unknown };
    this.#once(`unsaved ${String(code ?? message)}`, `a missed request isn't saved: ${String(message)}`);
  }

  warn(message: string): void {
    this.#logger.warn(`turnkeeper: ${message}`);
  }

  info(message: string): void {
    this.#logger.info?.(`turnkeeper: ${message}`);
  }

  #once(what: string, message: string): void {
    if (this.#told.has(what)) return this.info(message);
    this.#told.add(what);
    this.warn(message);
  }
}
