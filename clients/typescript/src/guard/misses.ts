// SPDX-License-Identifier: Apache-2.0
/**
 * Requests that the provider refuses although they were judged sound. The keeper says which rule the provider's words
 * belong to, and a daemon counts it; the redacted request may be saved. Whatever fails here, the response is returned.
 */

import type { Keeper } from "../keeper.js";
import { encode } from "../wire/text.js";
import type { Events } from "./events.js";
import type { Notices } from "./notices.js";
import type { Provider } from "../providers.js";
import { withBody } from "./responses.js";

/** A missed request as it is saved. The provider's words aren't in it, for they may quote the history. */
export interface SavedMiss {
  readonly provider: string;
  readonly status: number;
  readonly code: string | null;
  /** The body as it was sent, redacted: what a person or a model wrote is replaced. */
  readonly request: object;
}

/** Saves a missed request and returns a name for what it saved. `missFolder` of "turnkeeper/misses" makes one. */
export type SaveMiss = (miss: SavedMiss) => string | Promise<string>;

/** The keeper that is asked, and those that are told. */
export interface Means {
  readonly keeper: () => Promise<Keeper>;
  readonly events: Events;
  readonly notices: Notices;
  readonly caller: { readonly caller?: string };
  readonly save: SaveMiss | undefined;
}

/** Statuses that find fault with the request itself. All others are about keys, quotas or the provider. */
const FINDING: readonly number[] = [400, 422];
const LARGEST_TEXT = 65_536; // bytes, the limit of the parameter `text` of report_miss

/** Says whether a status refuses a request for what is in it. */
export function isFaultStatus(status: number): boolean {
  return FINDING.includes(status);
}

/** Says whether a response refuses a request for what is in it. */
export function findsFault(response: Response): boolean {
  return isFaultStatus(response.status);
}

/** A refusal of a request that was judged sound. */
export interface Refusal {
  readonly status: number;
  /** The response's text. */
  readonly text: string;
  /** Gives the request as it was sent; is called only if it is saved. */
  readonly request: () => unknown;
}

/** The beginning of a response's text, and the response with all that it had, whoever reads it next. */
interface Begun {
  readonly text: string;
  readonly response: Response;
}

async function begun(response: Response): Promise<Begun> {
  if (!response.body || response.bodyUsed) return { text: "", response };
  const reader = response.body.getReader();
  const read: Next[] = [];
  const decoder = new TextDecoder();
  let text = "";
  for (let left = LARGEST_TEXT; left > 0; ) {
    // A body that breaks off does so for its next reader, too, after the same bytes.
    const next: Next = await reader.read().catch((error: unknown) => ({ error }));
    read.push(next);
    if ("error" in next || next.value === undefined) break;
    text += decoder.decode(next.value.subarray(0, left), { stream: true });
    left -= next.value.length;
  }
  // Bytes that are no UTF-8 would grow beyond the limit.
  return { text: text.replaceAll("\uFFFD", ""), response: withBody(response, again(read, reader)) };
}

type Next = { readonly value?: Uint8Array | undefined } | { readonly error: unknown };

/** Returns a body that begins with what was read of it. */
function again(read: Next[], reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next: Next = read.shift() ?? (await reader.read());
        if ("error" in next) throw next.error;
        if (next.value === undefined) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Reports a refusal, saves the request if that is wanted, and tells of it. Returns the response. */
export async function missed(given: Response, provider: Provider, body: string, means: Means): Promise<Response> {
  const { text, response } = await begun(given);
  await told({ status: response.status, text, request: () => JSON.parse(body) as unknown }, provider, means);
  return response;
}

/** Reports, saves and tells as `missed` does, where the response was read whole. */
export async function missedText(refusal: Refusal, provider: Provider, means: Means): Promise<void> {
  const first = new TextDecoder().decode(encode(refusal.text).subarray(0, LARGEST_TEXT));
  await told({ ...refusal, text: first.replaceAll("\uFFFD", "") }, provider, means);
}

async function told({ status, text, request }: Refusal, provider: Provider, means: Means): Promise<void> {
  const code = text === "" ? null : await reported(status, text, provider, means);
  const saved = means.save && (await kept({ provider: provider.name, status, code }, request, means.save, means));
  means.events.missed(provider, { status, code, ...(saved === undefined ? {} : { saved }) });
}

/** A keeper that can't be asked, or is of a release without the method, knows no code. */
async function reported(
  status: number,
  text: string,
  provider: Provider,
  { keeper, caller }: Means,
): Promise<string | null> {
  try {
    return (await (await keeper()).reportMiss(status, text, provider.name, caller)).code;
  } catch {
    return null;
  }
}

async function kept(
  about: Omit<SavedMiss, "request">,
  sent: () => unknown,
  save: SaveMiss,
  { keeper, caller, notices }: Means,
): Promise<string | undefined> {
  try {
    const request: object = await (await keeper()).redact(sent() as object, caller);
    return await save({ ...about, request });
  } catch (error) {
    notices.unsaved(error);
    return undefined;
  }
}
