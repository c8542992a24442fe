// SPDX-License-Identifier: Apache-2.0

/**
 * The findings of a file that fit a refusal: those with one of its codes; if there are none, those at its place. Then what repair
 * makes of the history.
 */

import * as calls from "../calls.js";
import type { RepairOptions } from "../params.js";
import type { Match } from "../results/explanations.js";
import type { Edit, Finding, Report } from "../results/findings.js";
import { ask, Fault, type Links } from "./asking.js";
import type { Part } from "./documents.js";
import { type Found, preferred, told } from "./explain.js";
import { fitLine, type Repaired } from "./json_output.js";
import type { Arguments } from "./options.js";
import { history } from "./part.js";
import { counted, type Outcome, type Painters, Run } from "./run.js";
import { member } from "./spans.js";
import type { Whose } from "./whose.js";

const ALL = 10_000; // findings: as many as an answer lists

/** What repair makes of a history, and what it says of it. */
interface Mended extends Repaired {
  readonly edits: readonly Edit[];
  /** Of a history that can't be made safe: what remains, with ways out, by rule and place. */
  readonly remaining: ReadonlyMap<string, Finding>;
}

function key({ code, pointer }: Finding): string {
  return `${code} ${pointer}`;
}

/** Returns true if one of the two places is the other, or inside of it. */
function isNear(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short !== "" && long.startsWith(short) && (long.length === short.length || long[short.length] === "/");
}

/** Judges and repairs a file's documents and prints what fits. */
export class Fitting extends Run {
  private readonly best: Match;
  private readonly codes: ReadonlySet<string>;
  private told = false; // the matches are printed

  /** `found`: at least one. */
  constructor(links: Links, name: string, given: Arguments, painters: Painters, private readonly found: Found) {
    super(links, name, given, painters);
    this.best = (found[0] as Found[number]).match;
    this.codes = new Set(found.map(({ match }) => match.code));
  }

  override async of(bytes: Uint8Array): Promise<Outcome> {
    const outcome = await super.of(bytes);
    if (!this.told) this.print(told(this.found, this.given.json, true, this.painters.out));
    return outcome;
  }

  protected override async validate(part: Part): Promise<void> {
    const { text } = history(part.text, this.given.at);
    const whose = await this.detection.of(part);
    const params = { ...whose.params, maxViolations: ALL };
    const { read: report, raw, format } = await this.ask(whose, (own) => calls.validateText(text, { ...own, maxViolations: ALL }));
    this.tellMatches(whose, format.provider);
    const mended = await this.mended(text, params);
    const fits = report.violations.map(({ code }) => this.codes.has(code));
    const near = report.violations.map(({ pointer }) => this.isNear(pointer));
    if (this.given.json) {
      return this.print(fitLine(this.place(part), raw, (at) => fits[at] === true, (at) => near[at] === true && !fits[at], mended));
    }
    const byCode = fits.includes(true);
    const shown = report.violations.filter((_, at) => (byCode ? fits[at] : near[at]));
    shown.forEach((finding) => {
      const remains = mended.remaining.get(key(finding)) ?? finding; // it says the way out
      this.finding(part, remains, this.painters.out).forEach((line) => this.print(line + "\n"));
    });
    const note = this.noteOn(report, byCode, byCode && fits.some((fit, at) => fit && near[at]), near.includes(true));
    if (note !== null) this.remark(part, note);
    if (shown.length > 0) this.outcomeNotes(mended, whose).forEach((line) => this.remark(part, line));
  }

  /** A blank line has no findings. */
  protected override passBlank(): void {}

  /** Prints the matches before the first document, those of its provider first. */
  private tellMatches({ guess }: Whose, provider: string): void {
    if (this.told) return;
    this.told = true;
    const found = guess ? this.found : preferred(this.found, provider);
    this.print(told(found, this.given.json, false, this.painters.out));
  }

  private async mended(text: Uint8Array, params: RepairOptions): Promise<Mended> {
    try {
      const { read, raw } = await ask(this.links, params, (own) => calls.repairReport(text, own));
      return { safe: true, changed: read.changed, raw, edits: read.edits, remaining: new Map() };
    } catch (error) {
      if (!(error instanceof Fault) || error.unsafe === null) throw error;
      const { error: unsafe, raw: { bytes, span } } = error.unsafe;
      const raw = { bytes, span: member(bytes, span, "data") };
      const remaining = new Map(unsafe.violations.map((finding) => [key(finding), finding] as const).reverse());
      return { safe: false, changed: unsafe.data["changed"] === true, raw, edits: [], remaining };
    }
  }

  private isNear(pointer: string): boolean {
    return isNear(pointer, this.best.place.pointer ?? "");
  }

  private remark(part: Part, text: string): void {
    this.print(`${this.head(part, "", "note", this.painters.out)}${text}\n`);
  }

  /** Returns the edits that fit, and what becomes of the whole history. */
  private outcomeNotes({ safe, changed, edits }: Mended, { guess }: Whose): string[] {
    const own = edits.filter(({ code, pointer }) => this.codes.has(code) || this.isNear(pointer));
    const lines = own.map(({ action, pointer }) => `repair: ${action} ${pointer}`);
    if (!safe) return [...lines, "repair: no allowed edit makes this history acceptable"];
    if (!changed) return [...lines, "repair: nothing here has to be edited"];
    return [...lines, `way out: turnkeeper repair${guess ? " --provider NAME" : ""} makes this history acceptable with ` +
      `${counted(edits.length, "edit")}; store the original, send the repaired copy`];
  }

  /** Returns why nothing fits, or what to think of what does; null: it fits. */
  private noteOn(report: Report, byCode: boolean, byBoth: boolean, near: boolean): string | null {
    const { pointer, message } = this.best.place;
    if (message !== null && message >= report.messageCount) {
      return `the words point at message ${message}, and there are ${report.messageCount} messages: this isn't what was sent`;
    }
    if (byCode && !byBoth && pointer) {
      return `the words point at ${pointer}, which has no such fault: this isn't exactly what was sent`;
    }
    if (byCode) return null;
    if (near) return `the words point at ${pointer}, where another rule finds a fault: repair that first`;
    if (!this.found.some(({ match }) => match.judged)) return "turnkeeper can't find this fault in a history";
    return `nothing fits: this isn't what was sent, or more must be known to judge it (turnkeeper rules ${this.best.code})`;
  }
}
