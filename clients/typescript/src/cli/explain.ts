// SPDX-License-Identifier: Apache-2.0

/** Names the rules that a provider's refusal belongs to, as the C program does. */

import * as calls from "../calls.js";
import type { Explanation, Match, RefusedPlace } from "../results/explanations.js";
import { encode } from "../wire/text.js";
import { ask, type Links, type Raw } from "./asking.js";
import { type Arguments, Usage } from "./options.js";
import { compact, items, member, type Span } from "./spans.js";
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

/** The matches of an answer, each with its bytes, best first. */
export type Found = readonly { readonly match: Match; readonly text: Uint8Array }[];

export function foundIn({ read, raw: { bytes, span } }: { read: Explanation; raw: Raw }): Found {
  const texts = items(bytes, member(bytes, span, "matches") ?? { from: 0, to: 0 });
  return read.matches.map((match, at) => ({ match, text: compact(bytes, texts[at] as Span) }));
}

/** Returns the matches with those of a provider first; their order is otherwise the same. */
export function preferred(found: Found, provider: string): Found {
  const isOwn = (one: Found[number]): boolean => one.match.provider === provider;
  return [...found.filter(isOwn), ...found.filter((one) => !isOwn(one))];
}

/**
 * Returns the text for stdout. `alone`: no file comes with the matches, so what repair does is what the catalogue says; else
 * that is only told of rules that nothing here judges.
 */
export function told(found: Found, asJson: boolean, alone: boolean, out: Painter): Uint8Array {
  if (!asJson) return encode(found.map(({ match }) => described(match, alone, out)).join("\n"));
  const listed = found.flatMap(({ text }, at) => (at === 0 ? [text] : [encode(","), text]));
  return Buffer.concat([encode('{"matches":['), ...listed, encode("]}\n")]);
}

function described(match: Match, alone: boolean, out: Painter): string {
  const { code, provider, severity, judged, text, action, preserve, place } = match;
  const edits: (readonly [string, string | null])[] = [
    ["repair", action], ["repair, policy preserve", preserve], ["way out", wayOut(match)],
  ];
  const items = [["fault", text] as const, ["place", placed(place)] as const, ...(alone || !judged ? edits : [])];
  const lines = items.flatMap(([mark, about]) => (about === null || about === "" ? [] : [`  ${mark}: ${clean(about)}\n`]));
  return `${out.paint("bold", clean(code))} (${clean(provider)}, ${clean(severity)})\n${lines.join("")}`;
}

function placed({ pointer, message, block, id }: RefusedPlace): string {
  const named = Object.entries({ message, block, id }).flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]));
  return [...(pointer ? [pointer] : []), ...named].join(", ");
}

const OWN = "report: "; // before the way out of a rule that is only reported

/** Returns true if repair edits something because of a rule. */
function isEdit(action: string | null): boolean {
  return action !== null && action !== "" && !action.startsWith("report") && !action.startsWith("none");
}

function wayOut({ judged, action, preserve }: Match): string {
  if (!judged && action) return "turnkeeper can't find this fault by itself: make this edit, then send the request once more";
  if (!judged) return "turnkeeper can't find this fault, and no edit of the history helps: change the request";
  if (isEdit(action)) return "turnkeeper repair makes this edit; store the original, send the repaired copy";
  if (action?.startsWith(OWN)) return action.slice(OWN.length);
  if (isEdit(preserve)) {
    return "turnkeeper repair --policy preserve makes this edit; store the original, send the repaired copy";
  }
  return "no edit helps: change what is sent, as the fault says";
}
