// SPDX-License-Identifier: Apache-2.0

/**
 * node bench.mjs: measures the package that is installed next to this file. tests/clients/bench_typescript.py runs it.
 *
 * The histories have one search without its result, so each repair makes one edit. Each figure is the best of several
 * rounds of one run; `own` is what the daemon says that it took itself, on average.
 */

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

/** Microseconds of one call: the best round. */
async function time(work, calls) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let n = 0; n < calls; n++) await work();
    best = Math.min(best, ((performance.now() - start) * 1000) / calls);
  }
  return best;
}

function row(figure, measured, bar, met) {
  console.log(`| ${figure} | ${measured} | ${bar} | ${met ? "met" : "missed"} |`);
}

const us = (value) => `${value.toFixed(0)} µs`;

async function firstCall() {
  const start = performance.now();
  const keeper = await Turnkeeper.load();
  const loaded = performance.now() - start;
  keeper.repair(history(1000).messages);
  const whole = performance.now() - start;
  row("first call: load, and one repair", `${loaded.toFixed(0)} ms, ${whole.toFixed(0)} ms`, "≤ 50 ms", whole <= 50);
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
    await time(() => daemon.repairBody(text), 3);
    const before = await ownTime(daemon, { sum: 0, count: 0 });
    const took = await time(() => daemon.repairBody(text), calls);
    const { mean } = await ownTime(daemon, before);
    const bar = 1.3 * mean + 40;
    row(`socket: repairBody, ${name}`, `${us(took)}; own ${us(mean)}`, `≤ 1.3 × own + 40 µs = ${us(bar)}`, took <= bar);
  }
}

async function locally(name, text) {
  await time(() => keeper.repairBody(text), 50); // the engine compiles what is hot while this runs
  const both = await time(() => JSON.stringify(JSON.parse(text)), 20);
  const took = await time(() => keeper.repairBody(text), 20);
  const bar = `≤ JSON.parse + JSON.stringify, ${us(both)}`;
  row(`local: repairBody, ${name}`, `${us(took)} = ${(took / both).toFixed(2)} ×`, bar, took <= both);
}

console.log("| figure | measured | bar | |\n|---|---|---|---|");
const keeper = await firstCall();
const daemon = await Turnkeeper.connect();
const text = JSON.stringify(history(200_000));
await locally("200 KB", text);
await locally("200 KB of ASCII", text.replaceAll("–", "-"));
const bytes = new TextEncoder().encode(text);
const here = await time(() => keeper.repairBody(bytes), 20);
const before = await ownTime(daemon, { sum: 0, count: 0 });
for (let n = 0; n < 50; n++) await daemon.repairBody(bytes);
const { mean } = await ownTime(daemon, before);
const times = `${us(here)} = ${(here / mean).toFixed(1)} × own ${us(mean)}`;
row("local: bytes, next to the native library", times, "≤ 4 ×", here <= 4 * mean);
await sockets(daemon);
keeper.close();
daemon.close();
