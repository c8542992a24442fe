// SPDX-License-Identifier: Apache-2.0

/** Colours, and text that a terminal can show without being led astray. */

import { isatty } from "node:tty";

const CODES = { bold: "1", error: "1;31", warning: "1;35", note: "1;36", old: "31", new: "32" } as const;

export type Style = keyof typeof CODES;

export interface Painter {
  /** Returns the text in a style, or as it is where colours are off. */
  paint(style: Style, text: string): string;
}

const PLAIN: Painter = { paint: (_, text) => text };
const COLOURED: Painter = { paint: (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m` };

export function isStyle(name: string): name is Style {
  return Object.hasOwn(CODES, name);
}

/** Returns the painter for a file descriptor; `when`: auto, always or never. */
export function painter(file: number, when: string): Painter {
  if (when !== "auto") return when === "always" ? COLOURED : PLAIN;
  const { NO_COLOR: no, TERM: term } = process.env;
  return !no && isatty(file) && term !== undefined && term !== "dumb" ? COLOURED : PLAIN;
}

/** Control characters, marks that change the direction of text, lone surrogates. */
const UNFIT = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]|\p{Surrogate}/gu;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t" };

/** Returns the text on one line, with escapes for what may not reach a terminal. */
export function clean(text: string): string {
  return text.replace(UNFIT, (unfit) => SHORT[unfit] ?? "\\u" + unfit.charCodeAt(0).toString(16).padStart(4, "0"));
}
