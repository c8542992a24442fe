// SPDX-License-Identifier: Apache-2.0

/** Fills a view with random bytes. */
export type Random = (bytes: Uint8Array<ArrayBuffer>) => void;
