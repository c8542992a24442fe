# SPDX-License-Identifier: Apache-2.0
"""The part of demo.py about what comes before a request: a tool loop with appended messages (splice), web
search added to two client tools with its beta header (tools), a signed turn that a store gave back in another
order (seal), and all of it in one call (prepare).

A few of the provider's rules, below, give its answers; for signatures, which only the provider can check,
turnkeeper's rules do.
"""
import json
import os
import subprocess
import textwrap

import turnkeeper

# -- A few of the provider's rules -----------------------------------------------------------


def blocks(message):
    return message["content"] if isinstance(message["content"], list) else []


def refuse_messages(messages):
    """Returns the provider's error about client tools in a history; None: it accepts them."""
    for i, message in enumerate(messages):
        before = blocks(messages[i - 1]) if i else []
        asked = [b["id"] for b in before if b["type"] == "tool_use"]
        leading = []
        for k, block in enumerate(blocks(message)):
            if block["type"] != "tool_result":
                continue
            if block["tool_use_id"] not in asked:
                return ("messages.%d.content.%d: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each "
                        "`tool_result` block must have a corresponding `tool_use` block in the previous message."
                        % (i, k, block["tool_use_id"]))
            leading += [block["tool_use_id"]] if k == len(leading) else []
        open_calls = [id_ for id_ in asked if id_ not in leading]
        if open_calls:
            return ("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s. Each "
                    "`tool_use` block must have a corresponding `tool_result` block in the next message."
                    % (i - 1, ", ".join(open_calls)))
    return None


def refuse_tools(request):
    """Returns the provider's error about the request's tools; None: it accepts them."""
    names = [tool["name"] for tool in request["tools"]]
    if len(set(names)) < len(names):
        return "tools: Tool names must be unique."
    wanted = request.get("tool_choice", {}).get("name")
    if wanted and wanted not in names:
        return "Tool '%s' not found in provided tools" % wanted
    return None


def say(verdict):
    print(textwrap.fill(verdict or "(accepts it)", 96, initial_indent="the provider: ",
                        subsequent_indent=" " * 14))


# -- splice ----------------------------------------------------------------------------------

QUESTION = {"role": "user", "content": "What is the weather in Oslo and Bergen?"}
CALLS = [{"type": "tool_use", "id": "toolu_%d" % n, "name": "get_weather", "input": {"city": city}}
         for n, city in ((1, "Oslo"), (2, "Bergen"))]
TURN = {"content": [{"type": "thinking", "thinking": "Two cities, two calls.", "signature": "EqQBCkYIARgC"}] + CALLS,
        "stop_reason": "tool_use"}
RUNNERS = [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "4 degrees, rain"}]
BERGEN = {"type": "tool_result", "tool_use_id": "toolu_2", "content": "7 degrees, more rain"}
# A program appended these while its tools ran: a note, its own copy of the turn, a result of its own.
APPENDED = [{"role": "user", "content": "Remember: be concise."},
            {"role": "assistant", "content": CALLS},
            {"role": "user", "content": [BERGEN]}]


def short(message):
    shown = [message["content"]] if isinstance(message["content"], str) else [
        " ".join(filter(None, (b["type"], b.get("id"), b.get("tool_use_id")))) for b in message["content"]]
    return "%-9s %s" % (message["role"], " | ".join(shown))


def show_messages(messages):
    for message in messages:
        print("    " + short(message))


def show_loop(client, title):
    title("A tool loop: the turn calls two tools, and the program appends messages while they run")
    turn = {"role": "assistant", "content": TURN["content"]}
    for what, messages in (
            ("If the program sends only what it appended, without the turn and the tools' results:", [QUESTION] + APPENDED),
            ("If it sends everything, one after the other:", [QUESTION, turn, {"role": "user", "content": RUNNERS}] + APPENDED)):
        print(what)
        show_messages(messages)
        say(refuse_messages(messages))
    print("With turnkeeper: client.splice(messages, turn, tool_results=runners, appended=appended)")
    spliced = client.splice([QUESTION], TURN, tool_results=RUNNERS, appended=APPENDED)
    show_messages(spliced.messages)
    say(refuse_messages(spliced.messages))
    print("=> %s; %s; the turn is as it was received: %s; valid: %s" % (
        spliced.action, ", ".join(spliced.notes), spliced.messages[1]["content"] == TURN["content"],
        client.validate(spliced.messages).valid))


# -- tools -----------------------------------------------------------------------------------

FUNCTIONS = [{"name": name, "description": "d", "input_schema": {"type": "object"}}
             for name in ("get_weather", "read_file")]
REQUEST = {"model": "claude-sonnet-4-5", "max_tokens": 1024, "messages": [QUESTION], "tools": FUNCTIONS,
           "tool_choice": {"type": "tool", "name": "get_weather"}}
SEARCH = {"type": "web_search_20250305", "name": "web_search", "max_uses": 10}


def turnkeeper_tools(body, *options):
    print("$ turnkeeper tools body.json", *options)
    done = subprocess.run([os.environ["TURNKEEPER"], "tools", "-", "--quiet", *options], input=json.dumps(body),
                          capture_output=True, text=True, check=True)
    return done.stdout


def show_names(tools):
    print("    tools: " + ", ".join(tool["name"] for tool in tools))


def show_tools(title):
    title("Adding web search to two tools of the client, and the beta header for it")
    for what, tools in (("If an option replaces `tools`:", [SEARCH]),
                        ("If it adds web search, and runs twice:", FUNCTIONS + [SEARCH, SEARCH])):
        print(what)
        show_names(tools)
        say(refuse_tools(dict(REQUEST, tools=tools)))
    added = json.loads(turnkeeper_tools(REQUEST, "--add", "web_search"))
    show_names(added["tools"])
    say(refuse_tools(added))
    again = json.loads(turnkeeper_tools(added, "--add", "web_search"))
    print("    once more: %s" % ("not a byte changes" if again == added else "changed"))
    # On the API web search needs no beta value any more; on Vertex it does.
    print("    " + turnkeeper_tools(added, "--header", "--target", "vertex", "--betas", "context-1m-2025-08-07").rstrip())
    print("=> the client's tools keep their order; --header prints the header that the request needs")


# -- seal ------------------------------------------------------------------------------------

THOUGHTS = [{"type": "thinking", "thinking": text, "signature": sign} for text, sign in (
    ("Oslo first.", "EqQBCkYIARgC"), ("Bergen may differ.", "EqQBCkYIBxgD"))]
RECEIVED = [THOUGHTS[0], CALLS[0], THOUGHTS[1], CALLS[1]]
GROUPED = THOUGHTS + CALLS
REPLAY = {"model": "claude-sonnet-4-5", "max_tokens": 1024, "messages": [
    QUESTION, {"role": "assistant", "content": GROUPED}, {"role": "user", "content": RUNNERS + [BERGEN]}]}


def said_of(client, request, **how):
    """Returns the provider's answer to a request, from the first finding."""
    errors = client.validate(request, **how).errors
    return errors[0].provider_error if errors else None


def show_replay(client, title):
    title("A signed turn in which a thought precedes each call; the store groups thoughts and calls")
    seals = [{"seal": client.seal(RECEIVED)}]
    print("As it was received, and as the store returns it:")
    show_messages([{"role": "received", "content": RECEIVED}, REPLAY["messages"][1]])
    say(said_of(client, REPLAY, seals=seals))
    print("With the seal that was made when it was received:")
    print('client.prepare(request, seals=seals, policy="preserve")')
    ready = client.prepare(REPLAY, seals=seals, policy="preserve")
    show_messages(ready.messages[1:2])
    say(said_of(client, ready.request, seals=seals))
    print("=> found to be %s, restored from its seal; the turn is as it was received: %s" % (
        ready.verdicts[0].verdict, ready.messages[1]["content"] == RECEIVED))
    print("Without a seal, for a store that is known to do so:")
    print('client.prepare(request, provenance="rebuilt")')
    ready = client.prepare(REPLAY, provenance="rebuilt")
    show_messages(ready.messages[1:2])
    say(said_of(client, ready.request, provenance="rebuilt"))
    print("=> %d thoughts became text: kept, but no longer signed" % ready.stats["demoted_thinking"])


# -- prepare ---------------------------------------------------------------------------------


def show_prepare(client, title):
    title("All of this in one call before the request is sent: prepare")
    print('client.prepare(request, splice={"assistant": turn, "tool_results": runners, "appended": appended},')
    print('               tools={"add": ["web_search"]}, seals=[{"seal": seal}], target={"endpoint": "vertex"})')
    request = {name: value for name, value in REQUEST.items() if name != "tool_choice"}
    ready = client.prepare(
        request, splice={"assistant": TURN, "tool_results": RUNNERS, "appended": APPENDED},
        tools={"add": ["web_search"]}, seals=[{"seal": client.seal(TURN["content"])}], target={"endpoint": "vertex"})
    show_messages(ready.messages)
    show_names(ready.request["tools"])
    print("    headers: %s" % ready.headers)
    say(refuse_messages(ready.messages) or refuse_tools(ready.request))
    print("=> %s; safe: %s; the turn is %s; one patch of %d operations" % (
        ready.action, ready.safe, ready.verdicts[0].verdict, len(ready.patch)))


def show(path, title):
    with turnkeeper.Client(path) as client:
        show_loop(client, title)
        show_tools(title)
        show_replay(client, title)
        show_prepare(client, title)
