// SPDX-License-Identifier: Apache-2.0

/** Validates or repairs the documents of one file. */

import type { Call } from "../call.js";
import * as calls from "../calls.js";
import type { RepairOptions } from "../params.js";
import type { Edit, Finding } from "../results/findings.js";
import { readRepair } from "../results/repairs.js";
import { encode } from "../wire/text.js";
import { ask, Fault, type Links, type Reply } from "./asking.js";
import { diff, diffHead, diffLine } from "./diff.js";
import { isBlank, type Part, parts } from "./documents.js";
import { faultLine, faultRow, type Place, resultLine, row } from "./json_output.js";
import type { Arguments } from "./options.js";
import { history } from "./part.js";
import { clean, isStyle, type Painter } from "./style.js";
import { Detection, type Whose } from "./whose.js";

/** Exit statuses, the worst of a run last. */
export const OK = 0;
export const ERRORS = 1;
export const UNREADABLE = 2;

/** The outcome of one file. */
export interface Outcome {
  status: number;
  /** For stdout: findings, results, diffs. */
  out: Uint8Array[];
  /** The repaired file. */
  document: Uint8Array[];
  /** For stderr. */
  notes: string[];
  /** True: the document may not be written, because a single one is unsafe or unreadable. */
  refused: boolean;
  changed: boolean;
}

/** Edits that take something away, which none does on a guess. */
const TAKING = new Set(["drop", "drop_message", "textify", "demote", "merge"]);

/** How texts are painted on stdout and on stderr. */
export interface Painters {
  readonly out: Painter;
  readonly notes: Painter;
}

/** Runs the command on a file's bytes. */
export class Run {
  private readonly outcome: Outcome = { status: OK, out: [], document: [], notes: [], refused: false, changed: false };

  /** As messages say it. */
  protected readonly name: string;

  protected readonly detection: Detection;
  private hint: string | null = null; // what the first document that isn't repaired was read as

  constructor(
    protected readonly links: Links,
    private readonly file: string,
    protected readonly given: Arguments,
    protected readonly painters: Painters,
  ) {
    this.name = file === "-" ? "stdin" : file;
    this.detection = new Detection(links, this.name, given.params, given.at, (text) => this.aside(text));
  }

  async of(bytes: Uint8Array): Promise<Outcome> {
    const all = [...parts(bytes, this.given.jsonl, this.given.maxDocument)];
    if (this.file !== "-") await this.detection.lookAhead(all);
    for (const part of all) {
      if (part.line !== null && isBlank(part.text)) this.passBlank(part);
      else await this.judge(part);
    }
    const head = this.head(null, "", "note", this.painters.notes);
    const followed = this.detection.followed();
    if (followed !== null) this.aside(head + followed);
    if (this.hint !== null) this.note(head + clean(this.hint));
    return this.outcome;
  }

  /** Asks about a document, by the parameters of whose it is. */
  protected async ask<T>(whose: Whose, make: (params: RepairOptions) => Call<T>): Promise<Reply<T>> {
    try {
      const reply = await ask(this.links, whose.params, make);
      whose.tell();
      return reply;
    } catch (error) {
      if (error instanceof Fault && error.unsafe !== null) whose.tell();
      throw error;
    }
  }

  private async judge(part: Part): Promise<void> {
    try {
      const { maxDocument } = this.given;
      if (part.text.length > maxDocument) throw new Fault("frame_too_large", `longer than ${maxDocument} bytes`);
      if (this.given.command === "repair") await this.repair(part);
      else await this.validate(part);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.failed(part, error);
    }
  }

  protected async validate(part: Part): Promise<void> {
    const { text } = history(part.text, this.given.at);
    const reply = await this.ask(await this.detection.of(part), (params) => calls.validateText(text, params));
    const report = reply.read;
    if (!report.valid) this.worse(ERRORS);
    if (this.given.json) return this.print((this.hasRows(part) ? row : resultLine)(this.place(part), reply.format, reply.raw));
    const { out } = this.painters;
    report.violations.forEach((finding) => this.finding(part, finding, out).forEach((line) => this.print(line + "\n")));
    const more = `${counted(report.truncated, "more finding")} not listed (--max-violations)`;
    if (report.truncated > 0) this.print(this.head(part, "", "note", out) + more + "\n");
    const worth = report.valid ? "valid" : "not valid";
    const found = counted(sum(report.counts), "finding");
    this.aside(`${this.at(part)}: ${worth}, ${found} (${counted(report.messageCount, "message")})`);
  }

  private async repair(part: Part): Promise<void> {
    const { before, text, after } = history(part.text, this.given.at);
    const whose = await this.detection.of(part);
    const { read: fixed } = await this.ask(whose, (params) => calls.repairBody(text, params)).catch((error: unknown) => {
      if (error instanceof Fault && error.unsafe !== null) this.hint ??= whose.hint;
      throw error;
    });
    if (!fixed.safe || (this.given.check && fixed.changed)) this.worse(ERRORS);
    if (this.given.json) await this.printRepair(part, text, whose);
    if (whose.guess && fixed.edits.some(({ action }) => TAKING.has(action))) return this.withhold(part, fixed.edits, whose);
    if (!this.given.json) this.tell(part, fixed.edits, fixed.violations);
    this.aside(`${this.at(part)}: ${counted(fixed.edits.length, "edit")}, ${counted(sum(fixed.counts), "finding")} remain`);
    const made = Buffer.concat([before, fixed.body, after]);
    if (fixed.changed && this.given.diff) this.printDiff(part, made);
    this.outcome.changed ||= fixed.changed;
    this.outcome.document.push(made, part.end);
  }

  /** Shows the edits of a document that isn't written: it may be another provider's, and then nothing of it would have to go. */
  private withhold(part: Part, edits: readonly Edit[], { hint }: Whose): void {
    this.hint ??= hint;
    this.worse(ERRORS);
    this.outcome.refused ||= part.line === null;
    if (!this.given.json) this.tell(part, edits, []);
    this.aside(`${this.at(part)}: left as it is`);
    this.pass(part);
  }

  /** The result with whole messages: its bytes are printed, so that their numbers stay as they are. */
  private async printRepair(part: Part, text: Uint8Array, whose: Whose): Promise<void> {
    const whole = (params: RepairOptions): ReturnType<typeof calls.repairBody> => {
      const call = calls.repairBody(text, params);
      const read = (result: unknown): ReturnType<typeof call.read> => ({ ...readRepair(result), body: text });
      return { ...call, params: { ...call.params, return: "messages" }, read };
    };
    const { format, raw } = await ask(this.links, whose.params, whole);
    this.print(resultLine(this.place(part), format, raw));
  }

  private tell(part: Part, edits: readonly Edit[], findings: readonly Finding[]): void {
    const { notes } = this.painters;
    for (const { pointer, action, id, tool, code } of edits) {
      const about = [tool, id === null ? null : `(${id})`].filter((word) => word !== null).join(" ");
      const place = notes.paint("bold", clean(`${this.at(part)}:${this.given.at ?? ""}${pointer}`));
      this.aside(`${place}: ${clean(`${action}${about === "" ? "" : " " + about}`)} [${code}]`);
    }
    this.findings(part, findings);
  }

  private findings(part: Part, findings: readonly Finding[]): void {
    findings.forEach((finding) => this.finding(part, finding, this.painters.notes).forEach((line) => this.note(line)));
  }

  private printDiff(part: Part, made: Uint8Array): void {
    const { out } = this.painters;
    if (!this.outcome.changed) this.print(diffHead(out, this.name));
    if (part.line === null) this.print(diff(out, part.text, made));
    else this.print(diffLine(out, part.line, part.text, made, part.end.length === 0));
  }

  /** An unsafe history is an error that remains; whatever else the answer says makes the document unreadable. */
  private failed(part: Part, fault: Fault): void {
    this.worse(fault.unsafe === null ? UNREADABLE : ERRORS);
    this.outcome.refused ||= part.line === null;
    const inRow = this.hasRows(part) && this.given.command === "validate";
    if (this.given.json) this.print((inRow ? faultRow : faultLine)(this.place(part), fault));
    const head = this.head(part, position(part, fault.offset), "error", this.painters.notes);
    if (fault.unsafe !== null) this.findings(part, fault.unsafe.error.violations);
    else this.note(`${head}${clean(fault.message)} [${fault.name}]`);
    this.pass(part);
  }

  /** A blank line is a blank line of --json, too. */
  protected passBlank(part: Part): void {
    if (this.given.json && this.given.files.length === 1) this.print("\n");
    this.pass(part);
  }

  /** A line that isn't repaired is passed on as it is. */
  private pass(part: Part): void {
    if (part.line !== null) this.outcome.document.push(part.text, part.end);
  }

  /** Returns the lines of a finding. */
  protected finding(part: Part, finding: Finding, painter: Painter): string[] {
    const { pointer, severity, text, code, needed, wayOut, providerError } = finding;
    const place = pointer === "" ? "" : ":" + (this.given.at ?? "") + pointer;
    const notes: (readonly [string, string | null])[] = [
      ["not allowed here, but needed: ", needed], ["way out: ", wayOut],
      ["the provider would answer: ", this.given.verbose ? providerError : null],
    ];
    const note = this.head(part, place, "note", painter);
    const told = notes.flatMap(([what, about]) => (about === null ? [] : [note + what + clean(about)]));
    return [`${this.head(part, place, severity, painter)}${clean(text)} [${clean(code)}]`, ...told];
  }

  /** `part`: null for the file as a whole. */
  protected head(part: Part | null, place: string, severity: string, painter: Painter): string {
    const style = isStyle(severity) ? severity : "note";
    return `${painter.paint("bold", this.at(part) + clean(place))}: ${painter.paint(style, clean(severity))}: `;
  }

  private at(part: Part | null): string {
    const line = part?.line ?? null;
    return line === null ? this.name : `${this.name}:${line}`;
  }

  protected place({ line }: Part): Place {
    return { file: this.name, line, many: this.given.files.length > 1 };
  }

  /** True if a run has several documents, whose results are rows. */
  private hasRows({ line }: Part): boolean {
    return line !== null || this.given.files.length > 1;
  }

  private worse(status: number): void {
    this.outcome.status = Math.max(this.outcome.status, status);
  }

  protected print(text: string | Uint8Array): void {
    this.outcome.out.push(typeof text === "string" ? encode(text) : text);
  }

  protected note(text: string): void {
    this.outcome.notes.push(text);
  }

  /** Edits and summaries, which --quiet leaves out. */
  private aside(text: string): void {
    if (!this.given.quiet) this.note(text);
  }
}

/** Returns ":LINE:COLUMN" of a byte; in JSONL the line is known. */
function position(part: Part, offset: number | null): string {
  if (offset === null) return "";
  const before = part.text.subarray(0, offset);
  const lines = before.filter((byte) => byte === 0x0a).length;
  const column = Math.min(offset, part.text.length) - before.lastIndexOf(0x0a);
  return part.line === null ? `:${lines + 1}:${column}` : `:${column}`;
}

/** Returns "1 edit", "2 edits". */
export function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
