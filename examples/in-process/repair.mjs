// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { Turnkeeper } from "turnkeeper";

const history = JSON.parse(readFileSync("chat.json", "utf8"));
const keeper = await Turnkeeper.load();
const fixed = keeper.repair(history); // `history` stays as it is: store that
console.log(fixed.edits[0].action, fixed.edits[0].pointer);
console.log(JSON.stringify(fixed.messages[1])); // send fixed.messages
