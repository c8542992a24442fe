// SPDX-License-Identifier: Apache-2.0
/**
 * Seals of the turns that a guard saw pass, and which of them a request may be about.
 *
 *     turn ──> seal ──> keep()      by the ends of its signatures and the ids of its calls
 *     request body ──> of() ──> the seals whose signatures or ids are spelled in it, oldest first
 *
 * Of a body only the values after the keys that matter are read: signatures, and ids where there is a signature that
 * no seal knows, for it may have been altered. A body without any has nothing that could break. What is found too
 * much does no harm: the core decides what a seal belongs to.
 */

/** A seal as the core made it. */
export type Seal = Readonly<Record<string, unknown>>;

interface Kept {
  readonly number: number; // in the order in which they were made: seals of one message are joined in it
  readonly seal: Seal;
  readonly keys: readonly string[];
  readonly size: number;
}

export const COUNT = 1024;
export const SIZE = 1 << 20; // characters of all seals as JSON, with their keys

const REDACTED = '"redacted_thinking"';
const ENOUGH = 48; // characters at the end of a signature that tell it from others: they are ciphertext

/** Yields the strings after a key; not those with an escape, which ids and base64 never need. */
function* strings(text: string, key: string): Generator<string> {
  const spelled = new RegExp(`"${key}"[ \\t\\n\\r]*:[ \\t\\n\\r]*"([^"\\\\]+)"`, "g");
  for (const found of text.matchAll(spelled)) yield found[1] as string;
}

/** Returns a key of its own memory: a slice of a string keeps the whole one alive. */
function copied(key: string): string {
  return Array.from(key).join("");
}

/** Says whether a text may hold a signed block, so that it is worth a seal. */
export function maySign(text: string): boolean {
  return text.includes('"signature"') || text.includes(REDACTED);
}

/** Yields the keys of what may be signed blocks in a text. */
function* signatures(text: string): Generator<string> {
  for (const value of strings(text, "signature")) yield `s${value.slice(-ENOUGH)}`;
  if (!text.includes(REDACTED)) return; // images have "data", too
  for (const value of strings(text, "data")) yield `s${value.slice(-ENOUGH)}`;
}

function idsOf(seal: Seal): string[] {
  const blocks = Array.isArray(seal["blocks"]) ? (seal["blocks"] as Record<string, unknown>[]) : [];
  return blocks.flatMap((block) => (typeof block["id"] === "string" ? [block["id"]] : []));
}

/**
 * Those of turns with signed blocks, for only they can break; at most `count`, and at most `size` characters. Those
 * that no request was about for the longest time go first.
 */
export class Seals {
  readonly #count: number;
  #free: number;
  #made = 0;
  readonly #kept = new Map<string, Kept>(); // by turn, the longest unused first
  readonly #turns = new Map<string, string>(); // by key

  constructor(count = COUNT, size = SIZE) {
    this.#count = count;
    this.#free = size;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Keeps the seal of a turn. `text`: the turn as JSON, of which the signatures are remembered. */
  keep(seal: Seal | null | undefined, text: string): void {
    const turn = seal?.["turn"];
    if (!seal || typeof turn !== "string") return;
    const signed = [...signatures(text)];
    if (signed.length === 0) return;
    const keys = [...signed, ...idsOf(seal).map((id) => `i${id}`)].map(copied);
    const size = keys.reduce((sum, key) => sum + key.length, JSON.stringify(seal).length);
    this.#drop(turn);
    this.#made += 1;
    this.#kept.set(turn, { number: this.#made, seal, keys, size });
    for (const key of keys) this.#turns.set(key, turn);
    this.#free -= size;
    for (const oldest of this.#kept.keys()) {
      if (this.#free >= 0 && this.#kept.size <= this.#count) break;
      this.#drop(oldest);
    }
  }

  /** Returns the parameter `seals` for a request with this body; empty: none is about it. */
  of(body: string): { seal: Seal }[] {
    if (this.#kept.size === 0 || !maySign(body)) return [];
    const turns = new Set<string>();
    let unknown = false;
    for (const key of signatures(body)) {
      const turn = this.#turns.get(key);
      if (turn === undefined) unknown = true;
      else turns.add(turn);
    }
    if (unknown) for (const id of strings(body, "id")) this.#add(turns, this.#turns.get(`i${id}`));
    const found = [...turns].flatMap((turn) => this.#used(turn)).sort((one, other) => one.number - other.number);
    return found.map(({ seal }) => ({ seal }));
  }

  /** Forgets all of them. */
  forget(): void {
    for (const turn of [...this.#kept.keys()]) this.#drop(turn);
  }

  #add(turns: Set<string>, turn: string | undefined): void {
    if (turn !== undefined) turns.add(turn);
  }

  /** Moves a turn to the end of those that are dropped. */
  #used(turn: string): Kept[] {
    const kept = this.#kept.get(turn);
    if (!kept) return [];
    this.#kept.delete(turn);
    this.#kept.set(turn, kept);
    return [kept];
  }

  #drop(turn: string): void {
    const kept = this.#kept.get(turn);
    if (!kept) return;
    this.#kept.delete(turn);
    this.#free += kept.size;
    for (const key of kept.keys) if (this.#turns.get(key) === turn) this.#turns.delete(key);
  }
}
