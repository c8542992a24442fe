// SPDX-License-Identifier: Apache-2.0

/**
 * Makes errors of answers. A class with a CODE of its own is also the class of all unknown names of that code. An unknown
 * code becomes RemoteError itself. What was answered stays in `name`, `code`, `data` and `retryable` in any case.
 */

import { RemoteError } from "./errors.js";
import * as named from "./errors_by_name.js";
import type { Json } from "./results/reading.js";

type Class = typeof RemoteError;

const CLASSES: readonly Class[] = Object.values(named);
const byCode = new Map(CLASSES.filter((kind) => Object.hasOwn(kind, "CODE")).map((kind) => [kind.CODE, kind]));
const byName = new Map(CLASSES.map((kind) => [kind.NAME, kind]));

/** Makes the error for the member `error` of an answer, whose `code` and `message` were checked. */
export function remoteError(error: Json): RemoteError {
  const code = error["code"] as number;
  const detail = error["data"];
  const data = typeof detail === "object" && detail !== null ? (detail as Json) : {};
  const name = typeof data["name"] === "string" ? data["name"] : undefined;
  const retryable = typeof data["retryable"] === "boolean" ? data["retryable"] : undefined;
  const kind = byName.get(name ?? "") ?? byCode.get(code) ?? RemoteError;
  return new kind(error["message"] as string, { name, code, data, retryable });
}
