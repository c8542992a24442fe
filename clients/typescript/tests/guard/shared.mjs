// SPDX-License-Identifier: Apache-2.0
/** Tables that the clients in all languages share: clients/shared. */

import { readFileSync } from "node:fs";

function file(name) {
  const text = readFileSync(`${process.env.TK_TOP ?? "../../.."}/clients/shared/${name}.json`, "utf8");
  return JSON.parse(text);
}

export const HOSTS = file("hosts").cases;
export const MEDIA_TYPES = file("media_types").cases;
export const ROUTES = file("routes_cases");
