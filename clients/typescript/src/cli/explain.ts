// SPDX-License-Identifier: Apache-2.0

/** Names the rules that a provider's refusal belongs to, as the C program does. */

import * as calls from "../calls.js";
import type { Explanation, Match, RefusedPlace } from "../results/explanations.js";
import { encode } from "../wire/text.js";
import { ask, type Links, type Raw } from "./asking.js";
import { type Arguments, Usage } from "./options.js";
import { compact } from "./spans.js";
import { clean, type Painter } from "./style.js";

const LONGEST = 65_536; // bytes of a text

/** Reads TEXT of the command line: the word itself, or what `stdin` gives for "-". Usage if no method takes it. */
export function textOf(word: string, stdin: () => Uint8Array): string {
  const bytes = word === "-" ? stdin() : encode(word);
  if (bytes.length > LONGEST) {
    throw new Usage(`TEXT: more than ${LONGEST} bytes: give the error's message or body alone`);
  }
  if (bytes.length === 0) throw new Usage("TEXT: there is nothing in it");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Usage("TEXT: not UTF-8");
  }
}

/** Asks for the rules of a text. `raw`: the answer's bytes. */
export async function explained(links: Links, given: Arguments, text: string): Promise<{ read: Explanation; raw: Raw }> {
  const { provider, timeout } = given.params;
  const options = { ...(provider === undefined ? {} : { provider }), ...(timeout === undefined ? {} : { timeout }) };
  return ask(links, given.params, () => calls.explain(text, options));
}

/** Returns the text for stdout. */
export function told({ read, raw }: { read: Explanation; raw: Raw }, asJson: boolean, out: Painter): Uint8Array {
  if (asJson) return Buffer.concat([compact(raw.bytes, raw.span), encode("\n")]);
  return encode(read.matches.map((match) => described(match, out)).join("\n"));
}

function described(match: Match, out: Painter): string {
  const { code, provider, severity, text, action, preserve, place } = match;
  const items: (readonly [string, string | null])[] = [
    ["fault", text], ["place", placed(place)], ["repair", action], ["repair, policy preserve", preserve], ["way out", wayOut(match)],
  ];
  const lines = items.flatMap(([mark, about]) => (about === null || about === "" ? [] : [`  ${mark}: ${clean(about)}\n`]));
  return `${out.paint("bold", clean(code))} (${clean(provider)}, ${clean(severity)})\n${lines.join("")}`;
}

function placed({ pointer, message, block, id }: RefusedPlace): string {
  const named = Object.entries({ message, block, id }).flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]));
  return [...(pointer ? [pointer] : []), ...named].join(", ");
}

function wayOut({ judged, action }: Match): string {
  if (judged && action !== null) return "turnkeeper repair makes this edit; store the original, send the repaired copy";
  if (judged) return "no edit helps: change what is sent, as the fault says";
  if (action !== null) return "turnkeeper can't find this fault by itself: make this edit, then send the request once more";
  return "turnkeeper can't find this fault, and no edit of the history helps: change the request";
}
