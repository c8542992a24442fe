import { Turnkeeper } from "turnkeeper";

const history = [
  { role: "user", content: "Is it raining in Oslo?" },
  { role: "assistant", content: [{ type: "text", text: "I'll look." },
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "Oslo" } }] },
  { role: "user", content: "And tomorrow?" },
];
const daemon = await Turnkeeper.connect(); // at TURNKEEPER_SOCKET
console.log(JSON.stringify((await daemon.repair(history)).messages));
daemon.close();
