// SPDX-License-Identifier: Apache-2.0

/**
 * Reads results of the protocol as typed objects.
 *
 * A result is described by a table: one row for each member of the typed object, which says how the
 * value is read and what it is when the answer has no such member. The names in the answer are those of
 * the table in snake case: `messageIndex` is read from `message_index`.
 */

export type Json = Record<string, unknown>;

/** A result without what PROTOCOL.md says is always present. The caller gets it as a ProtocolError. */
export class Malformed extends Error {}

/** The answer's own object, which every typed result has. Members that this version doesn't know are only there. */
export interface Answered {
  readonly raw: Readonly<Json>;
}

export interface Row<T> {
  /** The name in the answer, where it isn't the row's name in snake case. */
  readonly wire?: string;
  readonly read?: (value: unknown) => T;
  /** Makes the value of a member that the answer doesn't have; without it the member is required. */
  readonly absent?: () => T;
}

/** One row for each member of T but `raw`. */
export type Table<T> = { readonly [K in Exclude<keyof T, "raw">]-?: Row<T[K]> };

/** A member that is always present. */
export function always<T>(read?: (value: unknown) => T): Row<T> {
  return read === undefined ? {} : { read };
}

/** A member that may be absent or null: it is then what `absent` gives. */
export function or<T>(absent: () => T, read?: (value: unknown) => T): Row<T> {
  return read === undefined ? { absent } : { absent, read };
}

/** A member that is null where the answer doesn't have it. */
export function orNull<T>(read?: (value: unknown) => T): Row<T | null> {
  return or<T | null>(() => null, read);
}

/** That row, found by another name. */
export function named<T>(wire: string, row: Row<T>): Row<T> {
  return { ...row, wire };
}

/** Returns the value as an object; Malformed with the name of what was expected if it is none. */
export function object(value: unknown, what: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Malformed(`${what}: not an object`);
  }
  return value as Json;
}

/** Returns the function that reads results of one kind. `what` names the kind in errors. */
export function reader<T extends Answered>(what: string, table: Table<T>): (value: unknown) => T {
  const rows = Object.entries(table) as [string, Row<unknown>][];
  const steps = rows.map(([name, row]) => ({ ...row, name, wire: row.wire ?? snake(name) }));
  return (value) => {
    const raw = object(value, what);
    const made: Json = { raw };
    for (const { name, wire, read, absent } of steps) {
      const found = raw[wire];
      if (found !== undefined && found !== null) {
        made[name] = read === undefined ? found : read(found);
      } else if (absent === undefined) {
        throw new Malformed(`${what}: no member ${wire}`);
      } else {
        made[name] = absent();
      }
    }
    return made as unknown as T;
  };
}

/** Returns a function that reads a list of what `read` reads. */
export function each<T>(read: (value: unknown) => T): (value: unknown) => readonly T[] {
  return (value) => {
    if (!Array.isArray(value)) throw new Malformed("not a list");
    return value.map(read);
  };
}

/** Returns `messageIndex` as `message_index`. */
export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase());
}
