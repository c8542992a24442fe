# SPDX-License-Identifier: Apache-2.0
"""Histories that ask most of an algorithm: n faults of one kind. Shape(n) -> (parameters, as JSON text).

A step that looks at everything once more for each fault would show here first.
"""
import hashlib
import json

import block_shapes
import request_shapes


def message(role, parts):
    return '{"role":"%s","content":[%s]}' % (role, ",".join(parts))


def call(i, more=""):
    return ('{"type":"server_tool_use","id":"srvtoolu_%s","name":"web_search","input":{}%s}' % (i, more))


def result(i, more=""):
    return '{"type":"web_search_tool_result","tool_use_id":"srvtoolu_%s","content":[]%s}' % (i, more)


def found(i, url="u"):
    hit = '{"type":"web_search_result","url":"%s","title":"t","encrypted_content":"E"}' % url
    return '{"type":"web_search_tool_result","tool_use_id":"srvtoolu_%s","content":[%s]}' % (i, hit)


MARKED = ',"cache_control":{"type":"ephemeral"}'
THOUGHT = '{"type":"thinking","thinking":"","signature":"S"}'
UNSIGNED = '{"type":"thinking","thinking":"t"}'
TEXT = '{"type":"text","text":"t"}'
USER = '{"role":"user","content":"q"}'


def client(i):
    return '{"type":"tool_use","id":"toolu_%s","name":"f","input":{}}' % i


def answer(i):
    return '{"type":"tool_result","tool_use_id":"toolu_%s","content":"r"}' % i


def fault_in_every_message(n):
    return [m for i in range(n // 2) for m in (message("assistant", [found(i)]), USER)]


def an_emptied_message_each(n):
    return [m for i in range(n // 2) for m in (message("assistant", [call(i)]), USER)]


def emptied_user_messages(n):
    return [m for i in range(n // 2) for m in (message("assistant", [TEXT]), message("user", [call(i)]))]


def results_with_one_id(n):
    return [USER, message("assistant", [found(1)] * n), USER]


def pairs_with_one_id(n):
    return [USER, message("assistant", [call(1), found(1)] * (n // 2)), USER]


def one_id_in_every_turn(n):
    return [m for _ in range(n // 3) for m in (USER, message("assistant", [call(1), found(1)]))]


def one_id_up_to_a_signed_turn(n):
    return one_id_in_every_turn(n) + [USER, message("assistant", [THOUGHT, call(1), found(1), TEXT])]


def open_calls(n):
    return [USER, message("assistant", map(call, range(n))), USER]


def calls_in_flight_over_many_rounds(n):
    rounds = [m for i in range(n // 4) for m in (message("assistant", [client(i)]), message("user", [answer(i)]))]
    return [message("assistant", [*map(call, range(n // 2)), client("a")]), message("user", [answer("a")]),
            *rounds]


def results_come_one_by_one(n):
    n //= 4
    rounds = [m for i in range(n) for m in (message("assistant", [result(i), client(i)]),
                                            message("user", [answer(i)]))]
    return [message("assistant", [*map(call, range(n)), client("a")]), message("user", [answer("a")]), *rounds]


def marked_calls_behind_thinking(n):
    marked = [call(i, MARKED) for i in range(n // 2)]
    return [message("assistant", [THOUGHT] * (n // 2) + marked), USER, message("assistant", [TEXT]), USER]


def marked_calls_among_thinking(n):
    parts = [p for i in range(n // 2) for p in (THOUGHT, call(i, MARKED))]
    return [message("assistant", parts), USER, message("assistant", [TEXT]), USER]


def marked_calls_among_messages(n):
    rounds = [m for i in range(n // 4) for m in (message("assistant", [UNSIGNED, call(i, MARKED)]),
                                                 message("user", ["{}"]))]
    return rounds


def chain_of_callers(n):
    by = ',"caller":{"type":"code_execution_20260120","tool_id":"srvtoolu_%d"}'
    return [message("assistant", [call(i, by % (i - 1)) for i in range(n)]), USER]


def results_before_calls(n):
    return [message("assistant", [*map(result, range(n // 2)), *map(call, range(n // 2))]), USER]


def results_before_calls_nested(n):
    return [message("assistant", [*map(result, range(n // 2)), *map(call, reversed(range(n // 2)))]), USER]


def neighbours(n):
    return [message("assistant", [call("x")])] + [USER] * n


def neighbours_with_lists(n):
    return [message("assistant", [call("x")])] + [message("user", [TEXT])] * n


def cited(n, dead):
    text = '{"type":"text","text":"t","citations":[%s]}' % ",".join(
        '{"type":"web_search_result_location","url":"%s","title":"t","cited_text":"c","encrypted_index":"i"}'
        % ("gone" if dead(i) else "kept") for i in range(n // 5))
    return [message("assistant", [found(1, "gone"), call(2), found(2, "kept"), text]), USER]


def citations_all_dead(n):
    return cited(n, lambda i: True)


def every_other_citation_dead(n):
    return cited(n, lambda i: i % 2)


def a_text_per_dead_citation(n):
    text = '{"type":"text","text":"t","citations":[{"type":"web_search_result_location","url":"gone"},' \
           '{"type":"web_search_result_location","url":"kept"}]}'
    return [message("assistant", [found(1, "gone"), call(2), found(2, "kept")] + [text] * (n // 4)), USER]


def results_in_one_user_message(n):
    return [message("assistant", [TEXT]), message("user", map(found, range(n)))]


def results_in_user_messages(n):
    return [m for i in range(n // 2) for m in (message("assistant", [call(i), TEXT]), message("user", [found(i)]))]


def strings_that_become_lists(n):
    return [m for i in range(n // 2) for m in ('{"role":"assistant","content":"a"}', message("user", [found(i)]))]


def sdk_results_in_tool_messages(n):
    part = ('{"type":"tool-result","toolCallId":"s%d","toolName":"web_search","providerExecuted":true,'
            '"output":{"type":"text","value":"t"}}')
    return [message("tool", [part % i]) for i in range(n)]


def sdk_results_in_one_tool_message(n):
    part = ('{"type":"tool-result","toolCallId":"s%d","toolName":"web_search","providerExecuted":true,'
            '"output":{"type":"text","value":"t"}}')
    return [message("tool", [part % i for i in range(n)])]


def sdk_options_of_neighbours(n):
    part = '{"type":"text","text":"t"}'
    m = '{"role":"user","content":[%s],"providerOptions":{"anthropic":{"k":1}}}' % part
    gone = '{"role":"assistant","content":[{"type":"tool-call","toolCallId":"x","toolName":"f","providerExecuted":true}]}'
    return [gone] + [m] * n


def system_messages_before_the_users(n):
    """Each is in a wrong place, and the place after the next message is wrong, too."""
    return [USER, '{"role":"system","content":"s"}'] * (n // 2)


def system_messages_in_one_run(n):
    return [USER, *['{"role":"system","content":"s"}'] * n, USER]


def images_in_system_messages(n):
    image = '{"type":"image","source":{"type":"url","url":"https://e.x/0"}}'
    return [message("user", [TEXT])] + [message("system", [TEXT, image])] * (n // 2)


def repeated(ids):
    """One turn that calls with these ids."""
    return [USER, message("assistant", [client(i) for i in ids]), message("user", [answer(i) for i in ids])]


def chain_of_ids(n):
    """Each new id is the next one's, down a chain that is as long as its ids allow."""
    depth = int((n / 2) ** 0.5) + 2
    return repeated(["c" + "_2" * k for k in range(depth) for _ in (0, 1)])


def many_chains_of_ids(n):
    return repeated(["c%d%s" % (i, "_2" * k) for i in range(n // 16) for k in (0, 0, 1, 1, 2, 3, 3, 4)])


def inputs_that_are_strings(n):
    bad = '{"type":"server_tool_use","id":"srvtoolu_%d","name":"web_search","input":"{}"}'
    return [message("assistant", [p for i in range(n // 2) for p in (bad % i, result(i))]), USER]


def calls_of_listed_tools(n):
    """The policy lists as many tools."""
    pair = ('{"type":"server_tool_use","id":"srvtoolu_%d","name":"tool_%d","input":{}},'
            '{"type":"tool_tool_result","tool_use_id":"srvtoolu_%d"}')
    return [message("assistant", [pair % (i, i, i) for i in range(n // 2)]), USER]


def members_of_one_part(n):
    members = ",".join('"m%d":0' % i for i in range(n))
    return [message("assistant", [call(1, "," + members + MARKED), TEXT]), USER]


def hits_of_one_result(n):
    hits = ",".join('{"type":"web_search_result","url":"u%d","title":"t","encrypted_content":"E"}' % i
                    for i in range(n // 4))
    return [message("assistant", ['{"type":"web_search_tool_result","tool_use_id":"x","content":[%s]}' % hits]), USER]


def escaped_ids(n):
    return [USER, message("assistant", [call("\\u0041%d" % i) for i in range(n)]), USER]


BLANK = '{"type":"text","text":""}'
WHITE = '{"type":"text","text":" "}'
HOUR = ',"cache_control":{"type":"ephemeral","ttl":"1h"}'


def marked(text="t", marker=MARKED):
    return '{"type":"text","text":"%s"%s}' % (text, marker)


def blank_texts_in_one_message(n):
    return [message("user", [BLANK] * n + [TEXT])]


def blank_messages(n):
    return [m for _ in range(n // 2) for m in ('{"role":"assistant","content":" "}', message("user", [BLANK]))]


def white_space_at_the_end(n):
    return [USER, message("assistant", [TEXT] + [WHITE] * n)]


def white_space_next_to_texts(n):
    return [message("user", [WHITE, TEXT] * (n // 2))]


def ids_of_other_turns(n):
    return [m for i in range(n // 2) for m in repeated(["c"])[1:]]


FALLBACK = '{"type":"fallback","from":{"model":"a"},"to":{"model":"b"}}'


def fallbacks_among_thinking(n):
    return [USER, message("assistant", [FALLBACK] * (n // 2) + [THOUGHT] + [FALLBACK] * (n // 2) + [THOUGHT, TEXT]), USER]


def summaries_that_open_a_turn(n):
    return [USER, message("assistant", ['{"type":"compaction","content":"s"}'] * n + [TEXT]), USER]


def summaries_of_the_user(n):
    return [message("user", ['{"type":"compaction","content":"s"}'] * n)]


def results_that_merges_mend(n):
    ids = range(n // 2)
    return [USER, message("assistant", [client(i) for i in ids])] + [message("user", [TEXT, answer(i)]) for i in ids]


def blank_texts_between_thinking(n):
    return [message("assistant", [THOUGHT, BLANK, BLANK] * (n // 3) + [TEXT]), USER]


def sdk_blank_texts_among_unsigned(n):
    return [message("assistant", ['{"type":"text","text":""}', '{"type":"reasoning","text":"t"}'] * (n // 2)), USER]


def blocks_of_one_result(n, block):
    parts = [client(1), '{"type":"tool_result","tool_use_id":"toolu_1","content":[%s]}' % ",".join(block(n))]
    return [message("assistant", parts[:1]), message("user", parts[1:])]


def blank_blocks_in_one_result(n):
    return blocks_of_one_result(n, lambda n: [TEXT, marked("")] * (n // 2))


def markers_in_one_result(n):
    return blocks_of_one_result(n, lambda n: [marked()] * n)


def marked_texts(n):
    return [message("user", [marked()]) for _ in range(n)]


def hours_behind_five_minutes(n):
    return [message("user", [marked()] + [marked(marker=HOUR)] * n)]


def hours_in_one_result(n):
    return blocks_of_one_result(n, lambda n: [marked()] + [marked(marker=HOUR)] * n)


def marked_thinking(n):
    return [message("assistant", [THOUGHT[:-1] + MARKED + "}"] * n + [TEXT]), USER]


def unsigned_thinking_behind_a_call(n):
    return [message("assistant", [client(1)] + [UNSIGNED, TEXT] * (n // 2)), message("user", [answer(1)])]


def unsigned_thinking_among_calls(n):
    parts = [p for i in range(n // 2) for p in (UNSIGNED, client(i))]
    return [message("assistant", parts), message("user", map(answer, range(n // 2)))]


def thinking_in_user_messages(n):
    return [message("user", [UNSIGNED, '{"type":"redacted_thinking"}']) for _ in range(n // 2)]


def rebuilt_thinking(n):
    return [message("assistant", [THOUGHT, UNSIGNED] * (n // 2) + [client(1)]), message("user", [answer(1)])]


def rebuilt_malformed_signatures(n):
    return [message("assistant", [THOUGHT, TEXT] * (n // 2)), USER]


def emptied_by_thinking(n):
    return [m for _ in range(n // 2) for m in (message("assistant", ['{"type":"thinking"}']), USER)]


def bare_citations(n):
    bare = '{"type":"web_search_result_location","url":"u"},{"type":"char_location","document_index":%d}'
    return [message("assistant", ['{"type":"text","text":"t","citations":[%s]}' % ",".join(
        bare % i for i in range(n // 2))]), USER]


def documents_and_who_cites_them(n):
    text = '{"type":"text","text":"t","citations":[{"type":"char_location","document_index":%d}]}'
    document = '{"type":"document","source":{"type":"text","media_type":"text/plain","data":"d"}%s}'
    return [m for i in range(n // 2) for m in (
        message("user", [document % (',"citations":{"enabled":true}' if i == 0 else "")]),
        message("assistant", [text % (i + i % 2)]))] + [USER]


def messages_in_front_of_compaction(n):
    return [USER] * n + [message("assistant", [TEXT] * n + ['{"type":"compaction","content":"","signature":"S"}']), USER]


def lone_surrogates_in_one_part(n):
    strings = ",".join('"\\ud800"' for _ in range(n))
    return [message("assistant", ['{"type":"tool_use","id":"toolu_1","name":"f","input":{"l":[%s]}}' % strings]),
            message("user", [answer(1)])]


def lone_surrogates_in_keys(n):
    members = ",".join('"\\ud800%d":"\\udc00"' % i for i in range(n))
    return [message("assistant", ['{"type":"tool_use","id":"toolu_1","name":"f","input":{%s}}' % members]),
            message("user", [answer(1)])]


def lone_surrogates_in_messages(n):
    return ['{"role":"user","content":"\\ud800","x":"\\ud800"}'] * n


def contents_that_are_none(n):
    return [m for _ in range(n // 3) for m in (
        '{"role":"user","content":%s}' % TEXT, '{"role":"assistant","content":null}', '{"role":"user"}')]



# ---- seals: those of thinking.json whose digests are known ----

THINKING = '{"type":"thinking","thinking":"one","signature":"s1"}'
THINKING_DIGEST = {"type": "thinking",
                   "digest": "aee26b40d1cb9857df6933772bdaa163190f8f297e136e70405e2a0e25a5e84f",
                   "opaque": "0f80fa9ec41ac3329536ea3148477626606b829ff7cc2d6726ffdd62b76ed47d",
                   "text": "76f1d5ee77789008f208b259ee9efa5f5ca8eb8bf201718b280b00e78d62f4c8"}
TEXT_DIGEST = {"type": "text", "digest": "d0c684053c83a6095455a2f59b91224c6df816ea976eed44ebce412e9ecb0b3c"}


def sealed(blocks, prefix=False):
    turn = hashlib.sha256(b"turnkeeper.turn.v1\0" + b"".join(bytes.fromhex(b["digest"]) for b in blocks))
    seal = {"v": 1, "alg": "sha256", "turn": turn.hexdigest(), "blocks": blocks}
    if prefix:
        seal["prefix"] = {"messages": "0" * 64, "thinking": ["0" * 64]}
    return {"seal": seal}


def calls_of(first, count):
    return [{"type": "tool_use", "digest": "%064x" % i, "id": "toolu_%d" % i} for i in range(first, first + count)]


def a_seal_of_every_turn(n):
    return [m for i in range(n // 4) for m in (USER, message("assistant", [THINKING, client(i)]), message("user", [answer(i)]))]


def one_seal_of_many_blocks(n):
    return [USER, message("assistant", [THINKING] + [client(i) for i in range(n // 2)]),
            message("user", [answer(i) for i in range(n // 2)])]


def seals_of_one_message(n):
    return one_seal_of_many_blocks(n)


def seals_that_share_a_key(n):
    return [message("assistant", [THINKING, TEXT]) for _ in range(n)] + [USER]


SEALS = {
    a_seal_of_every_turn: lambda n: [sealed([THINKING_DIGEST] + calls_of(i, 1), prefix=True) for i in range(n // 4)],
    one_seal_of_many_blocks: lambda n: [sealed([TEXT_DIGEST] * (n // 4) + calls_of(0, n // 2)[::-1])],
    seals_of_one_message: lambda n: [sealed(calls_of(i, 1)) for i in range(n // 2)],
    seals_that_share_a_key: lambda n: [sealed([THINKING_DIGEST, dict(TEXT_DIGEST, digest="%064x" % i)])
                                       for i in range(n // 4)],
}
STRIP = {"prefix_mismatch": "strip"}

PRESERVE = "preserve"
ALL = {"merge_adjacent": "all"}
BASE64 = {"signature_form": "base64"}
PLACEHOLDER = {"emptied_turn": "placeholder"}
SHAPES = [
    (fault_in_every_message, None), (an_emptied_message_each, None), (emptied_user_messages, None),
    (results_with_one_id, None), (results_with_one_id, PRESERVE), (pairs_with_one_id, None),
    (pairs_with_one_id, PRESERVE), (one_id_in_every_turn, None), (one_id_in_every_turn, PRESERVE),
    (one_id_up_to_a_signed_turn, None), (open_calls, None), (open_calls, {"orphan_call": "error_result"}),
    (calls_in_flight_over_many_rounds, None), (results_come_one_by_one, None),
    (marked_calls_behind_thinking, None), (marked_calls_among_thinking, None),
    (marked_calls_among_messages, None), (chain_of_callers, None), (results_before_calls, None),
    (results_before_calls, PRESERVE), (results_before_calls_nested, PRESERVE), (neighbours, ALL),
    (neighbours_with_lists, ALL), (citations_all_dead, None), (every_other_citation_dead, None),
    (a_text_per_dead_citation, None), (results_in_one_user_message, None), (results_in_user_messages, None),
    (results_in_user_messages, PRESERVE), (strings_that_become_lists, None),
    (sdk_results_in_tool_messages, ALL), (sdk_results_in_one_tool_message, None),
    (sdk_options_of_neighbours, ALL), (system_messages_before_the_users, None), (system_messages_in_one_run, None),
    (images_in_system_messages, None),
    (chain_of_ids, None), (many_chains_of_ids, None), (inputs_that_are_strings, PRESERVE), (members_of_one_part, None),
    (hits_of_one_result, None), (escaped_ids, None), (calls_of_listed_tools, None),
    (white_space_at_the_end, None), (white_space_next_to_texts, None), (ids_of_other_turns, None),
    (fallbacks_among_thinking, PRESERVE), (summaries_that_open_a_turn, PRESERVE), (summaries_of_the_user, PRESERVE),
    (results_that_merges_mend, None),
    (blank_texts_in_one_message, None), (blank_messages, None), (blank_texts_between_thinking, None),
    (sdk_blank_texts_among_unsigned, None), (blank_blocks_in_one_result, None), (markers_in_one_result, None),
    (marked_texts, None), (hours_behind_five_minutes, None), (hours_in_one_result, None), (marked_thinking, None),
    (unsigned_thinking_behind_a_call, None), (unsigned_thinking_among_calls, None),
    (thinking_in_user_messages, None), (rebuilt_thinking, None), (rebuilt_malformed_signatures, BASE64),
    (emptied_by_thinking, None), (emptied_by_thinking, PLACEHOLDER), (bare_citations, None),
    (documents_and_who_cites_them, None), (messages_in_front_of_compaction, PRESERVE),
    (lone_surrogates_in_one_part, None), (lone_surrogates_in_keys, None), (lone_surrogates_in_messages, None),
    (contents_that_are_none, None),
    (a_seal_of_every_turn, None), (a_seal_of_every_turn, PRESERVE), (a_seal_of_every_turn, STRIP),
    (one_seal_of_many_blocks, None), (one_seal_of_many_blocks, PRESERVE), (seals_of_one_message, None),
    (seals_that_share_a_key, None), (seals_that_share_a_key, PRESERVE),
] + block_shapes.SHAPES + request_shapes.SHAPES


def params(shape, policy, n, **more):
    rest = {"max_violations": 10 ** 6, **more}
    if policy is not None:
        rest["policy"] = policy
    if shape is calls_of_listed_tools:
        rest["policy"] = {"serializable_tools": ["tool_%d" % i for i in range(n // 2)]}
    if shape is block_shapes.names_that_bedrock_refuses:
        rest["target"] = {"endpoint": "bedrock"}
    if shape is results_that_merges_mend:
        rest["target"] = {"endpoint": "compatible"}
    if shape in (fallbacks_among_thinking, summaries_that_open_a_turn, summaries_of_the_user):
        rest["betas"] = []
    if shape.__name__.startswith("rebuilt_"):
        rest["provenance"] = "rebuilt"
    if shape in SEALS:
        rest["seals"] = SEALS[shape](n)
    if shape.__name__.startswith("sdk_"):
        rest["dialect"] = "ai-sdk"
    messages = '"messages":[%s]' % ",".join(shape(n))
    if shape in request_shapes.AROUND:
        messages = '"request":{%s,%s}' % (request_shapes.AROUND[shape](n), messages)
    return "%s,%s}" % (json.dumps(rest)[:-1], messages)


def name(shape, policy):
    return shape.__name__ if policy is None else "%s %s" % (
        shape.__name__, policy if isinstance(policy, str) else " ".join(policy.values()))
