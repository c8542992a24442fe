// SPDX-License-Identifier: Apache-2.0
/** The local provider, and both back ends: the core in process and, if TURNKEEPERD names one, a daemon. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { Turnkeeper } from "../../dist/esm/index.js";

const SERVER = fileURLToPath(new URL("provider_server.py", import.meta.url));

export class Provider {
  /** Starts the server. */
  static async start() {
    const made = new Provider();
    made.child = spawn(process.env.PYTHON || "python3", [SERVER], { stdio: ["pipe", "pipe", "inherit"] });
    made.lines = createInterface({ input: made.child.stdout })[Symbol.asyncIterator]();
    Object.assign(made, await made.#line());
    return made;
  }

  async #line() {
    const { done, value } = await this.lines.next();
    if (done) throw new Error("the provider's server has ended");
    return JSON.parse(value);
  }

  /** Commands go one after the other. */
  async #ask(command) {
    this.child.stdin.write(JSON.stringify(command) + "\n");
    return this.#line();
  }

  /** Forgets what arrived; `turns` are answered next. */
  async play(turns = [], { compress = false } = {}) {
    await this.#ask({ turns, compress });
  }

  /** Returns what arrived: paths, headers with names in lower case, bodies. */
  async seen() {
    const seen = await this.#ask({ seen: true });
    return seen.map(([path, headers, body]) => ({
      path,
      body,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    }));
  }

  async bodies() {
    return (await this.seen()).map(({ body }) => body);
  }

  /** Ends the server by the end of its input: it has a daemon to stop. */
  async stop() {
    const ended = once(this.child, "exit");
    this.child.stdin.end();
    await ended;
  }
}

/** Returns the back ends by name; of the daemon's also why it is missing. */
export async function backEnds(provider) {
  const found = [["in process", { keeper: await Turnkeeper.load() }]];
  if (!provider.socket) return [...found, ["over the socket", { skip: "TURNKEEPERD names no daemon" }]];
  const keeper = await Turnkeeper.connect(provider.socket);
  return [...found, ["over the socket", { keeper, onUnavailable: "closed" }]];
}

/** Runs the test's body for each back end; `options` are those of a guard. */
export async function eachBackEnd(test, provider, body) {
  for (const [name, { skip, ...options }] of await backEnds(provider)) {
    await test.test(name, { skip }, (inner) => body({ ...options, logger: { warn() {} } }, inner));
    options.keeper?.close();
  }
}

/** Says whether the core judges a provider; an older one may not. */
export async function judges(name) {
  const keeper = await Turnkeeper.load();
  const { providers } = keeper.info();
  keeper.close();
  return providers.includes(name);
}

/** Returns what a promise is rejected with. */
export async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it didn't fail");
}

/** Imports a package of the devDependencies; `skip` says why it can't be. */
export async function installed(name) {
  try {
    return { module: await import(name), skip: false };
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    return { module: {}, skip: `${name} isn't installed (npm ci)` };
  }
}
