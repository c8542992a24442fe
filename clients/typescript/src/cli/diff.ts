// SPDX-License-Identifier: Apache-2.0

/**
 * A unified diff, by the algorithm of the C program (src/cli/show/diff.c): where two lines differ, it looks for the nearest
 * place at which two lines in a row are equal again, with the fewest lines skipped on both sides.
 */

import type { Painter } from "./style.js";

const CONTEXT = 3;
const OPEN_END = "\\ No newline at end of file\n";

/** Lines without their line feeds, one character a byte; `open`: the last one has no line feed. */
interface Lines {
  readonly lines: readonly string[];
  readonly open: boolean;
}

interface Change {
  readonly old: number;
  readonly removed: number;
  readonly now: number;
  readonly added: number;
}

/** Bytes as a string of as many characters, and back: a line of any bytes can be compared and printed. */
function characters(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

function lines(text: Uint8Array): Lines {
  const found = characters(text).split("\n");
  const open = found[found.length - 1] !== "";
  return { lines: open ? found : found.slice(0, -1), open };
}

/** Returns a line as it is compared: one without a line feed differs from the same with one. */
function line({ lines, open }: Lines, at: number): string | undefined {
  const found = lines[at];
  return open && at === lines.length - 1 ? found + "\n" : found;
}

function pair(text: Lines, at: number): string {
  return `${line(text, at)}\n${line(text, at + 1) ?? "\n"}`;
}

/** Returns the places of each two lines in a row, in their order. */
function pairs(text: Lines): Map<string, number[]> {
  const found = new Map<string, number[]>();
  text.lines.forEach((_, at) => {
    const key = pair(text, at);
    const places = found.get(key);
    if (places === undefined) found.set(key, [at]);
    else places.push(at);
  });
  return found;
}

function firstFrom(places: readonly number[], from: number): number | undefined {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return places[low];
}

function changes(before: Lines, after: Lines): Change[] {
  const places = pairs(before);
  const found: Change[] = [];
  for (let old = 0, now = 0; old < before.lines.length || now < after.lines.length; ) {
    if (line(before, old) === line(after, now)) {
      old++;
      now++;
      continue;
    }
    let best = { old, removed: before.lines.length - old, now, added: after.lines.length - now };
    for (let skipped = 0; skipped < best.removed + best.added && now + skipped < after.lines.length; skipped++) {
      const at = firstFrom(places.get(pair(after, now + skipped)) ?? [], old);
      if (at !== undefined && at - old + skipped < best.removed + best.added) {
        best = { old, removed: at - old, now, added: skipped };
      }
    }
    found.push(best);
    old += best.removed;
    now += best.added;
  }
  return found;
}

/** Returns the changes in groups that have no more than twice the context between them. */
function hunks(found: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of found) {
    const group = groups[groups.length - 1];
    const last = group?.[group.length - 1];
    if (group !== undefined && last !== undefined && change.old - (last.old + last.removed) <= 2 * CONTEXT) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** An empty range is named by the line before it. */
function range(sign: string, from: number, count: number): string {
  return `${sign}${from + 1 - (count === 0 ? 1 : 0)}${count === 1 ? "" : "," + count}`;
}

class Printer {
  text = "";

  constructor(private readonly painter: Painter) {}

  line(sign: string, line: string): void {
    this.text += (sign === " " ? sign + line : this.painter.paint(sign === "-" ? "old" : "new", sign + line)) + "\n";
  }

  lines(sign: string, { lines, open }: Lines, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      this.line(sign, lines[at] as string);
      if (open && at + 1 === lines.length) this.text += OPEN_END;
    }
  }

  head(old: string, now: string): void {
    this.text += this.painter.paint("note", `@@ ${old} ${now} @@`) + "\n";
  }

  hunk(before: Lines, after: Lines, group: readonly Change[]): void {
    const [first, last] = [group[0] as Change, group[group.length - 1] as Change];
    const lead = Math.min(first.old, CONTEXT);
    const end = last.old + last.removed;
    const tail = Math.min(before.lines.length - end, CONTEXT);
    let at = first.old - lead;
    const from = first.now - lead;
    this.head(range("-", at, end + tail - at), range("+", from, last.now + last.added + tail - from));
    for (const change of group) {
      this.lines(" ", before, at, change.old);
      this.lines("-", before, change.old, change.old + change.removed);
      this.lines("+", after, change.now, change.now + change.added);
      at = change.old + change.removed;
    }
    this.lines(" ", before, at, at + tail);
  }
}

export function diffHead(painter: Painter, name: string): Uint8Array {
  const text = ["--- ", "+++ "].map((sign) => painter.paint("bold", sign + name) + "\n").join("");
  return new TextEncoder().encode(text);
}

/** Returns the hunks between two texts. */
export function diff(painter: Painter, before: Uint8Array, after: Uint8Array): Uint8Array {
  const printer = new Printer(painter);
  const [old, now] = [lines(before), lines(after)];
  hunks(changes(old, now)).forEach((group) => printer.hunk(old, now, group));
  return bytes(printer.text);
}

/** Returns the hunk of one line that was exchanged; `open`: it has no line feed. */
export function diffLine(painter: Painter, number: number, before: Uint8Array, after: Uint8Array, open: boolean): Uint8Array {
  const printer = new Printer(painter);
  printer.head(`-${number}`, `+${number}`);
  for (const [sign, text] of [["-", before], ["+", after]] as const) {
    printer.line(sign, characters(text));
    if (open) printer.text += OPEN_END;
  }
  return bytes(printer.text);
}
