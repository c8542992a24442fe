// SPDX-License-Identifier: Apache-2.0

/** Whose the histories of a file are, as the C program finds it out (RULES.md 8). */

import * as calls from "../calls.js";
import type { RepairOptions, Target } from "../params.js";
import type { Detected } from "../results/detected.js";
import { ask, Fault, FIRST, type Links } from "./asking.js";
import { isBlank, type Part } from "./documents.js";
import { history } from "./part.js";
import { clean } from "./style.js";

/** The parameters by which a document is judged. */
export interface Whose {
  readonly params: RepairOptions;
  /** True: nothing tells whose it is, and no option says it. */
  readonly guess: boolean;
  /** The last line about a document that isn't repaired: what it was read as. Null: an option said it. */
  readonly hint: string | null;
  /** Says how a guess is read. It is called once the history is judged: it is none if there is no history. */
  tell(): void;
}

/** Endpoints that a history shows, other than its provider's own. */
const ELSEWHERE = new Set(["bedrock", "vertex", "compatible"]);

/** Finds out whose the documents of one file are. In JSONL a line that doesn't tell is read as the last one that does. */
export class Detection {
  private leader: Detected | null = null;
  private followers = 0;
  private readonly read = new Set<string>();
  private readonly told = new Set<string>();

  constructor(
    private readonly links: Links,
    private readonly name: string,
    private readonly given: RepairOptions,
    private readonly at: string | undefined,
    private readonly note: (text: string) => void,
  ) {}

  /** Finds the first line that tells, for those before it. */
  async lookAhead(parts: readonly Part[]): Promise<void> {
    if (!this.detects) return;
    for (const part of parts) {
      if (part.line === null || isBlank(part.text)) continue;
      const found = await this.detected(part);
      if (found === null || !found.sure) continue;
      this.leader = found;
      return;
    }
  }

  async of(part: Part): Promise<Whose> {
    const found = this.detects ? await this.detected(part) : null;
    if (found === null || found.dialect === null) return { params: this.given, guess: false, hint: null, tell: () => undefined };
    const { sure, dialect, because } = found;
    if (sure) {
      if (part.line !== null) this.leader = found;
      this.tell(found);
      const hint = `read as ${dialect} (${because}); if it is another provider's, say --provider`;
      return { params: this.as(found), guess: false, hint, tell: () => undefined };
    }
    if (part.line === null || this.leader === null) {
      const hint = `read as ${FIRST}, but ${because}: say --provider to repair it`;
      return { params: this.given, guess: true, hint, tell: () => this.tell(found) };
    }
    this.followers++;
    const hint = `read as ${this.leader.dialect}, as other lines are; if it is another provider's, say --provider`;
    return { params: this.as(this.leader), guess: false, hint, tell: () => undefined };
  }

  /** Returns a note on the lines that were read as others are; null: there are none. */
  followed(): string | null {
    if (this.followers === 0) return null;
    const one = this.followers === 1;
    const [dialect, ...more] = this.read;
    const name = dialect === undefined || more.length > 0 ? "the line before that does" : dialect;
    return `${this.followers} document${one ? " doesn't" : "s don't"} tell whose ${one ? "it is" : "they are"}: ` +
      `read as ${name} (--provider says it)`;
  }

  private get detects(): boolean {
    return this.given.provider === undefined && this.given.dialect === undefined;
  }

  /** Null: this is no history, or one in a format that no provider has; whoever judges it says so. */
  private async detected(part: Part): Promise<Detected | null> {
    try {
      const { text } = history(part.text, this.at);
      const { timeout } = this.given;
      const options = timeout === undefined ? {} : { timeout };
      const { read } = await ask(this.links, options, () => calls.detectText(text, options));
      return read.provider === null ? null : read;
    } catch (error) {
      if (error instanceof Fault) return null;
      throw error;
    }
  }

  /** Returns the parameters for a history of this kind. The first provider's is read without any. */
  private as({ provider, dialect, endpoint }: Detected): RepairOptions {
    const { target } = this.given;
    const elsewhere = endpoint !== null && ELSEWHERE.has(endpoint) && target?.endpoint === undefined;
    const own: Target = { ...target, ...(elsewhere ? { endpoint } : {}) };
    return {
      ...this.given,
      ...(provider === null || provider === FIRST ? {} : { provider }),
      ...(dialect === null || dialect === FIRST ? {} : { dialect }),
      ...(elsewhere ? { target: own } : {}),
    };
  }

  /** Says how the file is read, and what shows it, once for each dialect. */
  private tell({ sure, dialect, because }: Detected): void {
    const named = sure && dialect !== null ? dialect : FIRST;
    if (sure) this.read.add(named);
    const key = sure ? named : "";
    if (this.told.has(key)) return;
    this.told.add(key);
    this.note(`reading ${this.name} as ${named}: ${clean(because)}${sure ? "" : "; --provider says it"}`);
  }
}
