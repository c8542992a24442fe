// SPDX-License-Identifier: Apache-2.0

/** The socket back end against a server of the test's own: retries, timeouts, signals, and what isn't a daemon. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import * as turnkeeper from "turnkeeper";

const { Turnkeeper } = turnkeeper;

const frame = (document) => {
  const body = Buffer.from(typeof document === "string" ? document : JSON.stringify(document));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
};
const pong = ({ id }) => frame({ jsonrpc: "2.0", id, result: { pong: true } });
const refusal = ({ id }, code, name, data = {}) =>
  frame({ jsonrpc: "2.0", id, error: { code, message: "said", data: { name, ...data } } });

/** Runs `work` with the path of a server that gives `answer(socket, request, connection, count)` each request. */
async function served(answer, work) {
  const folder = mkdtempSync(join(tmpdir(), "tk"));
  const path = join(folder, "s.sock");
  const seen = { connections: 0, requests: [] };
  const sockets = new Set();
  const server = net.createServer((socket) => {
    const connection = ++seen.connections;
    let got = Buffer.alloc(0);
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      got = Buffer.concat([got, data]);
      while (got.length >= 4 && got.length >= 4 + got.readUInt32BE(0)) {
        const request = JSON.parse(got.subarray(4, 4 + got.readUInt32BE(0)));
        got = got.subarray(4 + got.readUInt32BE(0));
        seen.requests.push(request);
        answer(socket, request, connection, seen.requests.length);
      }
    });
  });
  await new Promise((resolve) => server.listen(path, resolve));
  try {
    await work(path, seen);
  } finally {
    sockets.forEach((socket) => socket.destroy());
    server.close();
    rmSync(folder, { recursive: true });
  }
}

test("a connection is used again, and the time that is left travels with the request", async () => {
  await served((socket, request) => socket.write(pong(request)), async (path, seen) => {
    const keeper = await Turnkeeper.connect(path, { timeout: 4000 });
    for (let n = 0; n < 3; n++) assert.equal((await keeper.ping()).pong, true);
    assert.equal(seen.connections, 1);
    for (const { params } of seen.requests) assert.ok(params.timeout_ms > 0 && params.timeout_ms <= 4000);
    await keeper.call("ping", {}, { timeout: Infinity });
    assert.deepEqual(seen.requests.at(-1).params, {});
    keeper.close();
    await assert.rejects(keeper.ping(), /closed/);
  });
});

test("closed before the answer: sent again once, on a new connection", async () => {
  const answer = (socket, request, connection) => (connection === 1 ? socket.destroy() : socket.write(pong(request)));
  await served(answer, async (path, seen) => {
    const keeper = await Turnkeeper.connect(path);
    assert.equal((await keeper.ping()).pong, true);
    assert.equal(seen.requests.length, 2);
  });
  await served((socket) => socket.destroy(), async (path, seen) => {
    const keeper = await Turnkeeper.connect(path, { retries: 5 });
    await assert.rejects(keeper.ping(), (error) => {
      return error instanceof turnkeeper.ConnectionLost && error.retryable && error.path === path;
    });
    assert.equal(seen.requests.length, 2); // the daemon may have died of this very request
  });
});

test("closed inside the answer: not sent again", async () => {
  await served((socket, request) => socket.end(pong(request).subarray(0, 9)), async (path, seen) => {
    const keeper = await Turnkeeper.connect(path);
    await assert.rejects(keeper.ping(), turnkeeper.ConnectionLost);
    assert.equal(seen.requests.length, 1);
  });
});

test("a stream is never sent again", async () => {
  const answer = (socket, { id, method }) => {
    if (method !== "stream.open") return socket.destroy();
    return socket.write(frame({ id, result: { state: "open", outputs: [] } }));
  };
  await served(answer, async (path, seen) => {
    const keeper = await Turnkeeper.connect(path, { retries: 5 });
    const stream = await keeper.stream();
    await assert.rejects(stream.feed("data"), (error) => error instanceof turnkeeper.ConnectionLost && !error.retryable);
    assert.equal(stream.state, "lost");
    await assert.rejects(stream.finish(), turnkeeper.ConnectionLost);
    assert.equal(seen.requests.length, 2);
  });
});

test("errors that come without the request's id, because it wasn't read", async () => {
  const { ParseError, InvalidRequest, InternalError, FrameTooLarge, Busy, AnswerTooLarge, ProtocolError } = turnkeeper;
  const classes = {
    [-32700]: ParseError, [-32600]: InvalidRequest, [-32603]: InternalError, [-32010]: FrameTooLarge, [-32011]: Busy,
    [-32014]: AnswerTooLarge, [-32602]: ProtocolError, [-32001]: ProtocolError,
  };
  for (const [code, kind] of Object.entries(classes)) {
    const answer = (socket) => socket.write(frame({ id: null, error: { code: Number(code), message: "m", data: {} } }));
    await served(answer, async (path) => {
      await assert.rejects((await Turnkeeper.connect(path)).ping(), (error) => error.constructor === kind, code);
    });
  }
});

test("retryable errors are retried as often as asked for, after the time that the daemon names", async () => {
  const answer = (socket, request, connection, count) =>
    socket.write(count <= 2 ? refusal(request, -32011, "busy", { retry_after_ms: 30, retryable: true }) : pong(request));
  await served(answer, async (path, seen) => {
    const keeper = await Turnkeeper.connect(path, { retries: 2 });
    const start = performance.now();
    await keeper.ping();
    assert.ok(performance.now() - start >= 59);
    assert.equal(seen.requests.length, 3);
  });
  await served(answer, async (path, seen) => {
    const keeper = await Turnkeeper.connect(path);
    await assert.rejects(keeper.ping(), (error) => {
      return error instanceof turnkeeper.Busy && error.retryAfterMs === 30 && error.retryable;
    });
    assert.equal(seen.requests.length, 1);
  });
});

test("a call that is late or aborted closes its connection", async () => {
  const late = [];
  await served((socket, request) => late.push([socket, request]), async (path, seen) => {
    const keeper = await Turnkeeper.connect(path, { timeout: 50 });
    await assert.rejects(keeper.ping(), turnkeeper.Timeout);
    const control = new AbortController();
    const call = keeper.info({ signal: control.signal, timeout: Infinity });
    const reason = new Error("enough");
    setTimeout(() => control.abort(reason), 20);
    await assert.rejects(call, (error) => error instanceof turnkeeper.Aborted && error.cause === reason);
    await assert.rejects(keeper.info({ signal: AbortSignal.abort() }), turnkeeper.Aborted);
    late.forEach(([socket, request]) => socket.write(pong(request)));
    late.length = 0;
    await assert.rejects(keeper.ping(), turnkeeper.Timeout);
    assert.equal(seen.connections, 3);
  });
});

test("what no daemon says is told as such", async () => {
  const answers = {
    "HTTP/1.1 400 Bad Request\r\n\r\n": /turnkeeperd/,
    [frame("nonsense")]: /can't be read/,
    [frame({ id: 1, result: 1, error: null })]: /no JSON-RPC/,
    [frame({ id: 1e9, result: {} })]: /another request/,
    [Buffer.concat([frame("{}"), frame("{}")])]: /bytes after/,
  };
  for (const [said, want] of Object.entries(answers)) {
    await served((socket) => socket.write(Buffer.from(said)), async (path) => {
      const keeper = await Turnkeeper.connect(path);
      await assert.rejects(keeper.ping(), (error) => error instanceof turnkeeper.ProtocolError && want.test(error.message));
    });
  }
  await served((socket, { id }) => socket.write(frame({ id, result: { valid: true } })), async (path) => {
    const keeper = await Turnkeeper.connect(path);
    await assert.rejects(keeper.validate([]), /no member message_count/);
  });
});

test("an unknown error has the class of its code", async () => {
  const kinds = [[-32003, "new_refusal", "Refused"], [-32602, "new_misfit", "InvalidParams"], [-1, "new", "RemoteError"]];
  for (const [code, name, kind] of kinds) {
    await served((socket, request) => socket.write(refusal(request, code, name, { retryable: true })), async (path) => {
      const keeper = await Turnkeeper.connect(path);
      await assert.rejects(keeper.ping(), (error) => {
        return error.constructor === turnkeeper[kind] && error.name === name && error.retryable && error.code === code;
      });
    });
  }
});

test("nobody listens: ConnectFailed, with what may be wrong", async () => {
  const keeper = await Turnkeeper.connect("/nonexistent/tk.sock");
  await assert.rejects(keeper.ping(), (error) => error instanceof turnkeeper.ConnectFailed && /is turnkeeperd running/.test(error.message));
  await assert.rejects(Turnkeeper.connect("/" + "a".repeat(200)), turnkeeper.ConnectFailed);
});
