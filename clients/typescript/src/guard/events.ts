// SPDX-License-Identifier: Apache-2.0
/**
 * Events tell the program that uses a guard about its requests: codes and counts, and nothing of what was said.
 *
 *     repaired    before a request leaves that was edited
 *     refused     before the refusal of a request is returned, which doesn't leave
 *     missed      before a response is returned in which the provider refuses a request that was judged sound
 */

import type { Edit } from "../results/findings.js";
import type { Notices } from "./notices.js";
import type { Provider } from "../providers.js";

/** How often each name occurs. */
export type Counts = Readonly<Record<string, number>>;

interface About {
  /** The provider whose rules hold: "anthropic", "openai-chat" or "openai-responses". */
  readonly provider: string;
  /** The option `caller`. */
  readonly caller?: string;
}

/** A request that was edited, and leaves after this. */
export interface RepairedEvent extends About {
  readonly kind: "repaired";
  /** Rules' codes of the edits. */
  readonly codes: Counts;
  /** The kinds of edits, as "drop". */
  readonly actions: Counts;
}

/** A request that doesn't leave. */
export interface RefusedEvent extends About {
  readonly kind: "refused";
  /**
   * Rules' codes of the findings; of the edits that it needs, if a header binds its body; empty if it can't be judged.
   */
  readonly codes: Counts;
}

/** A request that was judged sound, perhaps after a repair, and that the provider refuses: a rule is missing or wrong. */
export interface MissedEvent extends About {
  readonly kind: "missed";
  /** The status of the provider's response, 400 or 422. */
  readonly status: number;
  /** The rule that the provider's words belong to; null: none, or the keeper couldn't be asked. */
  readonly code: string | null;
  /** The name that `saveMiss` gave to what it saved; with a folder the path of the file. */
  readonly saved?: string;
}

export type GuardEvent = RepairedEvent | RefusedEvent | MissedEvent;
type Untold<E> = E extends About ? Omit<E, keyof About> : never;

/** Options that concern events. */
export interface EventOptions {
  /**
   * The name of this program or session, in each event and with each call of the guard, for the daemon's log: at most 64 of
   * A-Z, a-z, 0-9 and "._:-". Default: the keeper's for calls, none for events.
   */
  readonly caller?: string;
  /** Gets each event. It isn't awaited; what it throws is logged by its type and changes nothing for the request. */
  readonly onEvent?: (event: GuardEvent) => void;
}

/** Counts names. */
export function counted(names: readonly string[]): Counts {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Returns the type of what was thrown; its text may quote whatever that program works on. */
function typeOf(thrown: unknown): string {
  const kind: unknown = thrown instanceof Error ? thrown.constructor.name : typeof thrown;
  return String(kind);
}

/** Tells the events of one guard. */
export class Events {
  readonly #options: EventOptions;
  readonly #notices: Notices;

  constructor(options: EventOptions, notices: Notices) {
    this.#options = options;
    this.#notices = notices;
  }

  /** Tells of a request with edits that is about to leave; nothing if there are none. */
  repaired(provider: Provider, edits: readonly Edit[]): void {
    if (edits.length === 0) return;
    const codes = counted(edits.map((edit) => edit.code));
    this.#tell(provider, { kind: "repaired", codes, actions: counted(edits.map((edit) => edit.action)) });
  }

  refused(provider: Provider, codes: Counts): void {
    this.#tell(provider, { kind: "refused", codes });
  }

  missed(provider: Provider, about: Omit<MissedEvent, keyof About | "kind">): void {
    this.#tell(provider, { kind: "missed", ...about });
  }

  #tell(provider: Provider, event: Untold<GuardEvent>): void {
    const { caller, onEvent } = this.#options;
    if (!onEvent) return;
    const about = { provider: provider.name, ...(caller === undefined ? {} : { caller }) };
    try {
      const returned: unknown = onEvent({ ...event, ...about });
      // Of a function that is async after all: a rejection that nobody handles ends the process.
      if (returned instanceof Promise) returned.catch((thrown: unknown) => this.#threw(thrown));
    } catch (thrown) {
      this.#threw(thrown);
    }
  }

  #threw(thrown: unknown): void {
    this.#notices.warn(`onEvent threw ${typeOf(thrown)}; the request isn't affected`);
  }
}
