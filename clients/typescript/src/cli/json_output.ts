// SPDX-License-Identifier: Apache-2.0

/**
 * The lines of --json, which are those of the C program: results as the answer has them, and for validate a row with the same
 * members for each document where a run has several. Values are copied as bytes, so that no number changes.
 */

import { encode } from "../wire/text.js";
import type { Fault, Format, Raw } from "./asking.js";
import { compact, items, member, members, type Span } from "./spans.js";

/** The document that a line is about. `line`: null for a file that is one document; `many`: the command has several files. */
export interface Place {
  readonly file: string;
  readonly line: number | null;
  readonly many: boolean;
}

type Text = string | Uint8Array;

const FINDING = ["code", "severity", "message_index", "part_index", "pointer", "id", "tool", "text", "provider_error"];
const UNKNOWN = ["provider", "dialect", "valid", "message_count", "part_count", "protected"];
const FIRST = "anthropic"; // of all others a result has the name

function join(texts: readonly Text[]): Uint8Array {
  return Buffer.concat(texts.map((text) => (typeof text === "string" ? encode(text) : text)));
}

function object(entries: readonly (readonly [string, Text])[]): Uint8Array {
  const texts = entries.flatMap(([key, value], at) => [`${at === 0 ? "" : ","}${JSON.stringify(key)}:`, value]);
  return join(["{", ...texts, "}"]);
}

function list(values: readonly Text[]): Uint8Array {
  return join(["[", ...values.flatMap((value, at) => (at === 0 ? [value] : [",", value])), "]"]);
}

/** Returns the members as one line. Where there are several files it begins with the document's place. */
function framed({ file, line, many }: Place, key: string, value: Text, always: boolean): Uint8Array {
  if (!many && !always) return join([value, "\n"]);
  const about: [string, string][] = many ? [["file", JSON.stringify(file)]] : [];
  if (many && line !== null) about.push(["line", String(line)]);
  return join([object([...about, [key, value]]), "\n"]);
}

/** Returns the line of a result. */
export function resultLine(place: Place, { provider }: Format, { bytes, span }: Raw): Uint8Array {
  const own = members(bytes, span).map((one): [string, Text] => [one.key, compact(bytes, one)]);
  const named: [string, Text][] = provider === FIRST ? [] : [["provider", JSON.stringify(provider)]];
  return framed(place, "result", object([...named, ...own]), false);
}

/** Returns the line of an error. */
export function faultLine(place: Place, fault: Fault): Uint8Array {
  const { name, message, offset, unsafe } = fault;
  if (unsafe === null) {
    const at: [string, string][] = offset === null ? [] : [["offset", String(offset)]];
    return framed(place, "error", object([["name", JSON.stringify(name)], ["message", JSON.stringify(message)], ...at]), true);
  }
  const { bytes, span } = unsafe.raw;
  const data = member(bytes, span, "data");
  const known = data === null ? [] : members(bytes, data).map((one): [string, Text] => [one.key, compact(bytes, one)]);
  return framed(place, "error", object([["message", JSON.stringify(message)], ...known]), true);
}

// -- Rows of validate --

function start({ file, line }: Place): [string, Text][] {
  return [["file", JSON.stringify(file)], ["line", String(line)]];
}

function copied({ bytes }: Raw, from: Span, keys: readonly string[]): [string, Text][] {
  return keys.map((key) => {
    const found = member(bytes, from, key);
    return [key, found === null ? "null" : bytes.subarray(found.from, found.to)];
  });
}

/** Returns the row of a document that was judged. */
export function row(place: Place, { provider, dialect }: Format, raw: Raw): Uint8Array {
  const { bytes, span } = raw;
  const findings = items(bytes, member(bytes, span, "violations") ?? { from: 0, to: 0 });
  const counts = members(bytes, member(bytes, span, "counts") ?? { from: 0, to: 0 });
  const count = ({ key, from, to }: { key: string } & Span): Text =>
    object([["code", JSON.stringify(key)], ["count", bytes.subarray(from, to)]]);
  return join([object([
    ...start(place),
    ["provider", JSON.stringify(provider)], ["dialect", JSON.stringify(dialect)],
    ...copied(raw, span, ["valid", "message_count", "part_count", "protected"]),
    ["violations", list(findings.map((finding) => object(copied(raw, finding, FINDING))))],
    ["counts", list(counts.map(count))],
    ...copied(raw, span, ["truncated"]),
    ["error", "null"],
  ]), "\n"]);
}

/** What repair makes of a history. `raw`: the members of its answer, or of its error's data; null: it has none. */
export interface Repaired {
  readonly safe: boolean;
  readonly changed: boolean;
  readonly raw: { readonly bytes: Uint8Array; readonly span: Span | null };
}

/** Returns the line of a document's findings that fit a refusal; `fits`, `near`: which of them, by their number. */
export function fitLine(
  { file, line }: Place,
  { bytes, span }: Raw,
  fits: (finding: number) => boolean,
  near: (finding: number) => boolean,
  { safe, changed, raw }: Repaired,
): Uint8Array {
  const findings = items(bytes, member(bytes, span, "violations") ?? { from: 0, to: 0 });
  const chosen = (by: (finding: number) => boolean): Text =>
    list(findings.filter((_, at) => by(at)).map((finding) => bytes.subarray(finding.from, finding.to)));
  const listed = (key: string): [string, Text] => {
    const found = raw.span === null ? null : member(raw.bytes, raw.span, key);
    return [key, found === null ? "[]" : raw.bytes.subarray(found.from, found.to)];
  };
  const repair = object([["safe", String(safe)], ["changed", String(changed)], listed("edits"), listed("violations")]);
  const numbered: [string, Text][] = line === null ? [] : [["line", String(line)]];
  return join([object([
    ["file", JSON.stringify(file)], ...numbered, ["fits", chosen(fits)], ["at_place", chosen(near)], ["repair", repair],
  ]), "\n"]);
}

/** Returns the row of a document that can't be read. */
export function faultRow(place: Place, { name, message, offset }: Fault): Uint8Array {
  const nothing = UNKNOWN.map((key): [string, Text] => [key, "null"]);
  const error = object([
    ["name", JSON.stringify(name)], ["message", JSON.stringify(message)], ["pointer", "null"],
    ["offset", offset === null ? "null" : String(offset)],
  ]);
  const empty: [string, Text][] = [["violations", "[]"], ["counts", "[]"], ["truncated", "null"]];
  return join([object([...start(place), ...nothing, ...empty, ["error", error]]), "\n"]);
}
