# SPDX-License-Identifier: Apache-2.0
import json

import turnkeeper

history = json.load(open("chat.json"))
with turnkeeper.Local() as keeper:
    fixed = keeper.repair(history)  # `history` stays as it is: store that
print(fixed.edits[0].action, fixed.edits[0].pointer)
print(json.dumps(fixed.messages[1]))  # send fixed.messages
