// SPDX-License-Identifier: Apache-2.0
/**
 * Decides what becomes of a request that the keeper gave an error for.
 *
 *     another format, no JSON                         leaves as it is: the provider will say so
 *     unsafe                                          refused in the provider's words; a count leaves as it is
 *     an option of the guard is wrong                 refused: that must not pass unnoticed
 *     can't be judged, whoever is asked (too large)   "closed": refused; "open": leaves as it is
 *     the keeper can't be asked                       "closed": GuardUnavailable; "open": leaves as it is
 *
 * A refusal is a response with status 400, not an exception: an SDK takes an exception of `fetch` for a broken
 * connection, makes the same call again, and in the end throws a connection error whose text says nothing. Of a 400 it
 * makes at once what its users handle already.
 */

import { EncodeError, RemoteError, TransportError, TurnkeeperError } from "../errors.js";
import { AnswerTooLarge, DialectMismatch, FrameTooLarge, InvalidParams, ParseError, UnsafeHistory } from "../errors_by_name.js";
import { ANTHROPIC } from "../providers.js";
import type { Notices } from "./notices.js";
import { NotSent, wouldHaveSaid } from "./refusals.js";
import type { Destination } from "./routes.js";

/** turnkeeper can't be asked, and the guard was told to send nothing then. `cause` says why. */
export class GuardUnavailable extends TransportError {
  static override readonly NAME: string = "guard_unavailable";
  static override readonly RETRYABLE: boolean = true;
}

/** The circumstances, besides the error, that a decision depends on. */
export interface Case {
  readonly to: Destination;
  readonly open: boolean;
  readonly notices: Notices;
  /** The daemon's socket, if one is asked. */
  readonly path: string | null;
}

/** Says whether the request itself is the reason, so that sending it again would fail again. */
function isAboutRequest(error: TurnkeeperError): boolean {
  const pointer = error.pointer ?? "";
  const inside = ["/params/request", "/params/history"].some((place) => pointer.startsWith(place));
  return inside || [EncodeError, AnswerTooLarge, FrameTooLarge, ParseError].some((kind) => error instanceof kind);
}

/**
 * Says whether the keeper is of a release that doesn't judge the provider. Such a one may miss the default
 * provider's list before it looks at the provider.
 */
function lacksProvider(error: TurnkeeperError, to: Destination): boolean {
  const places = ["/params/provider"];
  if (to.provider.list !== ANTHROPIC.list) places.push(`/params/request/${ANTHROPIC.list}`);
  return error instanceof InvalidParams && places.includes(error.pointer ?? "");
}

/** Says whether the daemon is of a release that can't answer a guard: one without `return: "splices"`. */
function isTooOld(error: TurnkeeperError): boolean {
  return error instanceof InvalidParams && error.pointer === "/params/return";
}

function unavailable(error: TurnkeeperError, { path }: Case): GuardUnavailable {
  const where = path === null || error.message.includes(path) ? "" : ` (socket ${path})`;
  const why = isTooOld(error) ? "turnkeeperd is of a release before the guards of this package" : error.message;
  return new GuardUnavailable(`turnkeeper can't be asked, nothing was sent: ${why}${where}`, { cause: error });
}

/** Returns where the request is to leave as it is; throws NotSent or GuardUnavailable where it isn't. */
export function decide(error: TurnkeeperError, about: Case): void {
  const { to, open, notices } = about;
  if (error instanceof RemoteError) notices.up();
  if (error instanceof DialectMismatch) return notices.foreign(error);
  if (error instanceof UnsafeHistory) {
    if (to.counts) return; // a count does no harm
    throw new NotSent(error, wouldHaveSaid(error));
  }
  if (error.name === "parse_error" || error.name === "trailing_bytes") return; // no JSON, thus no history in it
  if (lacksProvider(error, to)) {
    if (open) return notices.unserved(to.provider.name);
    throw new NotSent(error, `this turnkeeper doesn't judge ${to.provider.name}, not sent: ${error.message}`);
  }
  const atFault = isAboutRequest(error);
  if (error instanceof InvalidParams && !atFault && !isTooOld(error)) {
    throw new NotSent(error, `an option of turnkeeper's guard is wrong, not sent: ${error.message}`);
  }
  if (error instanceof TransportError) notices.down(error);
  else if (open) notices.warn(`sent unguarded: ${error.message}`);
  if (open) return;
  if (atFault) throw new NotSent(error, `turnkeeper can't judge this request, not sent: ${error.message}`);
  throw unavailable(error, about);
}
