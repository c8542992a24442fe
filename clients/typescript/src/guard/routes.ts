// SPDX-License-Identifier: Apache-2.0
/**
 * Recognizes requests that hold a history, by method, type, path and host.
 *
 * The tables are those of clients/shared/routes.json, which says what their rows mean; routes_cases.json next to it has
 * examples, which the tests of each client run.
 */

import type { Target } from "../params.js";
import { ANTHROPIC, type Provider, providerOf } from "../providers.js";
import { HOSTS, ROUTES, SERVERS } from "../tables.js";
import { members } from "./members.js";

/** A row of ROUTES. The first one whose path fits holds. */
export interface Route {
  /** The end of the path, without percent-encoding; a group in it is the target's model. */
  readonly path: RegExp;
  /** null: another vendor's request by a path like ours. */
  readonly provider: string | null;
  /** Absent: the host decides. */
  readonly endpoint?: string;
  readonly counts?: boolean;
  readonly versioned?: boolean;
  readonly streams?: boolean;
}

/** A row of HOSTS: the endpoint of these providers' requests to a host, in small letters. */
export interface Host {
  readonly host: RegExp;
  readonly endpoint: string;
  readonly providers: readonly string[];
}

/** Where a request goes. */
export interface Destination {
  readonly provider: Provider;
  /** The parameter `target`, as far as path or host show it. Its server counts only where the endpoint is OTHERS. */
  readonly target: Target;
  /** The request counts tokens. */
  readonly counts: boolean;
  /** The body is one of the Messages API only with "anthropic_version" in it. */
  readonly versioned: boolean;
  /** The path says that the answer is a stream. */
  readonly streams: boolean;
}

/** The parts of a request that say where it goes. */
export interface Addressed {
  readonly method: string;
  readonly url: URL;
  /** The header Content-Type, or null. */
  readonly type: string | null;
}

const VERSION = "anthropic_version";
const OTHERS = "compatible"; // the endpoint of those who copy an API
const servers: ReadonlyMap<string, string> = new Map(SERVERS);

/** Returns the endpoint that a host shows; undefined: of a provider that has no hosts of its own here. */
function endpointOf(provider: Provider, name: string): string | undefined {
  const rows = HOSTS.filter(({ providers }) => providers.includes(provider.name));
  return rows.length === 0 ? undefined : (rows.find(({ host }) => host.test(name))?.endpoint ?? OTHERS);
}

/** Returns the target of a request: what it shows, less `unknown` members; those of `own` hold. */
export function targetOf(to: Destination, own: Target = {}, unknown: ReadonlySet<string> = new Set()): Target {
  const found = Object.entries(to.target).filter(([name]) => !unknown.has(name));
  const { server, ...target }: Target = { ...Object.fromEntries(found), ...own };
  const counts = server !== undefined && (target.endpoint === OTHERS || own.server !== undefined);
  return counts ? { ...target, server } : target;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // a percent sign that encodes nothing
  }
}

/** Returns the media type of a header Content-Type in small letters, without its parameters; "" if there is none. */
export function mediaType(header: string | null): string {
  return (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Returns what a row, the match of its path, and the host in small letters show. */
function shown(route: Route, found: RegExpExecArray, name: string): Destination | undefined {
  const provider = providerOf(route.provider);
  if (provider === undefined) return undefined;
  const { counts = false, versioned = false, streams = false } = route;
  const endpoint = route.endpoint ?? endpointOf(provider, name);
  const model = found[1];
  const server = provider.servers ? servers.get(name) : undefined;
  const target = {
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(model === undefined ? {} : { model }),
    ...(server === undefined ? {} : { server }),
  };
  return { provider, target, counts, versioned, streams };
}

/** Returns where a request with a history goes; undefined for every other request. */
export function destination(request: Addressed): Destination | undefined {
  const kind = mediaType(request.type);
  if (request.method.toUpperCase() !== "POST" || (kind !== "" && !kind.endsWith("json"))) return undefined;
  const path = decoded(request.url.pathname);
  const name = request.url.hostname.toLowerCase().replace(/\.+$/, "");
  for (const route of ROUTES) {
    const found = route.path.exec(path);
    if (found) return shown(route, found, name);
  }
  return undefined;
}

/** Says whether the body may be one of this API. Others are the provider's to refuse. */
export function takes(to: Destination, body: string): boolean {
  if (!to.versioned) return to.provider === ANTHROPIC || body.trimStart().startsWith("{");
  if (!body.includes(`"${VERSION}"`)) return false;
  return to.target.model !== undefined || members(body).has(VERSION); // a path with a model names the vendor
}
