// SPDX-License-Identifier: Apache-2.0
/** The parameter `policy`. Its names, keys and their values are in words.ts. */

import type { PolicyKeys, PolicyName } from "./words.js";

export { POLICIES, POLICY_KEYS, type PolicyKeys } from "./words.js";

/** A name, "conservative" (default) or "preserve", or keys. */
export type Policy = PolicyName | PolicyKeys;
