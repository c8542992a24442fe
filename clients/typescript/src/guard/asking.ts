// SPDX-License-Identifier: Apache-2.0
/** Shared by the guard and the middleware: the keeper that is asked, and what its errors mean for a request. */

import { TransportError, TurnkeeperError } from "../errors.js";
import type { Keeper } from "../keeper.js";
import { decide } from "./decisions.js";
import { Events } from "./events.js";
import { Notices } from "./notices.js";
import { type AskingOptions, checkOptions, MAX_FRAME, maxFrameOf, pathOf } from "./options.js";
import type { Destination } from "./routes.js";

export class Asking {
  readonly notices: Notices;
  readonly events: Events;
  /** The option `caller`, as an option of each call. */
  readonly caller: { readonly caller?: string };
  readonly #options: AskingOptions;
  readonly #load: () => Keeper | Promise<Keeper>;
  #largest = MAX_FRAME;
  #ready: Keeper | undefined; // after it said that it speaks this package's protocol

  /** `load` gives the keeper if the options name none; `known`: the names that options may have. Throws a TypeError or RangeError for wrong options. */
  constructor(options: AskingOptions, load: () => Promise<Keeper>, known: readonly string[]) {
    checkOptions(options, known);
    const { keeper } = options;
    this.#options = options;
    this.#load = keeper ? () => keeper : load;
    this.notices = new Notices(options.onUnavailable ?? "closed", options.logger);
    this.events = new Events(options, this.notices);
    this.caller = options.caller === undefined ? {} : { caller: options.caller };
  }

  /** Returns the keeper; a TransportError if it can't be asked. */
  async keeper(): Promise<Keeper> {
    if (this.#ready) return this.#ready;
    try {
      const keeper = await this.#load();
      const { limits } = await keeper.checkProtocol(this.caller);
      this.#largest = maxFrameOf(keeper) ?? limits["max_frame"] ?? MAX_FRAME;
      this.#ready = keeper;
      return keeper;
    } catch (error) {
      if (error instanceof TurnkeeperError) throw error;
      throw new TransportError(`the module can't be loaded: ${String(error)}`, { cause: error });
    }
  }

  /** Returns how many bytes the largest request may have that the keeper takes; throws what `keeper` throws. */
  async largest(): Promise<number> {
    await this.keeper();
    return this.#largest;
  }

  /** Returns where the request is to leave as it is; else throws NotSent, GuardUnavailable or what is no error of ours. */
  decide(error: unknown, to: Destination): void {
    if (!(error instanceof TurnkeeperError)) throw error;
    const { keeper, onUnavailable } = this.#options;
    decide(error, { to, open: onUnavailable === "open", notices: this.notices, path: pathOf(keeper) });
  }
}
