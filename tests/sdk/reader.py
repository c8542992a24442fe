# SPDX-License-Identifier: Apache-2.0
"""Reads recorded streams with the SDK for Python; reader.mjs does the same with the one for TypeScript.

    reader.py BASE_URL messages|beta

In:  a name a line; asked for the model of that name, the Messages API of BASE_URL answers with that stream
Out: lines {"name", "message"} with what the SDK built, or {"name", "error"}
"""
import json
import sys

import anthropic


def read(api, name):
    with api.stream(model=name, max_tokens=1, messages=[{"role": "user", "content": "any"}]) as stream:
        # Only what was set: members that the SDK's model knows and the wire didn't carry stay out.
        return stream.get_final_message().to_dict(mode="json")


def main():
    client = anthropic.Anthropic(api_key="any", base_url=sys.argv[1], max_retries=0)
    api = client.beta.messages if sys.argv[2] == "beta" else client.messages
    for line in sys.stdin:
        answer = {"name": line.strip()}
        try:
            answer["message"] = read(api, answer["name"])
        except Exception as why:  # whatever it is, it is the answer
            answer["error"] = "%s: %s" % (type(why).__name__, why)
        print(json.dumps(answer), flush=True)


main()
