// SPDX-License-Identifier: Apache-2.0
/**
 * The arguments of `fetch` as a guard reads them, and as they are passed on.
 *
 *     seen()       method, URL and type, without the body
 *     bodyOf()     the body, if it can be read and be sent all the same
 *     withBody(), withHeader()   the arguments with another body or header
 *
 * A request that needs no edit is passed on with the arguments that came, so that their body stays the object that it was.
 */

/** The arguments of one call of `fetch`. */
export interface Arguments {
  readonly input: string | URL | Request;
  readonly init: RequestInit | undefined;
}

/** A request as far as it can be read without its body. */
export interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly type: string | null;
}

/** A body as it is read: the text or the bytes that would be sent. */
export type Content = string | Uint8Array;

// Headers about the bytes of the body: they would be wrong for an edited body.
const BINDING = ["x-amz-content-sha256", "content-md5", "digest", "content-digest"];

function isRequest(input: Arguments["input"]): input is Request {
  return typeof input === "object" && "arrayBuffer" in input;
}

function urlOf(input: Arguments["input"]): URL | undefined {
  const here = (globalThis as { location?: { href?: string } }).location?.href;
  try {
    return new URL(isRequest(input) ? input.url : input, here);
  } catch {
    return undefined; // fetch will say what is wrong with it
  }
}

/** Returns what can be read without the body; undefined for what `fetch` will refuse. */
export function seen({ input, init }: Arguments): Seen | undefined {
  const given = isRequest(input) ? input : undefined;
  const url = urlOf(input);
  if (url === undefined) return undefined;
  try {
    const headers = new Headers(init?.headers ?? given?.headers);
    return { method: init?.method ?? given?.method ?? "GET", url, headers, type: headers.get("content-type") };
  } catch {
    return undefined; // a header that has no such value
  }
}

/** Returns the body. undefined: a stream, a form or something unknown, which would be gone or another once read. */
export async function bodyOf({ input, init }: Arguments): Promise<Content | undefined> {
  const body: unknown = init?.body ?? undefined;
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof Blob) return new Uint8Array(await body.arrayBuffer());
  if (body !== undefined) return undefined;
  if (!isRequest(input)) return "";
  return input.bodyUsed ? undefined : new Uint8Array(await input.clone().arrayBuffer());
}

/** Returns the header that binds the body, if one does. */
export function boundBy(headers: Headers): string | undefined {
  return BINDING.find((name) => headers.has(name)) ?? (isSigned(headers) ? "authorization" : undefined);
}

/** Says whether the headers are signed too (AWS). */
export function isSigned(headers: Headers): boolean {
  return (headers.get("authorization") ?? "").startsWith("AWS4-");
}

/** Returns the arguments with another body. Headers about its length are left to `fetch`. */
export function withBody({ input, init }: Arguments, seen: Seen, body: Content): Arguments {
  const headers = new Headers(seen.headers);
  headers.delete("content-length");
  headers.delete("transfer-encoding");
  return { input, init: { ...init, method: seen.method, headers, body: body as BodyInit } };
}

/** Returns the arguments with another value of a header. */
export function withHeader({ input, init }: Arguments, name: string, value: string): Arguments {
  const headers = new Headers(init?.headers ?? (isRequest(input) ? input.headers : undefined));
  headers.set(name, value);
  return { input, init: { ...init, headers } };
}
