// SPDX-License-Identifier: Apache-2.0

import { checkWord } from "../names.js";

/** Limits of requests in process, as PROTOCOL.md 7 names them. Absent: the daemon's own default, in brackets. */
export interface Limits {
  /** Bytes of one request [64 MiB]. A larger one is refused before anything of it is copied. */
  maxFrame?: number;
  /** Nesting of arrays and objects [256]. */
  maxDepth?: number;
  /** Scalars, arrays and objects of one request [1,048,576]. */
  maxValues?: number;
  /** Bytes of one answer [256 MiB]. */
  maxAnswer?: number;
  /** Bytes that one stream may be fed [64 MiB]. */
  maxStreamBuffer?: number;
  /** Bytes that one request may make in memory, beyond its own [64 MiB and 64 for each of its own, at most 512 MiB]. */
  maxRequestMemory?: number;
  /** Bytes of memory beyond which an instance without open streams is dropped and made anew [64 MiB]. */
  maxMemory?: number;
}

const MEBIBYTE = 1 << 20;
const LARGEST = 2 ** 32 - 1; // the module's numbers have 32 bits

const NAMES = ["maxFrame", "maxDepth", "maxValues", "maxAnswer", "maxStreamBuffer", "maxRequestMemory", "maxMemory"] as const;

/** Returns the limits with a value for each; 0: the module has the default. RangeError, with its name, if one is bad. */
export function checkedLimits(limits: Limits): Required<Limits> {
  for (const [name, value] of Object.entries(limits)) {
    checkWord("limits", name, NAMES);
    if (value !== undefined && !(Number.isInteger(value) && value >= 1 && value <= LARGEST)) {
      throw new RangeError(`limits: ${name} is an integer from 1 to ${LARGEST}`);
    }
  }
  return {
    maxFrame: limits.maxFrame ?? 64 * MEBIBYTE,
    maxDepth: limits.maxDepth ?? 0,
    maxValues: limits.maxValues ?? 0,
    maxAnswer: limits.maxAnswer ?? 0,
    maxStreamBuffer: limits.maxStreamBuffer ?? 0,
    maxRequestMemory: limits.maxRequestMemory ?? 0,
    maxMemory: limits.maxMemory ?? 64 * MEBIBYTE,
  };
}
