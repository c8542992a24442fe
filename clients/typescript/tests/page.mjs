// SPDX-License-Identifier: Apache-2.0

/**
 * node page.mjs BROWSER PROGRAM: a page in a headless browser, with the installed package, runs a program that mends a history.
 *
 * The browser gets the page and the files of node_modules/turnkeeper from a server here, and the page sends back what
 * it came to, which is printed.
 */

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const SECONDS = 150;
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };
const program = readFileSync(process.argv[3], "utf8").replace("console.log(", "send(");
const PAGE = `<!doctype html><title>turnkeeper</title>
<script type="importmap">{"imports":{"turnkeeper":"/turnkeeper/dist/esm/index.js",
  "#platform":"/turnkeeper/dist/esm/platform/web.js"}}</script>
<script>
  const send = (body) => fetch("/result", { method: "POST", body });
  addEventListener("error", (event) => send(event.message));
  addEventListener("unhandledrejection", (event) => send(String(event.reason)));
</script>
<script type="module">${program}</script>`;

function answer(request, response, report) {
  const path = normalize(new URL(request.url, "http://page").pathname);
  if (path === "/") return response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
  if (path === "/result") {
    const parts = [];
    request.on("data", (part) => parts.push(part)).on("end", () => report(Buffer.concat(parts).toString()));
    return response.end();
  }
  try {
    const bytes = readFileSync(join("node_modules", path));
    return response.writeHead(200, { "content-type": TYPES[path.slice(path.lastIndexOf("."))] }).end(bytes);
  } catch {
    return response.writeHead(404).end();
  }
}

const folder = mkdtempSync(join(tmpdir(), "tkpage"));
const options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"];
const result = await new Promise((resolve, reject) => {
  const server = http.createServer((request, response) => answer(request, response, finish));
  let browser;
  const timer = setTimeout(() => finish(`the page said nothing for ${SECONDS} s`), SECONDS * 1000);
  function finish(text) {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections?.();
    browser.once("close", () => resolve(text));
    process.kill(-browser.pid, "SIGKILL"); // its children too, which write to the folder
  }
  server.listen(0, "127.0.0.1", () => {
    const page = `http://127.0.0.1:${server.address().port}/`;
    const line = [...options, `--user-data-dir=${folder}`, "--remote-debugging-port=0", page];
    browser = spawn(process.argv[2], line, { stdio: "ignore", detached: true }).once("error", reject);
  });
});
for (let tries = 0; existsSync(folder); tries++) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (tries === 100) throw error; // one of the killed processes has written once more
    await sleep(100);
  }
}
console.log(result);
