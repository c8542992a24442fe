// SPDX-License-Identifier: Apache-2.0

/** Validates or repairs the documents of one file. */

import type { Call } from "../call.js";
import * as calls from "../calls.js";
import { RemoteError } from "../errors.js";
import { DialectMismatch, UnsafeHistory } from "../errors_by_name.js";
import type { Link } from "../link.js";
import type { RepairOptions } from "../params.js";
import type { Finding } from "../results/findings.js";
import { isBlank, type Part, parts } from "./documents.js";
import type { Arguments } from "./options.js";

/** Exit statuses, the worst of a run last. */
export const OK = 0;
export const ERRORS = 1;
export const UNREADABLE = 2;

/** The outcome of one file. */
export interface Outcome {
  status: number;
  /** For stdout: findings, results, or the repaired file. */
  out: Uint8Array[];
  /** For stderr. */
  notes: string[];
  /** True: nothing may be written, because a single document is unsafe or unreadable. */
  refused: boolean;
  changed: boolean;
}

type Asked = Link<"now"> | Link<"later">;

const DIALECTS = new Set(["fantasy", "ai-sdk"]);

export async function run(link: Asked, name: string, bytes: Uint8Array, given: Arguments): Promise<Outcome> {
  const found = parts(bytes, given.jsonl);
  const outcome: Outcome = { status: OK, out: [], notes: [], refused: false, changed: false };
  for (const part of found) {
    if (part.line !== null && isBlank(part.text)) keep(outcome, given, part);
    else await judge(link, place(name, part), part, given, outcome);
  }
  return outcome;
}

async function judge(link: Asked, at: string, part: Part, given: Arguments, outcome: Outcome): Promise<void> {
  try {
    if (given.command === "validate") await validate(link, at, part, given, outcome);
    else await repair(link, at, part, given, outcome);
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    failed(at, part, error, given, outcome);
  }
}

async function validate(link: Asked, at: string, part: Part, given: Arguments, outcome: Outcome): Promise<void> {
  const report = await asked(link, given, (params) => calls.validateText(part.text, params));
  if (!report.valid) outcome.status = Math.max(outcome.status, ERRORS);
  if (given.json) return print(outcome, JSON.stringify(report.raw));
  report.violations.forEach((finding) => print(outcome, shown(at, finding)));
  const { truncated } = report;
  if (truncated > 0) print(outcome, `${at}: note: ${counted(truncated, "more finding")} not listed (--max-violations)`);
  const worth = report.valid ? "valid" : "not valid";
  const found = counted(sum(report.counts), "finding");
  outcome.notes.push(`${at}: ${worth}, ${found} (${counted(report.messageCount, "message")})`);
}

async function repair(link: Asked, at: string, part: Part, given: Arguments, outcome: Outcome): Promise<void> {
  const fixed = await asked(link, given, (params) => calls.repairBody(part.text, params));
  if (!fixed.safe) outcome.status = Math.max(outcome.status, ERRORS);
  if (given.check && fixed.changed) outcome.status = Math.max(outcome.status, ERRORS);
  outcome.changed ||= fixed.changed;
  for (const { pointer, action, id, tool, code } of fixed.edits) {
    const about = [tool, id === null ? null : `(${id})`].filter((word) => word !== null).join(" ");
    outcome.notes.push(`${at}:${pointer}: ${action}${about === "" ? "" : " " + about} [${code}]`);
  }
  fixed.violations.forEach((finding) => outcome.notes.push(shown(at, finding)));
  outcome.notes.push(`${at}: ${counted(fixed.edits.length, "edit")}, ${counted(sum(fixed.counts), "finding")} remain`);
  if (given.json) print(outcome, JSON.stringify(fixed.raw));
  else outcome.out.push(fixed.body, part.end);
}

/** Asks, and once more in the format that the history turned out to have. */
async function asked<T>(link: Asked, given: Arguments, make: (params: RepairOptions) => Call<T>): Promise<T> {
  try {
    return await link.run(() => make(given.params));
  } catch (error) {
    const { dialect, provider } = given.params;
    const known = error instanceof DialectMismatch && dialect === undefined && provider === undefined;
    if (!known || error.looksLike === null) throw error;
    const found = DIALECTS.has(error.looksLike) ? { dialect: error.looksLike } : { provider: error.looksLike };
    return await link.run(() => make({ ...given.params, ...found }));
  }
}

/** An unsafe history is an error that remains; whatever else the answer says makes the document unreadable. */
function failed(at: string, part: Part, error: RemoteError, given: Arguments, outcome: Outcome): void {
  const unsafe = error instanceof UnsafeHistory;
  outcome.status = Math.max(outcome.status, unsafe ? ERRORS : UNREADABLE);
  outcome.refused ||= part.line === null;
  if (unsafe) error.violations.forEach((finding) => outcome.notes.push(shown(at, finding)));
  else outcome.notes.push(`${at}: error: ${error.message} [${error.name}]`);
  if (given.json) print(outcome, JSON.stringify({ error: { name: error.name, message: error.said, data: error.data } }));
  else keep(outcome, given, part);
}

/** A line that isn't repaired is passed on as it is. */
function keep(outcome: Outcome, given: Arguments, part: Part): void {
  if (given.command === "repair" && !given.json && part.line !== null) outcome.out.push(part.text, part.end);
}

function shown(at: string, { pointer, severity, text, code }: Finding): string {
  return `${at}:${pointer === "" ? "/" : pointer}: ${severity}: ${text} [${code}]`;
}

function place(name: string, { line }: Part): string {
  return line === null ? name : `${name}:${line}`;
}

function print(outcome: Outcome, text: string): void {
  outcome.out.push(new TextEncoder().encode(text + "\n"));
}

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
