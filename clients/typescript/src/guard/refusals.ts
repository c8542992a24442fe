// SPDX-License-Identifier: Apache-2.0
/**
 * Writes the response to a request that isn't sent: what the provider would have answered, and what turnkeeper says.
 *
 *     Anthropic   {"type": "error", "error": {"type", "message"}, "turnkeeper": {...}}
 *     OpenAI      {"error": {"message", "type", "param", "code", "turnkeeper": {...}}}
 *     Google      {"error": {"code", "message", "status", "details": [{"turnkeeper": {...}}]}}
 *     AWS         {"message", "turnkeeper": {...}}, and the header x-amzn-errortype
 *
 * OpenAI's SDK hands out what is in "error" and nothing next to it, Google's for Go only what it knows there, so the
 * violations are where each finds them. Always "turnkeeper" has the error's name and data.
 */

import type { TurnkeeperError } from "../errors.js";
import { UnsafeHistory } from "../errors_by_name.js";
import type { Edit } from "../results/findings.js";
import { type Counts, counted } from "./events.js";
import type { Provider } from "../providers.js";

/** The request isn't sent, because of `cause`; the message is what the caller is told. */
export class NotSent extends Error {
  override readonly cause: TurnkeeperError;
  readonly #needs: readonly Edit[];

  /** `needs`: the edits that can't be made. */
  constructor(cause: TurnkeeperError, message: string, needs: readonly Edit[] = []) {
    super(message);
    this.cause = cause;
    this.#needs = needs;
  }

  /** The rules that are the reason; none where the request can't be judged. */
  get codes(): Counts {
    if (!(this.cause instanceof UnsafeHistory)) return counted(this.#needs.map((edit) => edit.code));
    const all = this.cause.data["counts"]; // `violations` lists the first ones
    if (typeof all === "object" && all !== null) return all as Counts;
    return counted(this.cause.violations.map((finding) => finding.code));
  }
}

/** Returns what the provider would have said, which names one fault only, and after it what turnkeeper says. */
export function wouldHaveSaid(error: UnsafeHistory): string {
  const first = error.violations[0];
  const said = first ? (first.providerError ?? first.text) : error.message;
  return `${said} (refused by turnkeeper, not sent: ${error.message})`;
}

/** Returns the place of the first fault as OpenAI spells it: "messages[3].tool_calls[0]"; null: the whole request. */
function param(error: TurnkeeperError): string | null {
  const pointer = error instanceof UnsafeHistory ? (error.violations[0]?.pointer ?? "") : "";
  const dotted = pointer.slice(1).replaceAll("/", ".");
  return dotted.replace(/\.(\d+)(?=\.|$)/g, "[$1]") || null;
}

type Form = (refused: NotSent, about: object) => object;

const STATUS = 400;
const TYPE = "invalid_request_error";
const FORMS: Readonly<Record<Provider["refusal"], Form>> = {
  anthropic: ({ message }, about) => ({ type: "error", error: { type: TYPE, message }, turnkeeper: about }),
  openai: ({ message, cause }, about) => ({
    error: { type: TYPE, message, param: param(cause), code: null, turnkeeper: about },
  }),
  google: ({ message }, about) => ({
    error: { code: STATUS, message, status: "INVALID_ARGUMENT", details: [{ turnkeeper: about }] },
  }),
  aws: ({ message }, about) => ({ message, turnkeeper: about }),
};

/** Returns the response with status 400, which no SDK sends again. */
export function refusal(provider: Provider, refused: NotSent): Response {
  const about = { name: refused.cause.name, ...refused.cause.data };
  const headers = new Headers({ "content-type": "application/json", "x-should-retry": "false" });
  if (provider.refusal === "aws") headers.set("x-amzn-errortype", "ValidationException");
  return new Response(JSON.stringify(FORMS[provider.refusal](refused, about)), { status: STATUS, headers });
}
