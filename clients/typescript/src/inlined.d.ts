// SPDX-License-Identifier: Apache-2.0

/** The module's bytes in base64. The build writes the file that this one declares, see scripts/build.mjs. */
export declare const MODULE: string;
