#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0

/** npx turnkeeper validate|repair FILE, npx turnkeeper explain TEXT [FILE]: see options.ts. */

import { copyFileSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";

import { TurnkeeperError } from "../errors.js";
import { load } from "../local/local.js";
import { connect } from "../socket/socket.js";
import { VERSION } from "../version.js";
import { Fault, Links } from "./asking.js";
import { explained, foundIn, textOf, told } from "./explain.js";
import { Fitting } from "./fitting.js";
import { type Arguments, help, parsed, Usage } from "./options.js";
import { ERRORS, OK, type Outcome, type Painters, Run, UNREADABLE } from "./run.js";
import { painter } from "./style.js";

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;

/** A JSON document may be as large as a daemon could be configured to take. */
const LIMITS = { maxFrame: 2 ** 30, maxAnswer: 2 ** 31 };

async function main(line: readonly string[]): Promise<number> {
  if (line.some((word) => word === "--help" || word === "-h")) return say(help());
  if (line.some((word) => word === "--version" || word === "-V")) return say(`turnkeeper ${VERSION}\n`);
  const given = parsed(line);
  const keeper = given.socket !== undefined || given.daemon ? await connect(given.socket) : await load({ limits: LIMITS });
  const painters: Painters = { out: painter(STDOUT, given.color), notes: painter(STDERR, given.color) };
  let status = OK;
  const open = (): Links => new Links(() => keeper.link()); // one a file: it shows no trace of the files before it
  try {
    if (given.command === "explain") return await explain(given, open, painters);
    for (const name of given.files) {
      const links = open();
      status = Math.max(status, await one(name, given, (bytes) => new Run(links, name, given, painters).of(bytes)));
      links.close();
    }
  } finally {
    keeper.close();
  }
  return status;
}

/** Prints the rules of a refusal, and what of a file fits them. */
async function explain(given: Arguments, open: () => Links, painters: Painters): Promise<number> {
  const [word, name] = given.files as [string, string?];
  const links = open();
  const found = foundIn(await explained(links, given, textOf(word, () => readFileSync(STDIN))));
  links.close();
  if (name === undefined || found.length === 0) write(STDOUT, told(found, given.json, true, painters.out));
  if (found.length === 0) {
    complain("no rule has these words");
    return ERRORS;
  }
  if (name === undefined) return OK;
  const file = { ...given, files: [name] };
  const asked = open();
  let isRead = false;
  try {
    return await one(name, file, (bytes) => {
      isRead = true;
      return new Fitting(asked, name, file, painters, found).of(bytes);
    });
  } finally {
    if (!isRead) write(STDOUT, told(found, given.json, true, painters.out));
    asked.close();
  }
}

/** One file; what can't be read is told, and the next one follows. */
async function one(name: string, given: Arguments, judged: (bytes: Uint8Array) => Promise<Outcome>): Promise<number> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(name === "-" ? STDIN : name);
  } catch (error) {
    complain(`${name}: ${(error as Error).message}`);
    return UNREADABLE;
  }
  const outcome = await judged(bytes);
  outcome.notes.forEach((note) => process.stderr.write(note + "\n"));
  write(STDOUT, Buffer.concat(outcome.out));
  if (given.command === "repair" && !outcome.refused) put(name, given, outcome);
  return outcome.status;
}

/** Writes the repaired file, unless the command only tells about it. */
function put(name: string, given: Arguments, outcome: Outcome): void {
  const whole = Buffer.concat(outcome.document);
  if (given.inPlace) replace(name, whole, given.backup, outcome.changed);
  else if (given.output !== undefined && given.output !== "-") writeFileSync(given.output, whole);
  else if (!given.check && !given.diff && !given.json) write(STDOUT, whole);
}

/** Replaces a file atomically: a reader sees the old one or the new one. A link still leads to it. */
function replace(name: string, whole: Uint8Array, backup: boolean, changed: boolean): void {
  if (!changed) return;
  const place = realpathSync(name);
  const temporary = `${place}.tmp${process.pid}`;
  if (backup) copyFileSync(place, place + ".orig");
  try {
    writeFileSync(temporary, whole, { mode: statSync(place).mode, flag: "wx" });
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Writes all of it, also to a pipe that takes only some at a time. */
function write(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if ((error as { code?: string }).code !== "EAGAIN") throw error;
    }
  }
}

function say(text: string): number {
  write(STDOUT, Buffer.from(text));
  return OK;
}

/** An error of this package, or of the file system, which has a code. */
function isExpected(error: unknown): error is Error {
  return error instanceof TurnkeeperError || (error as { code?: string }).code !== undefined;
}

function complain(text: string): void {
  process.stderr.write(`turnkeeper: ${text}\n`);
}

main(process.argv.slice(2)).then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    if (error instanceof Usage && process.argv.length <= 2) process.stderr.write(help());
    else if (error instanceof Usage) complain(`${error.message}\nTry 'turnkeeper --help'.`);
    else if (error instanceof Fault || isExpected(error)) complain(error.message);
    else throw error;
    process.exitCode = UNREADABLE;
  },
);
