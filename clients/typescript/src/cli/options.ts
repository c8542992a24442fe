// SPDX-License-Identifier: Apache-2.0

/** The options of the command, which are those of the C program `turnkeeper` (turnkeeper(1)). */

import { readFileSync } from "node:fs";

import type { RepairOptions } from "../params.js";

/** A fault of a command line; the command ends with status 2. */
export class Usage extends Error {}

export interface Arguments {
  command: string;
  files: string[];
  /** The parameters of the method. */
  params: RepairOptions;
  socket?: string;
  daemon: boolean;
  output?: string;
  inPlace: boolean;
  backup: boolean;
  check: boolean;
  diff: boolean;
  jsonl: boolean;
  json: boolean;
  /** A JSON pointer to the history in each document. */
  at?: string;
  /** Bytes of the largest document or line. */
  maxDocument: number;
  /** auto, always or never. */
  color: string;
  verbose: boolean;
  quiet: boolean;
}

interface Option {
  readonly name: string;
  readonly short?: string;
  /** The name of its value in the help; absent: it takes none. */
  readonly value?: string;
  readonly help: string;
  /** Of `repair` alone. */
  readonly repairs?: true;
  /** Of `validate` and `repair`, which list and sum up findings. */
  readonly lists?: true;
  put(to: Arguments, value: string): void;
}

const LARGEST_DOCUMENT = 2 ** 30;
const COLORS = ["auto", "always", "never"];

const OPTIONS: readonly Option[] = [
  { name: "dialect", value: "NAME", help: "format of the messages [detected, else anthropic]",
    put: (to, value) => (to.params.dialect = value) },
  { name: "provider", value: "NAME", help: "provider whose rules apply [detected, else anthropic]",
    put: (to, value) => (to.params.provider = value) },
  { name: "policy", value: "NAME|JSON", help: "policy by name, or as an object (JSON or @FILE) [conservative]",
    put: (to, value) => (to.params.policy = (/^[{@]/.test(value) ? jsonOrFile("policy", value) : value) as never) },
  { name: "target", value: "TARGET", help: "where the request will be sent: ENDPOINT[:MODEL], or an object",
    put: (to, value) => (to.params.target = { ...to.params.target, ...target(value) }) },
  { name: "model", value: "NAME", help: "the model that the request is for [the request's own]",
    put: (to, value) => (to.params.target = { ...to.params.target, model: value }) },
  { name: "betas", value: "LIST", help: "the values of the request's beta header: A,B or a JSON list",
    put: (to, value) => (to.params.betas = value.startsWith("[") ? (json("betas", value) as string[]) : value) },
  { name: "provenance", value: "WHAT", help: "turns are stored as received (wire) or were rebuilt from parts (rebuilt)",
    put: (to, value) => (to.params.provenance = value) },
  { name: "seals", value: "JSON", help: "seals of turns in this history: a JSON list or @FILE",
    put: (to, value) => (to.params.seals = jsonOrFile("seals", value) as never) },
  { name: "max-violations", value: "N", help: "list at most N findings per document (all are counted) [256]", lists: true,
    put: (to, value) => (to.params.maxViolations = number("max-violations", value)) },
  { name: "no-guard", help: "write the document even if errors remain", repairs: true,
    put: (to) => (to.params.guard = false) },
  { name: "output", short: "o", value: "FILE", help: "write the document to FILE", repairs: true,
    put: (to, value) => (to.output = value) },
  { name: "in-place", short: "i", help: "replace the input file; keep the original as FILE.orig", repairs: true,
    put: (to) => (to.inPlace = true) },
  { name: "no-backup", help: "keep no original when the input file is replaced", repairs: true,
    put: (to) => (to.backup = false) },
  { name: "check", help: "write nothing; exit 1 if something would change", repairs: true,
    put: (to) => (to.check = true) },
  { name: "diff", help: "print the edit as a unified diff instead of the document", repairs: true,
    put: (to) => (to.diff = true) },
  { name: "jsonl", help: "read one document per line (detected for two lines or more)", put: (to) => (to.jsonl = true) },
  { name: "at", value: "POINTER", help: "JSON pointer to the history in a larger document", put: (to, value) => (to.at = value) },
  { name: "max-document", value: "BYTES", help: "largest document or line to read [1073741824]",
    put: (to, value) => (to.maxDocument = size(value)) },
  { name: "json", help: "print the result object, one per line", put: (to) => (to.json = true) },
  { name: "socket", value: "PATH", help: "do the work in the daemon, over its main socket PATH",
    put: (to, value) => (to.socket = value) },
  { name: "daemon", help: "do the work in the daemon, over its default socket", put: (to) => (to.daemon = true) },
  { name: "timeout-ms", value: "N", help: "give up after N milliseconds",
    put: (to, value) => (to.params.timeout = number("timeout-ms", value)) },
  { name: "color", value: "WHEN", help: "colour: auto (on a terminal), always or never [auto]",
    put: (to, value) => (to.color = colour(value)) },
  { name: "verbose", short: "v", help: "also print what the provider would have answered", put: (to) => (to.verbose = true) },
  { name: "quiet", short: "q", help: "print no edits and no summary", lists: true, put: (to) => (to.quiet = true) },
];

const PURPOSE: Readonly<Record<string, string>> = {
  validate: "list every fault that the provider would refuse",
  repair: "make a history acceptable with the fewest edits",
  explain: "name the rule that a provider's refusal belongs to",
};

/** Reads a command line; Usage with what is wrong. The first argument is the command. */
export function parsed(line: readonly string[]): Arguments {
  const [command, ...rest] = line;
  if (command === undefined || PURPOSE[command] === undefined) {
    throw new Usage(`${command ?? "no command"}: this command has validate, repair and explain; the program of the daemon has more`);
  }
  const made: Arguments = {
    command, files: [], params: {}, daemon: false, inPlace: false, backup: true, check: false, diff: false, jsonl: false,
    json: false, maxDocument: LARGEST_DOCUMENT, color: "auto", verbose: false, quiet: false,
  };
  while (rest.length > 0) {
    const word = rest.shift() as string;
    if (word === "--") made.files.push(...rest.splice(0));
    else if (word === "-" || !word.startsWith("-")) made.files.push(word);
    else take(made, word, rest);
  }
  if (command === "explain") return checkedOperands(made);
  if (made.files.length === 0) made.files.push("-");
  const why = command === "repair" ? contradiction(made) : null;
  if (why !== null) throw new Usage(why);
  return made;
}

/** The operands of explain are TEXT and perhaps FILE. */
function checkedOperands(made: Arguments): Arguments {
  const [text, file, ...more] = made.files;
  if (text === undefined) throw new Usage("explain needs TEXT|- [FILE|-]");
  if (more.length > 0) throw new Usage(`unexpected argument '${more[0]}'`);
  if (text === "-" && file === "-") throw new Usage("TEXT and FILE can't both be stdin");
  return made;
}

/** Returns why options of repair contradict each other; null if they don't. */
function contradiction({ check, diff, files, inPlace, json, output }: Arguments): string | null {
  const reports = check || diff || json;
  const several = files.length > 1;
  if (output !== undefined && inPlace) return "--output and --in-place exclude each other";
  if (check && (inPlace || output !== undefined)) return "--check writes nothing: neither --output nor --in-place goes with it";
  if (diff && json) return "--diff and --json exclude each other";
  if (reports && output === "-") return "stdout can't have both the document and --diff or --json";
  if (several && output !== undefined) return "--output takes the document of one file";
  if (several && !inPlace && !reports) return "several files need --in-place, --check, --diff or --json";
  if (inPlace && files.includes("-")) return "--in-place needs a file, not stdin";
  return null;
}

function take(made: Arguments, word: string, rest: string[]): void {
  const [name, given] = split(word);
  const option = OPTIONS.find((row) => (word.startsWith("--") ? row.name : row.short) === name);
  const foreign = (option?.repairs && made.command !== "repair") || (option?.lists && made.command === "explain");
  if (option === undefined || foreign) throw new Usage(`unknown option '${word}'`);
  if (option.value === undefined && given !== undefined) throw new Usage(`--${option.name} takes no value`);
  const value = option.value === undefined ? "" : (given ?? rest.shift());
  if (value === undefined) throw new Usage(`--${option.name} needs a value`);
  option.put(made, value);
}

/** `--name=value` and `-oVALUE` have their value in the same word. */
function split(word: string): [name: string, value: string | undefined] {
  if (!word.startsWith("--")) return [word.slice(1, 2), word.length > 2 ? word.slice(2) : undefined];
  const at = word.indexOf("=");
  return at < 0 ? [word.slice(2), undefined] : [word.slice(2, at), word.slice(at + 1)];
}

function json(name: string, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw new Usage(`--${name}: not JSON`);
  }
}

/** `@FILE` has its value in a file. */
function jsonOrFile(name: string, value: string): unknown {
  return json(name, value.startsWith("@") ? readFileSync(value.slice(1), "utf8") : value);
}

function size(value: string): number {
  const bytes = /^[0-9]{1,10}$/.test(value) ? Number(value) : 0;
  if (bytes < 1 || bytes > LARGEST_DOCUMENT) throw new Usage(`--max-document needs a number from 1 to ${LARGEST_DOCUMENT}`);
  return bytes;
}

function colour(value: string): string {
  if (!COLORS.includes(value)) throw new Usage("--color is auto, always or never");
  return value;
}

function number(name: string, value: string): number {
  if (!/^[0-9]{1,9}$/.test(value)) throw new Usage(`--${name}: a whole number`);
  return Number(value);
}

function target(value: string): Record<string, string> {
  if (value.startsWith("{")) return json("target", value) as Record<string, string>;
  const at = value.indexOf(":");
  return at < 0 ? { endpoint: value } : { endpoint: value.slice(0, at), model: value.slice(at + 1) };
}

/** Returns the text of --help. */
export function help(): string {
  const commands = Object.entries(PURPOSE).map(([name, purpose]) => `  ${name.padEnd(10)} ${purpose}`);
  const options = OPTIONS.map(({ name, short, value, help: text, repairs }) => {
    const words = `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : " " + value}`;
    return `  ${words.padEnd(28)} ${text}${repairs ? " (repair)" : ""}`;
  });
  return [
    "Usage: turnkeeper validate|repair [OPTION]... [FILE|-]...", "       turnkeeper explain [OPTION]... TEXT|- [FILE|-]", "",
    ...commands, "", "Options:", ...options,
    "  -h, --help                   print this help", "  -V, --version                print the version", "",
    "Exit status: 0 valid, safe, or a rule was found; 1 errors remain, or no rule has these words; 2 unreadable input,",
    "usage or no daemon.", "",
  ].join("\n");
}
