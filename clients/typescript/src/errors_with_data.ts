// SPDX-License-Identifier: Apache-2.0

/**
 * Errors that the other side answers with (PROTOCOL.md 6) and that are written by hand: their data have members of their
 * own, or their code has no name. errors_by_name.ts has all.
 */

import { RemoteError } from "./errors.js";
import { shown } from "./places.js";
import { type Finding, readFinding } from "./results/findings.js";

const LISTED = 3; // findings in a text

/**
 * The request couldn't be read as a document; `offset` says at which byte: of the JSON text that was given, in UTF-8, if
 * one was, as to repairBody; else of the request.
 */
export class ParseError extends RemoteError {
  static override readonly NAME: string = "parse_error";
  static override readonly CODE: number | null = -32700;

  get offset(): number | null {
    return this.number("offset");
  }
}

/** A parameter is missing, unknown or of the wrong type: `pointer` names it. */
export class InvalidParams extends RemoteError {
  static override readonly NAME: string = "invalid_params";
  static override readonly CODE: number | null = -32602;
}

/**
 * The history is in another format than was asked for; nothing of it was touched.
 *
 * `looksLike`: the format that it shows a sign of, as "openai-chat"; null: of none that is known. `sign`: the member
 * that shows it. `dialect`: what was asked for.
 */
export class DialectMismatch extends InvalidParams {
  static override readonly NAME: string = "dialect_mismatch";

  get looksLike(): string | null {
    return this.text("looks_like");
  }

  get sign(): string | null {
    return this.text("sign");
  }

  get dialect(): string | null {
    return this.text("dialect");
  }

  protected override about(): string[] {
    const { looksLike, sign, dialect } = this;
    const found = looksLike !== null && sign !== null ? [`this looks like ${looksLike}: ${sign}`] : [];
    if (dialect !== null) found.push(`asked for as ${dialect}`);
    return [...found, ...super.about()];
  }
}

/**
 * The guard could not make the history safe: don't send it to the provider.
 *
 * `violations` lists the findings that no allowed edit could repair, with places of the history as it was passed;
 * `needed` of each names the edit that protection or policy forbade, `wayOut` says what to do.
 */
export class UnsafeHistory extends RemoteError {
  static override readonly NAME: string = "unsafe_history";
  static override readonly CODE: number | null = -32001;

  get violations(): readonly Finding[] {
    const listed = this.data["violations"];
    if (!Array.isArray(listed)) return [];
    return listed.filter((v) => typeof v === "object" && v !== null && "code" in v).map(readFinding);
  }

  /** Sentences that say what the user can do; none if the daemon is too old for them. */
  get waysOut(): readonly string[] {
    return [...new Set(this.violations.flatMap((v) => v.wayOut ?? []))];
  }

  protected override about(): string[] {
    // Codes and places only: an error's text ends up in logs, a history must not.
    const found = this.violations;
    const listed = found.slice(0, LISTED).map((v) => `${v.code} at ${shown(v.pointer) || "/"}`);
    return found.length > LISTED ? [...listed, `${found.length - LISTED} more`] : listed;
  }
}

/** Misuse of a stream. */
export class StreamError extends RemoteError {
  static override readonly NAME: string = "stream_error";
  static override readonly CODE: number | null = -32002;
}

/** The request was understood and won't be done, for the reason that `name` gives. */
export class Refused extends RemoteError {
  static override readonly NAME: string = "refused";
  static override readonly CODE: number | null = -32003;
}
