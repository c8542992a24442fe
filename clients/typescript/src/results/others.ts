// SPDX-License-Identifier: Apache-2.0

/** Results of `pair`, of a stream's end, and of the methods about the daemon or the module itself. */

import { always, type Answered, each, type Json, or, orNull, reader } from "./reading.js";

/** One output of a stream (STREAM.md 8), as it came: `type` says what else is in it. */
export type Output = Readonly<Json> & { readonly type: string };

/**
 * How a turn ended. `stopReason` is the provider's word, `reason` one that all providers share. Some providers give no
 * `usage`.
 *
 * `pendingOperations`: the calls that the next turn has to answer, as `carryIn` takes them.
 */
export interface Finish extends Answered {
  readonly reason: string;
  readonly stopReason: string | null;
  readonly usage: Readonly<Json> | null;
  readonly pendingOperations: readonly Readonly<Json>[];
  readonly id: string | null;
  readonly model: string | null;
  readonly stopSequence: string | null;
  readonly stopDetails: unknown;
  readonly container: unknown;
}

const readFinish = reader<Finish>("finish", {
  reason: always(),
  stopReason: orNull(),
  usage: orNull(),
  pendingOperations: always(),
  id: orNull(),
  model: orNull(),
  stopSequence: orNull(),
  stopDetails: orNull(),
  container: orNull(),
});

/**
 * A whole turn, each provider-executed call in it with its result, or pending.
 *
 * `message` can be stored and sent again as it is; `seal` proves later that it is still the same. `outputs` are
 * those that only the end brought, of `pair` all. `warnings`: how often each kind occurred.
 *
 * Other providers than Anthropic have `turn`, whose `entries` are what to append to the history (STREAM-PROVIDERS.md 4);
 * their `seal` is null, and so is `message` of Responses.
 */
export interface PairedTurn extends Answered {
  readonly finish: Finish;
  readonly message: { readonly role: "assistant"; readonly content: readonly Readonly<Json>[] } | null;
  readonly seal: Readonly<Json> | null;
  readonly turn: Readonly<Json> | null;
  readonly warnings: Readonly<Record<string, number>>;
  readonly outputs: readonly Output[];
}

export const readPairedTurn = reader<PairedTurn>("turn", {
  finish: always(readFinish),
  message: orNull(),
  seal: orNull(),
  turn: orNull(),
  warnings: always(),
  outputs: always(),
});

export interface Pong extends Answered {
  readonly pong: boolean;
  readonly echo: unknown;
}

export const readPong = reader<Pong>("pong", { pong: always(), echo: orNull() });

export interface Check extends Answered {
  readonly name: string;
  readonly ok: boolean;
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
}

const readCheck = reader<Check>("check", {
  name: always(),
  ok: always(),
  value: always(),
  limit: always(),
  unit: or(() => ""),
});

/** `status`: "ok", "degraded" (one of the checks fails) or "draining". `uptimeS`: seconds. */
export interface Health extends Answered {
  readonly status: string;
  readonly version: string;
  readonly uptimeS: number;
  readonly checks: readonly Check[];
}

export const readHealth = reader<Health>("health", {
  status: always(),
  version: always(),
  uptimeS: always(),
  checks: always(each(readCheck)),
});

/** Counts since the daemon's start, as PROTOCOL.md 5.9 lists them. */
export interface Stats extends Answered {
  readonly uptimeS: number;
  readonly counters: Readonly<Record<string, number>>;
  readonly gauges: Readonly<Record<string, number>>;
  readonly limits: Readonly<Record<string, number>>;
  readonly violations: Readonly<Record<string, number>>;
  readonly edits: Readonly<Record<string, number>>;
  /** Reported misses by code; "none": the words were no rule's. */
  readonly misses: Readonly<Record<string, number>>;
  readonly methods: Readonly<Record<string, Readonly<Json>>>;
}

export const readStats = reader<Stats>("stats", {
  uptimeS: always(),
  counters: always(),
  gauges: always(),
  limits: always(),
  violations: always(),
  edits: always(),
  misses: or(() => ({})),
  methods: always(),
});

/** A method as `info` describes it; `params` is a JSON Schema. */
export interface Method extends Answered {
  readonly name: string;
  readonly help: string;
  readonly params: Readonly<Json>;
}

const readMethod = reader<Method>("method", { name: always(), help: always(), params: always() });

/** One row of the catalogue of findings. */
export interface Rule extends Answered {
  readonly code: string;
  readonly severity: string;
  readonly wave: number;
  readonly provider: string;
}

const readRule = reader<Rule>("rule", { code: always(), severity: always(), wave: always(), provider: always() });

/** The methods, rules and limits of the daemon or the module. */
export interface Info extends Answered {
  readonly version: string;
  readonly protocol: number;
  readonly methods: readonly Method[];
  readonly providers: readonly string[];
  readonly dialects: readonly string[];
  readonly policies: Readonly<Record<string, Readonly<Json>>>;
  readonly limits: Readonly<Record<string, number>>;
  readonly catalogue: readonly Rule[];
}

export const readInfo = reader<Info>("info", {
  version: always(),
  protocol: always(),
  methods: always(each(readMethod)),
  providers: always(),
  dialects: always(),
  policies: always(),
  limits: always(),
  catalogue: always(each(readRule)),
});
