import { guardFetch } from "turnkeeper";

// A guard in any engine: what leaves is mended, what can't be is answered at once, a stream comes back paired.
const messages = [
  { role: "user", content: "Is it raining in Oslo?" },
  { role: "assistant", content: [{ type: "text", text: "I'll look." },
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "Oslo" } }] },
  { role: "user", content: "And tomorrow?" },
];
const call = { type: "server_tool_use", id: "srvtoolu_2", name: "web_search", input: {} };
const events = [
  { type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", model: "m", content: [],
    stop_reason: null, usage: { input_tokens: 1, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "Dry" } },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: call },
  { type: "content_block_stop", index: 1 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
];
const sse = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
const left = [];
const provider = async (input, init) => {
  const request = new Request(input, init);
  left.push(JSON.parse(await request.text()));
  return new Response(sse, { headers: { "content-type": "text/event-stream" } });
};
const fetch = guardFetch({ fetch: provider });
const post = (body) => fetch("https://api.anthropic.com/v1/messages", {
  method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const answer = await (await post({ model: "claude-sonnet-4-5", max_tokens: 9, stream: true, messages })).text();
const refused = await post({ model: "claude-sonnet-4-5", max_tokens: 9, messages: [{ role: "robot", content: "x" }] });
const held = { paired: answer.includes("Dry") && !answer.includes("srvtoolu_2"), status: refused.status, sent: left.length };
if (!held.paired || held.status !== 400 || held.sent !== 1) throw new Error(JSON.stringify(held));
console.log(JSON.stringify(left[0].messages));
