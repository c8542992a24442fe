// SPDX-License-Identifier: Apache-2.0

/** Where the daemon listens. */

import { ConnectFailed } from "../errors.js";
import { encode } from "../wire/text.js";

const DEFAULT_PATH = "/run/turnkeeper/turnkeeper.sock";
const LONGEST_PATH = 103; // bytes; Linux has room for four more

interface Process {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: string;
}

/** Returns the given path, else that of the environment's TURNKEEPER_SOCKET, else the default one. */
export function socketPath(path?: string): string {
  const { env, platform } = (globalThis as { process?: Process }).process ?? {};
  const found = path || env?.["TURNKEEPER_SOCKET"] || DEFAULT_PATH;
  const size = encode(found).length;
  const longest = platform === "linux" ? LONGEST_PATH + 4 : LONGEST_PATH;
  if (size <= longest) return found;
  const said =
    `the path of a socket has room for ${longest} bytes, this one has ${size}: ${found}; ` +
    "use a shorter one, or a symbolic link to its folder";
  throw new ConnectFailed(said, { retryable: false });
}
