// SPDX-License-Identifier: Apache-2.0

/** The findings of a file that fit a refusal: those with one of its codes; if there are none, those at its place. */

import * as calls from "../calls.js";
import type { Match } from "../results/explanations.js";
import type { Finding, Report } from "../results/findings.js";
import { ask, type Links } from "./asking.js";
import type { Part } from "./documents.js";
import { fitLine } from "./json_output.js";
import type { Arguments } from "./options.js";
import { history } from "./part.js";
import { type Painters, Run } from "./run.js";

const ALL = 10_000; // findings: as many as an answer lists

/** Returns true if one of the two places is the other, or inside of it. */
function isNear(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short !== "" && long.startsWith(short) && (long.length === short.length || long[short.length] === "/");
}

/** Judges a file's documents and prints what fits. */
export class Fitting extends Run {
  private readonly best: Match;
  private readonly codes: ReadonlySet<string>;

  /** `matches`: at least one. */
  constructor(links: Links, name: string, given: Arguments, painters: Painters, private readonly matches: readonly Match[]) {
    super(links, name, given, painters);
    this.best = matches[0] as Match;
    this.codes = new Set(matches.map(({ code }) => code));
  }

  protected override async validate(part: Part): Promise<void> {
    const { text } = history(part.text, this.given.at);
    const params = { ...this.given.params, maxViolations: ALL };
    const { read: report, raw } = await ask(this.links, params, (own) => calls.validateText(text, own));
    const fits = report.violations.map(({ code }) => this.codes.has(code));
    const near = report.violations.map(({ pointer }) => isNear(pointer, this.best.place.pointer ?? ""));
    if (this.given.json) {
      return this.print(fitLine(this.place(part), raw, (at) => fits[at] === true, (at) => near[at] === true && !fits[at]));
    }
    const byCode = fits.includes(true);
    const shown = report.violations.filter((_, at) => (byCode ? fits[at] : near[at]));
    shown.forEach((finding: Finding) => this.finding(part, finding, this.painters.out).forEach((line) => this.print(line + "\n")));
    const note = this.noteOn(report, byCode, byCode && fits.some((fit, at) => fit && near[at]), near.includes(true));
    if (note !== null) this.print(`${this.head(part, "", "note", this.painters.out)}${note}\n`);
  }

  /** A blank line has no findings. */
  protected override passBlank(): void {}

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
    if (!this.matches.some(({ judged }) => judged)) return "turnkeeper can't find this fault in a history";
    return `nothing fits: this isn't what was sent, or more must be known to judge it (turnkeeper rules ${this.best.code})`;
  }
}
