// SPDX-License-Identifier: Apache-2.0

/**
 * node bench.mjs: measures the package that is installed next to this file. tests/clients/bench_typescript.py runs it.
 *
 *     --request FILE    only writes the request of 200 KB to FILE, for who measures the library with it
 *     TK_NATIVE_US      microseconds that the library takes for that request
 *
 * The histories have one search without its result, so each repair makes one edit. Each figure is the best of several
 * rounds of one run. What is done in process is measured in time of the processor, which other programs don't change
 * much; the socket in time that passes. `own` is what the daemon says that it took itself, on average.
 */

import { writeFileSync } from "node:fs";

import { Turnkeeper } from "turnkeeper";

const SIZES = [["18 KB", 18_000], ["200 KB", 200_000], ["2 MB", 2_000_000]];
const ROUNDS = 7;

function history(size) {
  const text = "It is raining in Oslo, and the forecast says \"more\" for tomorrow – 80 %.\n".repeat(10);
  const messages = [{ role: "user", content: "Is it raining?" }];
  for (let n = 0; JSON.stringify(messages.at(-1)).length * messages.length < size; n++) {
    const call = { type: "tool_use", id: `toolu_${n}`, name: "look", input: { place: "Oslo", hours: [1, 2, n] } };
    messages.push({ role: "assistant", content: [{ type: "text", text }, call] });
    const answer = { type: "tool_result", tool_use_id: `toolu_${n}`, content: text };
    messages.push({ role: "user", content: [answer] });
  }
  const open = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } };
  messages.push({ role: "assistant", content: [{ type: "text", text }, open] }, { role: "user", content: "And?" });
  return { model: "claude-sonnet-5-5", max_tokens: 1024, messages };
}

/** Microseconds that one call takes by a clock, in microseconds, too: the best round. */
async function time(work, calls, clock) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = clock();
    for (let n = 0; n < calls; n++) await work();
    best = Math.min(best, (clock() - start) / calls);
  }
  return best;
}

const passed = () => performance.now() * 1000;
const processor = () => process.cpuUsage().user + process.cpuUsage().system;

function row(figure, measured, bar, met) {
  console.log(`| ${figure} | ${measured} | ${bar} | ${met ? "met" : "missed"} |`);
}

const us = (value) => `${value.toFixed(0)} µs`;

async function firstCall() {
  const [start, used] = [passed(), processor()];
  const keeper = await Turnkeeper.load();
  keeper.repair(history(1000).messages);
  const [took, cost] = [(passed() - start) / 1000, (processor() - used) / 1000];
  row("first call: load, and one repair", `${took.toFixed(0)} ms, processor ${cost.toFixed(0)} ms`, "≤ 50 ms", took <= 50);
  return keeper;
}

/** The daemon's own microseconds for each repair since the last question. */
async function ownTime(daemon, before) {
  const { sum, count } = (await daemon.stats()).methods.repair?.latency_us ?? { sum: 0, count: 0 };
  return { sum, count, mean: (sum - before.sum) / (count - before.count) };
}

async function sockets(daemon) {
  for (const [name, size] of SIZES) {
    const text = new TextEncoder().encode(JSON.stringify(history(size)));
    const calls = Math.ceil(20_000_000 / size / 10);
    await time(() => daemon.repairBody(text), 3, passed);
    const before = await ownTime(daemon, { sum: 0, count: 0 });
    const took = await time(() => daemon.repairBody(text), calls, passed);
    const { mean } = await ownTime(daemon, before);
    const bar = 1.3 * mean + 40;
    row(`socket: repairBody, ${name}`, `${us(took)}; own ${us(mean)}`, `≤ 1.3 × own + 40 µs = ${us(bar)}`, took <= bar);
  }
}

async function locally(keeper, name, text) {
  await time(() => keeper.repairBody(text), 50, processor); // the engine compiles what is hot while this runs
  const both = await time(() => JSON.stringify(JSON.parse(text)), 20, processor);
  const took = await time(() => keeper.repairBody(text), 20, processor);
  const bar = `≤ JSON.parse + JSON.stringify, ${us(both)}`;
  row(`in process: repairBody, ${name}`, `${us(took)} = ${(took / both).toFixed(2)} ×`, bar, took <= both);
}

async function nextToNative(keeper, text) {
  const native = Number(process.env.TK_NATIVE_US);
  if (!native) return;
  const bytes = new TextEncoder().encode(text);
  const took = await time(() => keeper.repairBody(bytes), 20, processor);
  const times = `${us(took)} = ${(took / native).toFixed(1)} ×`;
  row("in process: text in bytes", times, `≤ 4 × the library, ${us(native)}`, took <= 4 * native);
}

async function main() {
  console.log("| figure | measured | bar | |\n|---|---|---|---|");
  const keeper = await firstCall();
  const daemon = await Turnkeeper.connect();
  const text = JSON.stringify(history(200_000));
  await locally(keeper, "200 KB", text);
  await locally(keeper, "200 KB of ASCII", text.replaceAll("–", "-"));
  await nextToNative(keeper, text);
  await sockets(daemon);
  keeper.close();
  daemon.close();
}

if (process.argv[2] === "--request") {
  const params = { return: "splices", request: history(200_000) };
  writeFileSync(process.argv[3], JSON.stringify({ jsonrpc: "2.0", id: 1, method: "repair", params }));
} else {
  await main();
}
