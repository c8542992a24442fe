// SPDX-License-Identifier: Apache-2.0

/** The containers that a JSON Patch copied, with the few operations that patches need. See patch.ts. */

import { PatchError } from "./errors.js";
import type { Json } from "./results/reading.js";

/** An object that this patch copied. A key may be `__proto__`, which must stay a member like any other. */
export class OpenObject {
  private readonly members: Map<string, unknown>;

  constructor(source: object) {
    this.members = new Map(Object.entries(source));
  }

  get(key: string): unknown {
    if (!this.members.has(key)) misfit("no member", key);
    return this.members.get(key);
  }

  set(key: string, value: unknown): void {
    this.members.set(key, value);
  }

  add(key: string, value: unknown): void {
    this.members.set(key, value);
  }

  take(key: string): unknown {
    const value = this.get(key);
    this.members.delete(key);
    return value;
  }

  plain(): Json {
    return Object.fromEntries(this.members);
  }
}

/**
 * A list that this patch copied: the elements before a gap, and, reversed, those after it. A run of edits that moves
 * through the list in one direction costs the way it moves, so 10^5 removals from a list of 10^5 parts aren't
 * quadratic.
 */
export class OpenList {
  private readonly front: unknown[];
  private readonly back: unknown[] = [];

  constructor(source: readonly unknown[]) {
    this.front = source.slice();
  }

  get(key: string): unknown {
    const [side, at] = this.place(key);
    return side[at];
  }

  set(key: string, value: unknown): void {
    const [side, at] = this.place(key);
    side[at] = value;
  }

  add(key: string, value: unknown): void {
    this.move(key === "-" ? this.length : index(key, this.length));
    this.front.push(value);
  }

  take(key: string): unknown {
    this.move(index(key, this.length - 1));
    return this.back.pop();
  }

  plain(): unknown[] {
    this.move(this.length);
    return this.front.slice();
  }

  private get length(): number {
    return this.front.length + this.back.length;
  }

  private place(key: string): [unknown[], number] {
    const at = index(key, this.length - 1);
    return at < this.front.length ? [this.front, at] : [this.back, this.length - 1 - at];
  }

  /** Moves the gap before element number `gap`. */
  private move(gap: number): void {
    while (this.front.length > gap) this.back.push(this.front.pop());
    while (this.front.length < gap) this.front.push(this.back.pop());
  }
}

function index(key: string, last: number): number {
  if (!/^(0|[1-9][0-9]{0,11})$/.test(key) || Number(key) > last) misfit("no place", key);
  return Number(key);
}

function misfit(what: string, where: string): never {
  throw new PatchError(what, { data: { at: where } }); // a key may be content: not into the text
}
