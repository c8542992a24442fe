// SPDX-License-Identifier: Apache-2.0
/** The AI SDK's errors as far as the middleware reads them. */

import { isFaultStatus } from "../guard/misses.js";

/** An `APICallError` of a request that the provider finds fault with. */
export interface Refused {
  readonly statusCode: number;
  /** The response's text, if it had one. */
  readonly responseBody?: string;
  /** The body as it was sent, before it became JSON. */
  readonly requestBodyValues: unknown;
}

/** A refusal by guardFetch, which has told of it; the request hasn't left. */
function isGuards(text: string): boolean {
  try {
    const said: unknown = JSON.parse(text);
    if (typeof said !== "object" || said === null) return false;
    const { error } = said as { error?: unknown };
    return "turnkeeper" in said || (typeof error === "object" && error !== null && "turnkeeper" in error);
  } catch {
    return false;
  }
}

/** Says whether what a call threw is the provider's refusal of what is in the request. */
export function isFinding(error: unknown): error is Refused {
  if (typeof error !== "object" || error === null) return false;
  const { statusCode, responseBody = "" } = error as { statusCode?: unknown; responseBody?: unknown };
  if (typeof statusCode !== "number" || typeof responseBody !== "string") return false;
  return isFaultStatus(statusCode) && !isGuards(responseBody);
}
