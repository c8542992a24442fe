// SPDX-License-Identifier: Apache-2.0
/** Tables that the clients in all languages share: clients/shared. */

import { readFileSync } from "node:fs";

function table(name) {
  const text = readFileSync(`${process.env.TK_TOP ?? "../../.."}/clients/shared/${name}.json`, "utf8");
  return JSON.parse(text).cases;
}

export const HOSTS = table("hosts");
export const MEDIA_TYPES = table("media_types");
