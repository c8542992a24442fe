// SPDX-License-Identifier: Apache-2.0

/**
 * JSON Patch (RFC 6902) that shares structure.
 *
 * The result is a new document; the argument is never changed. Only the containers on the way to an edited place
 * are new, everything else is the very same object in both:
 *
 *     document  {"messages": [m0, m1, m2]}    remove /messages/1/content/0
 *
 *     OpenObject ── "messages" ── OpenList ──┬── m0             shared
 *                                            ├── OpenObject ── "content" ── OpenList   m1, copied
 *                                            └── m2             shared
 *
 * While operations run, each container that had to be copied is in the tree as an OpenObject or an OpenList; at the
 * end one walk over these turns them into plain objects and lists.
 */

import { PatchError } from "./errors.js";
import { OpenList, OpenObject } from "./patch_containers.js";
import type { Json } from "./results/reading.js";

type Open = OpenObject | OpenList;

/**
 * Returns a new document with the operations applied in order; PatchError if one doesn't fit.
 *
 * Values that the patch brings are put in as they are.
 */
export function applyPatch(document: unknown, patch: readonly Readonly<Json>[]): unknown {
  const tree = new Tree(document);
  for (const operation of patch) {
    const name = operation?.["op"];
    const run = typeof name === "string" ? OPERATIONS.get(name) : undefined;
    if (run === undefined) misfit("no operation", name);
    run(tree, operation);
  }
  return frozen(tree.root);
}

/** The document while operations run. */
class Tree {
  constructor(public root: unknown) {}

  /** Returns the container at `path`; it and all on the way to it become this patch's own copies. */
  open(path: readonly string[]): Open {
    let here = opened(this.root, "");
    this.root = here;
    for (const token of path) {
      const child = here.get(token);
      const own = opened(child, token);
      if (own !== child) here.set(token, own);
      here = own;
    }
    return here;
  }

  /** Returns what is at `path`. */
  look(path: readonly string[]): unknown {
    let node = this.root;
    for (const token of path) node = opened(node, token).get(token);
    return node;
  }

  put(path: readonly string[], value: unknown): void {
    if (path.length === 0) this.root = value;
    else this.open(path.slice(0, -1)).add(last(path), value);
  }

  take(path: readonly string[]): unknown {
    if (path.length === 0) misfit("nothing to take the root from", "");
    return this.open(path.slice(0, -1)).take(last(path));
  }

  replace(path: readonly string[], value: unknown): void {
    if (path.length === 0) {
      this.root = value;
      return;
    }
    const parent = this.open(path.slice(0, -1));
    parent.get(last(path));
    parent.set(last(path), value);
  }
}

function move(tree: Tree, operation: Readonly<Json>): void {
  const [source, path] = [tokens(operation, "from"), tokens(operation, "path")];
  if (source.length < path.length && source.every((token, n) => token === path[n])) {
    misfit("a move into itself", operation["path"]);
  }
  tree.put(path, tree.take(source));
}

function test(tree: Tree, operation: Readonly<Json>): void {
  if (!equal(frozen(tree.look(tokens(operation, "path"))), value(operation))) {
    misfit("another value", operation["path"]);
  }
}

const OPERATIONS = new Map<string, (tree: Tree, operation: Readonly<Json>) => void>([
  ["add", (tree, operation) => tree.put(tokens(operation, "path"), value(operation))],
  ["remove", (tree, operation) => void tree.take(tokens(operation, "path"))],
  ["replace", (tree, operation) => tree.replace(tokens(operation, "path"), value(operation))],
  ["move", move],
  // Frozen: the two places may be edited apart later, so neither may own what both show.
  ["copy", (tree, operation) => tree.put(tokens(operation, "path"), frozen(tree.look(tokens(operation, "from"))))],
  ["test", test],
]);

function last(path: readonly string[]): string {
  return path[path.length - 1] as string;
}

/** Returns the tokens of the pointer in a member of an operation. */
function tokens(operation: Readonly<Json>, member: string): string[] {
  const path = operation[member];
  if (typeof path !== "string" || (path !== "" && path[0] !== "/")) misfit("no JSON Pointer", member);
  return path.split("/").slice(1).map((token) => token.replace(/~1/g, "/").replace(/~0/g, "~"));
}

function value(operation: Readonly<Json>): unknown {
  if (!("value" in operation)) misfit("no value", operation["path"]);
  return operation["value"];
}

/** Returns a container as this patch's own; one that JSON.stringify would ask for its form is asked here, too. */
function opened(node: unknown, token: string): Open {
  if (node instanceof OpenObject || node instanceof OpenList) return node;
  const plain = asSent(node);
  if (Array.isArray(plain)) return new OpenList(plain);
  if (typeof plain === "object" && plain !== null) return new OpenObject(plain);
  misfit("no container", token);
}

function asSent(node: unknown): unknown {
  const form = (node as { toJSON?: unknown } | null | undefined)?.toJSON;
  return typeof form === "function" ? form.call(node, "") : node;
}

/** Returns the node with plain containers for the opened ones at and below it; they stay as they are. */
function frozen(node: unknown): unknown {
  const top: [unknown] = [node];
  const todo: [holder: Json | unknown[], key: string | number, value: Open][] = [];
  const look = (holder: Json | unknown[], key: string | number, item: unknown) => {
    if (item instanceof OpenObject || item instanceof OpenList) todo.push([holder, key, item]);
  };
  look(top, 0, node);
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [holder, key, item] = next;
    const plain = item.plain();
    Object.defineProperty(holder, key, { value: plain, writable: true, enumerable: true, configurable: true });
    if (Array.isArray(plain)) plain.forEach((inner, n) => look(plain, n, inner));
    else for (const name of Object.keys(plain)) look(plain, name, plain[name]);
  }
  return top[0];
}

/** Compares two values as JSON: the order of members doesn't count. */
function equal(a: unknown, b: unknown): boolean {
  const [one, two] = [asSent(a), asSent(b)];
  if (typeof one !== "object" || typeof two !== "object" || one === null || two === null) return one === two;
  if (Array.isArray(one) !== Array.isArray(two)) return false;
  const [first, second] = [one as Json, two as Json];
  const keys = Object.keys(first);
  return (
    keys.length === Object.keys(second).length &&
    keys.every((key) => Object.hasOwn(second, key) && equal(first[key], second[key]))
  );
}

function misfit(what: string, where: unknown): never {
  throw new PatchError(what, { data: { at: where } }); // a key may be content: not into the text
}
