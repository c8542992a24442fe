# SPDX-License-Identifier: Apache-2.0
"""Costs of judging one conversation as Messages, Chat Completions and Responses write it."""
import json
import random

WORDS = "the ice on the lake was thick enough to carry us and so we walked across it to the far shore".split()
SIZE = 200_000  # bytes of texts and arguments
BAR = 1.3


def prose(rng, most):
    return " ".join(rng.choices(WORDS, k=rng.randint(4, most)))


def code(rng):
    return "".join('    if (%s != "%s") {\n\t\treturn %s->%s[%d];\n    }\n' % (
        *rng.choices(WORDS, k=4), rng.randrange(1000)) for _ in range(rng.randint(5, 80)))


def rounds(size=SIZE):
    """[(question, comment, [(id, path, result)], answer)] of about that size in all."""
    rng, made, size_now = random.Random(11), [], 0
    while size_now < size:
        calls = [("call_%024d" % rng.randrange(10 ** 12), "src/%s.c" % rng.choice(WORDS), code(rng))
                 for _ in range(rng.randint(1, 3))]
        made.append((prose(rng, 80), prose(rng, 20), calls, prose(rng, 120)))
        size_now += len(str(made[-1]))
    return made


def arguments(path):
    return {"path": path, "offset": 12, "limit": 200}


def anthropic(conversation):
    messages = []
    for question, comment, calls, answer in conversation:
        uses = [{"type": "tool_use", "id": i, "name": "read_file", "input": arguments(path)} for i, path, _ in calls]
        results = [{"type": "tool_result", "tool_use_id": i, "content": text} for i, _, text in calls]
        messages += [{"role": "user", "content": [{"type": "text", "text": question}]},
                     {"role": "assistant", "content": [{"type": "text", "text": comment}, *uses]},
                     {"role": "user", "content": results},
                     {"role": "assistant", "content": [{"type": "text", "text": answer}]}]
    return {"messages": [*messages, {"role": "user", "content": "q"}]}


def chat(conversation):
    messages = []
    for question, comment, calls, answer in conversation:
        asked = [{"id": i, "type": "function", "function": {"name": "read_file", "arguments": json.dumps(arguments(path))}}
                 for i, path, _ in calls]
        messages += [{"role": "user", "content": question},
                     {"role": "assistant", "content": comment, "tool_calls": asked},
                     *({"role": "tool", "tool_call_id": i, "content": text} for i, _, text in calls),
                     {"role": "assistant", "content": answer}]
    return {"provider": "openai-chat", "messages": [*messages, {"role": "user", "content": "q"}]}


def responses(conversation):
    items = []
    for question, comment, calls, answer in conversation:
        said = [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
                for text in (comment, answer)]
        items += [{"role": "user", "content": question}, said[0],
                  *({"type": "function_call", "call_id": i, "name": "read_file", "arguments": json.dumps(arguments(path))}
                    for i, path, _ in calls),
                  *({"type": "function_call_output", "call_id": i, "output": text} for i, _, text in calls), said[1]]
    return {"provider": "openai-responses", "messages": [*items, {"role": "user", "content": "q"}]}


SHAPES = {"messages": anthropic, "chat": chat, "responses": responses}
NAMES = {"chat": "Chat Completions", "responses": "Responses"}


def figures(report, bench, write_request):
    """Processor time per byte of `validate`, next to that of Anthropic's shape."""
    conversation = rounds()
    for name, shape in SHAPES.items():
        write_request("shape_" + name, "validate", shape(conversation))
    for suffix, codec in (("json", "JSON"), ("mp", "msgpack")):
        rows = {row["file"]: row for row in bench("bench_call", *("shape_%s.%s" % (name, suffix) for name in SHAPES))}
        cost = {name: rows["shape_%s.%s" % (name, suffix)]["us"] / rows["shape_%s.%s" % (name, suffix)]["bytes"]
                for name in SHAPES}
        for name, said in NAMES.items():
            report.line("in process: validate, %s, 200 KB, %s: time per byte" % (codec, said),
                        cost[name] / cost["messages"], BAR, " x Messages")
