// SPDX-License-Identifier: Apache-2.0

/** The release of this package, that of the daemon and the module it ships with. */
export const VERSION = "0.2.0-dev.0";

/** The version of the wire protocol that this package speaks. */
export const PROTOCOL = 1;
