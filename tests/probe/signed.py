# SPDX-License-Identifier: Apache-2.0
"""Rules about thinking: a turn that the provider signed is asked for, sent back as it came (the sound neighbour), and damaged (the
example). One turn serves all rules that want the same model.

A recipe is a function of the turn's content (Anthropic) or items (Responses). It returns the damaged body, made of
`history()`, or raises Unfit where the turn lacks what it would damage.
"""
import copy

import judge

BUDGET = 1024  # tokens, the least that thinking takes
TOOLS = [{"name": name, "description": "Notes a number.", "input_schema": {"type": "object"}} for name in ("f", "g")]
PROMPT = ("Think about which two of the numbers 1 to 9 are the best. Say in one short sentence what you will do, then call "
          "both tools, f and g, in the same turn.")
FUNCTIONS = [{"type": "function", "name": "f", "description": "Notes a number.",
              "parameters": {"type": "object", "properties": {}}}]


class Unfit(Exception):
    """The turn that the model made has nothing that the recipe could damage."""


def need(found, what):
    if not found:
        raise Unfit("the model's turn has no " + what)
    return found


# -- Anthropic ------------------------------------------------------------------------------------


def first_request(thinking):
    """Returns the body that asks for a signed turn; thinking is "enabled" or "adaptive"."""
    mode = {"type": "enabled", "budget_tokens": BUDGET} if thinking == "enabled" else {"type": "adaptive"}
    return {"max_tokens": 2 * BUDGET, "thinking": mode, "tools": TOOLS, "messages": [{"role": "user", "content": PROMPT}]}


def calls(content):
    return [part for part in content if part["type"] == "tool_use"]


def thoughts(content):
    return need([n for n, part in enumerate(content) if part["type"] == "thinking"], "thinking")


def history(first, content):
    """Returns the body of the next request: the turn, answered."""
    results = [{"type": "tool_result", "tool_use_id": call["id"], "content": "noted"} for call in calls(content)]
    last = results or [{"type": "text", "text": "Go on."}]
    turns = [{"role": "assistant", "content": content}, {"role": "user", "content": last}]
    return dict(first, max_tokens=BUDGET + 1, messages=first["messages"] + turns)


def without_text(first, content):
    del content[thoughts(content)[0]]["thinking"]
    return history(first, content)


def without_signature(first, content):
    del content[thoughts(content)[0]]["signature"]
    return history(first, content)


def with_other_signature(first, content):
    block = content[thoughts(content)[0]]
    half = len(block["signature"]) // 2
    swap = {"A": "B"}.get(block["signature"][half], "A")
    block["signature"] = block["signature"][:half] + swap + block["signature"][half + 1:]
    return history(first, content)


def with_other_thought(first, content):
    content[thoughts(content)[0]]["thinking"] += " And so on."
    return history(first, content)


def with_marker(first, content):
    content[thoughts(content)[0]]["cache_control"] = {"type": "ephemeral"}
    return history(first, content)


def without_thinking(first, content):
    thoughts(content)
    return history(first, [part for part in content if part["type"] != "thinking"])


def without_a_call(first, content):
    gone = need(calls(content)[1:], "second call")[-1]
    return history(first, [part for part in content if part is not gone])


def later(first, content):
    """The turn isn't the one whose calls were answered last."""
    body = history(first, content)
    more = [{"role": "assistant", "content": "Both are noted."}, {"role": "user", "content": "Thanks."}]
    return dict(body, messages=body["messages"] + more)


def with_a_text_first(first, content):
    thoughts(content)
    return later(first, [{"type": "text", "text": "Well."}] + content)


def with_a_text_between(first, content):
    at = thoughts(content)[0] + 1
    return history(first, content[:at] + [{"type": "text", "text": "Well."}] + content[at:])


def with_thinking_second(first, content):
    at = thoughts(content)[0]
    need(len(content) > at + 1 and content[at + 1]["type"] == "text", "text after its thinking")
    content[at], content[at + 1] = content[at + 1], content[at]
    return history(first, content)


def with_thinking_last(first, content):
    return history(first, [content[n] for n in thoughts(content)])


def with_thinking_in_user(first, content):
    body = history(first, content)
    body["messages"][-1]["content"].append(copy.deepcopy(content[thoughts(content)[0]]))
    return body


def with_other_start(first, content):
    body = history(first, content)
    return dict(body, messages=[{"role": "user", "content": "Another question. " + PROMPT}] + body["messages"][1:])


def as_received(first, content):
    return history(first, content)


def final(first, content, kept):
    said = [part for part in content if part["type"] in kept]
    need([part for part in said if part["type"] == "text"], "text")
    body = history(first, said)
    return dict(body, thinking={"type": "disabled"}, max_tokens=1, messages=body["messages"][:-1])


def final_with_thinking(first, content):
    thoughts(content)
    return final(first, content, ("thinking", "text"))


def final_without_thinking(first, content):
    return final(first, content, ("text",))


# -- Responses ------------------------------------------------------------------------------------


def first_input():
    return {"max_output_tokens": 2 * BUDGET, "reasoning": {"effort": "low"}, "include": ["reasoning.encrypted_content"],
            "tools": FUNCTIONS, "input": [{"role": "user", "content": "Find the largest prime below 1000, then call f."}]}


def kept_items(items, kind):
    return need([n for n, item in enumerate(items) if item["type"] == kind], kind)


def outputs(items):
    return [{"type": "function_call_output", "call_id": item["call_id"], "output": "noted"}
            for item in items if item["type"] == "function_call"]


def next_input(first, items):
    return dict(first, max_output_tokens=16, input=first["input"] + items + outputs(items))


def without_summary(first, items):
    del items[kept_items(items, "reasoning")[0]]["summary"]
    return next_input(first, items)


def without_next(first, items):
    alone = items[kept_items(items, "reasoning")[0]]
    alone.pop("encrypted_content", None)
    return dict(next_input(first, [alone]), input=first["input"] + [alone, {"role": "user", "content": "Go on."}])


def without_reasoning(first, items):
    kept_items(items, "reasoning")
    return next_input(first, [item for item in items if item["type"] != "reasoning"])


def with_plain_ciphertext(first, items):
    items[kept_items(items, "reasoning")[0]]["encrypted_content"] = "I should look first."
    return next_input(first, items)


def with_other_ciphertext(first, items):
    item = items[kept_items(items, "reasoning")[0]]
    half = len(need(item.get("encrypted_content"), "ciphertext")) // 2
    item["encrypted_content"] = item["encrypted_content"][:half] + item["encrypted_content"][half + 8:]
    return next_input(first, items)


def sent_again(first, items):
    return dict(next_input(first, items), previous_response_id=first["previous"], input=items + outputs(items))


def sent_once(first, items):
    kept_items(items, "function_call")
    return dict(sent_again(first, items), input=outputs(items))


# -- The recipes ----------------------------------------------------------------------------------


class Recipe:
    """damage makes the example, sound its neighbour; thinking: "enabled" or "adaptive"; model: the one that is asked for the
    turn, None for the default; next_model: the one that gets the history; sealed: turnkeeper needs a seal to find the fault."""

    def __init__(self, damage, sound=as_received, thinking="enabled", model=None, next_model=None, sealed=False):
        self.damage, self.sound, self.thinking = damage, sound, thinking
        self.model, self.next_model, self.sealed = model, next_model, sealed


RECIPES = {
    "thinking_signature_missing": Recipe(without_signature),
    "thinking_text_missing": Recipe(without_text),
    "thinking_final_block": Recipe(with_thinking_last),
    "thinking_in_user": Recipe(with_thinking_in_user),
    "cache_control_on_thinking": Recipe(with_marker),
    "thinking_required_first": Recipe(without_thinking),
    "thinking_not_first": Recipe(with_a_text_first, later),
    "thinking_disabled_final": Recipe(final_with_thinking, final_without_thinking),
    "thinking_prefix_mismatch": Recipe(with_other_start, thinking="adaptive", model="claude-sonnet-5-5", sealed=True),
    "sealed_turn_reordered": Recipe(with_thinking_second, thinking="adaptive", model="claude-sonnet-5-5", sealed=True),
    "sealed_turn_altered": Recipe(with_other_thought, sealed=True),
    "sealed_turn_missing_thinking": Recipe(without_thinking, thinking="adaptive", model="claude-sonnet-5-5", sealed=True),
    "sealed_turn_missing_tool_use": Recipe(without_a_call, sealed=True),
    "sealed_turn_foreign_block": Recipe(with_a_text_between, sealed=True),
    "thinking_latest_modified": Recipe(with_other_thought),
    "thinking_signature_invalid": Recipe(with_other_signature),
    "thinking_model_mismatch": Recipe(as_received, next_model="claude-sonnet-4-5"),
    "resp_missing_item_field": Recipe(without_summary, next_input),
    "resp_encrypted_content_foreign": Recipe(with_plain_ciphertext, next_input),
    "resp_reasoning_without_next": Recipe(without_next, next_input),
    "resp_item_without_reasoning": Recipe(without_reasoning, next_input),
    "resp_encrypted_content_invalid": Recipe(with_other_ciphertext, next_input),
    "resp_previous_and_resend": Recipe(sent_again, sent_once),
}


def question(recipe, provider):
    """Returns the body, without a model, that asks for the turn."""
    return first_input() if provider == "openai-responses" else first_request(recipe.thinking)


def bodies(recipe, first, answer):
    """Returns the bodies of the example and of its neighbour. answer: what the provider said to `first`."""
    parts = answer.get("output") or answer.get("content") or []
    if "output" in answer:
        first = dict(first, previous=answer.get("id"))
    made = [function(first, copy.deepcopy(parts)) for function in (recipe.damage, recipe.sound)]
    return [{name: value for name, value in body.items() if name != "previous"} for body in made]


def options(recipe, first, answer):
    """Returns the options with which turnkeeper judges the example."""
    turn = {"role": "assistant", "content": answer["content"]} if recipe.sealed else None
    return {"seals": [judge.seal(turn, first)]} if turn else {}
