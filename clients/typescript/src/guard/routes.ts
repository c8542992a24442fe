// SPDX-License-Identifier: Apache-2.0
/**
 * Recognizes requests that hold a history, by method, type and path. ROUTES has a row for each path.
 *
 *     .../v1/messages   .../v1/messages/count_tokens                        the Messages API, gateways
 *     .../publishers/anthropic/models/MODEL:rawPredict   :streamRawPredict  Anthropic on Vertex AI; MODEL may be
 *                                                                           "count-tokens"
 *     .../model/MODEL/invoke   .../model/MODEL/invoke-with-response-stream  Anthropic on Amazon Bedrock
 *     .../openai/deployments/NAME/chat/completions                          Chat Completions on Azure
 *     .../chat/completions                                                  Chat Completions, and who copies it
 *     .../responses                                                         Responses, and who copies it
 *
 * Bedrock and Vertex take the body of the Messages API with "anthropic_version" in it and without "model", which is
 * in the path. Bedrock serves other vendors by the same path. Its path may also hold the ARN of something that an
 * account made of a model, which doesn't say of which: then the body decides.
 *
 * OpenAI's two APIs have the same paths everywhere, so the host says whose rules hold: HOSTS, SERVERS. The model is the body's.
 * On Azure the path, and mostly the body too, has the name of a deployment, which is anybody's choice: it isn't sent
 * as the target's model.
 */

import type { Target } from "../params.js";
import { members } from "./members.js";
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, type Provider } from "./providers.js";

/** Where a request goes. */
export interface Destination {
  readonly provider: Provider;
  /** The parameter `target`, as far as path or host show it. Its server counts only where the endpoint is OTHERS. */
  readonly target: Target;
  /** The request counts tokens. */
  readonly counts: boolean;
  /** The body is one of the Messages API only with "anthropic_version" in it. */
  readonly versioned: boolean;
  /** The path names the vendor; else the body has to. */
  readonly certain: boolean;
}

/** The parts of a request that say where it goes. */
export interface Addressed {
  readonly method: string;
  readonly url: URL;
  /** The header Content-Type, or null. */
  readonly type: string | null;
}

type Reader = (found: RegExpExecArray, host: string) => Destination | undefined;

const VERSION = "anthropic_version";
const COUNTING_ON_VERTEX = "count-tokens";

// "anthropic.claude-..." or, of a group of regions, "us.anthropic.claude-..."; an ARN ends with it.
const VENDOR = /^(?:.*\/)?(?:[a-z-]+\.)?([a-z][a-z0-9]*)\./;

const PLAIN = { target: {}, counts: false, versioned: false, certain: true };

function onVertex(found: RegExpExecArray): Destination {
  const model = found[1] as string;
  const counts = model === COUNTING_ON_VERTEX;
  const target = counts ? { endpoint: "vertex" } : { endpoint: "vertex", model };
  return { ...PLAIN, provider: ANTHROPIC, target, counts, versioned: true };
}

function onBedrock(found: RegExpExecArray): Destination | undefined {
  const given = { ...PLAIN, provider: ANTHROPIC, versioned: true };
  const model = found[1] as string;
  const vendor = VENDOR.exec(model)?.[1];
  if (vendor === undefined) return { ...given, target: { endpoint: "bedrock" }, certain: false };
  if (vendor !== "anthropic") return undefined;
  return { ...given, target: { endpoint: "bedrock", model } };
}

/** Returns the reader for one of OpenAI's APIs. `endpoint`: the path shows whose rules hold; else the host does. */
function openai(provider: Provider, endpoint?: string): Reader {
  return (_found, host) => ({ ...PLAIN, provider, target: { endpoint: endpoint ?? endpointOf(host) } });
}

// The end of the path, without percent-encoding. The first row that fits holds.
const ROUTES: readonly (readonly [RegExp, Reader])[] = [
  [/\/v1\/messages$/, () => ({ ...PLAIN, provider: ANTHROPIC })],
  [/\/v1\/messages\/count_tokens$/, () => ({ ...PLAIN, provider: ANTHROPIC, counts: true })],
  [/\/publishers\/anthropic\/models\/([^/]+):(?:raw|streamRaw)Predict$/, onVertex],
  [/\/model\/(.+)\/invoke(?:-with-response-stream)?$/, onBedrock],
  [/\/openai\/deployments\/[^/]+\/chat\/completions$/, openai(OPENAI_CHAT, "azure")],
  [/\/chat\/completions$/, openai(OPENAI_CHAT)],
  [/\/responses$/, openai(OPENAI_RESPONSES)],
];

// Hosts of OpenAI's two APIs; every other one is somebody's who copies them.
const HOSTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:[a-z0-9-]+\.)?api\.openai\.com$/, "openai"], // "eu.api.openai.com": data stay there
  [/^.+\.(?:openai|services\.ai|cognitiveservices)\.azure\.(?:com|us|cn)$/, "azure"],
];

const OTHERS = "compatible";

// Hosts of servers that copy an API in a way of their own (PROVIDERS.md 3.1), by whole names.
const SERVERS: ReadonlyMap<string, string> = new Map([
  ["api.deepseek.com", "deepseek"],
  ["api.groq.com", "groq"],
  ["api.mistral.ai", "mistral"],
  ["api.moonshot.ai", "moonshot"],
  ["api.moonshot.cn", "moonshot"],
  ["api.x.ai", "xai"],
  ["openrouter.ai", "openrouter"],
]);

function nameOf(host: string): string {
  return host.toLowerCase().replace(/\.+$/, "");
}

function endpointOf(host: string): string {
  const name = nameOf(host);
  return HOSTS.find(([pattern]) => pattern.test(name))?.[1] ?? OTHERS;
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

function served(to: Destination | undefined, host: string): Destination | undefined {
  const server = SERVERS.get(nameOf(host));
  return to && server !== undefined ? { ...to, target: { ...to.target, server } } : to;
}

/** Returns where a request with a history goes; undefined for every other request. */
export function destination(request: Addressed): Destination | undefined {
  const kind = mediaType(request.type);
  if (request.method.toUpperCase() !== "POST" || (kind !== "" && !kind.endsWith("json"))) return undefined;
  const path = decoded(request.url.pathname);
  for (const [pattern, reader] of ROUTES) {
    const found = pattern.exec(path);
    if (found) return served(reader(found, request.url.hostname), request.url.hostname);
  }
  return undefined;
}

/** Says whether the body may be one of this API. Others are the provider's to refuse. */
export function takes(to: Destination, body: string): boolean {
  if (!to.versioned) return to.provider === ANTHROPIC || body.trimStart().startsWith("{");
  return body.includes(`"${VERSION}"`) && (to.certain || members(body).has(VERSION));
}
