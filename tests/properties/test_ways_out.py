#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every code that can end in `unsafe_history` has a way out, and the way out works.

The histories are those of conformance/near/rules that fire a code, each as it is, with policies that report what
they could edit, and with signed thinking in the newest assistant message, so that it is protected; then two of
them in a row.
"""
import copy
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [HERE, TESTS, os.path.join(TESTS, "conformance")]
import run_cases  # noqa: E402
import ways_out  # noqa: E402
from daemon import Daemon  # noqa: E402
from wire import Wire  # noqa: E402

KEYS = ["orphan_call", "orphan_result", "result_before_call", "duplicate_id", "invalid_pair", "unanswered_call",
        "unmatched_result", "blank_text", "prefill"]
REPORT = {key: "report" for key in KEYS}
SIGNED = {"type": "thinking", "thinking": "t", "signature": "c2ln"}
# Repair edits these in all of the histories: what may be done in the protected turn, too, or is in messages that
# nothing protects.
EDITED = {
    "thinking_empty", "thinking_signature_missing", "redacted_thinking_data_invalid", "cache_control_on_thinking",
    "thinking_signature_malformed", "thinking_order_unverified", "thinking_final_block", "thinking_in_user",
    "message_content_empty", "user_content_empty", "system_message_empty", "system_message_block_type",
    "tool_result_not_first", "tool_result_not_adjacent", "tool_result_duplicate", "tool_result_for_server_tool",
    "tool_result_content_type", "tool_result_error_non_text", "tool_result_search_result_mixed",
    "tool_result_tool_reference_mixed", "toolset_name_mismatch", "toolset_result_content", "ptc_result_non_text",
    "provider_executed_block_outside_assistant", "tool_use_in_user", "image_dimensions", "image_many_dimensions",
    "image_media_type_unsupported", "image_media_type_mismatch", "citations_all_or_none", "cache_control_too_many",
    "sealed_turn_foreign_block", "tool_change_unknown_tool", "document_name_chars", "image_too_large_bytes", "image_count",
    "tool_search_unpaired", "tool_results_split", "system_role_unsupported",
}
# Likewise of OpenAI's two APIs, which protect no turn.
EDITED |= {
    "chat_arguments_invalid_json", "chat_arguments_not_string", "chat_content_not_string", "chat_content_null",
    "chat_content_part_type", "chat_content_type_invalid", "chat_developer_role", "chat_image_invalid", "chat_message_name",
    "chat_reasoning_content_required", "chat_roles_not_alternating", "chat_tool_call_id_missing",
    "chat_tool_call_id_pattern", "chat_tool_call_id_too_long", "chat_tool_calls_empty_array",
    "chat_tool_call_null", "chat_tool_name_in_history", "chat_unknown_message_field", "chat_user_after_tool", "resp_arguments_invalid_json", "resp_arguments_not_string",
    "resp_content_part_type", "resp_deepseek_interleaved", "resp_developer_role", "resp_id_too_long",
    "resp_item_field_type", "resp_item_id_prefix",
    "resp_missing_item_field", "resp_previous_and_resend", "resp_role_unknown", "resp_tool_name_in_history",
    "resp_unknown_item_field",
}

# Likewise of Bedrock and Gemini, where no near miss has them in the protected message.
EDITED |= {
    "brk_block_union", "brk_content_empty", "brk_content_type", "brk_document_name", "brk_document_without_text",
    "brk_error_result_empty", "brk_extra_member", "brk_reasoning_final", "brk_reasoning_in_user", "brk_reasoning_signature",
    "brk_result_content_type", "brk_result_json_not_object", "brk_result_misplaced", "brk_result_not_first",
    "brk_result_text_blank", "brk_role_invalid", "brk_server_block_in_user", "brk_tool_input_not_object",
    "brk_tool_name_chars", "brk_tool_use_id", "brk_tool_use_id_duplicate", "brk_tool_use_in_user", "gem_args_not_object",
    "gem_call_in_user", "gem_call_name", "gem_call_position", "gem_part_empty", "gem_part_union", "gem_parts_empty",
    "gem_parts_type", "gem_response_misplaced", "gem_response_name", "gem_response_not_object", "gem_role_invalid",
    "gem_text_after_response", "gem_thought_signature_missing",
}

RUNNER = run_cases.load_runner()
ROWS = [row for row in run_cases.read("near", "rules") if row["fires"]]


def body_of(params):
    return params.get("request") or params


def list_of(params):
    """The name of the list of messages."""
    if "request" not in params:
        return "messages"
    return {"openai-responses": "input", "gemini": "contents"}.get(params.get("provider"), "messages")


def params_of(row):
    keys = ("provider", "dialect", "policy", "provenance", "seals", "betas", "target", "messages", "request")
    return {**{k: RUNNER.grown(row[k]) for k in keys if k in row}, "guard": True, "max_violations": 10 ** 4}


def with_policy(params, keys):
    given = params.get("policy") or {}
    given = {"base": given} if isinstance(given, str) else given
    return {**params, "policy": {**given, **keys}}


def protected(params):
    """With signed thinking in the newest assistant message; None where that has no list to put it in."""
    params = copy.deepcopy(params)
    for message in reversed(body_of(params)["messages"]):
        if message.get("role") == "assistant" and isinstance(message.get("content"), list):
            message["content"].insert(0, dict(SIGNED))
            return params
    return None


def after(first, second):
    """The second history after the first, both in one list."""
    params = copy.deepcopy(second)
    body_of(params)["messages"] = copy.deepcopy(body_of(first)["messages"]) + body_of(params)["messages"]
    return params


def variants(row, before):
    plain = params_of(row)
    yield plain
    yield with_policy(plain, REPORT)
    if "seals" in row:
        yield with_policy(plain, {"thinking": "restore", "dead_thinking": "report"})
        yield with_policy({**plain, "seals": [{**s, "restore": False} for s in plain["seals"]]},
                          {"thinking": "restore", "dead_thinking": "report"})
    if row.get("provider") == "openai-responses" and "target" not in row:
        yield {**plain, "target": {"endpoint": "azure"}}  # where the ids of reasoning stay
    if row.get("provider", "anthropic") == "anthropic" == row.get("dialect", "anthropic"):
        signed = protected(plain)
        if signed:
            yield signed
            yield with_policy(signed, REPORT)
            yield with_policy(signed, {"base": "preserve"})
        if before.get("provider", "anthropic") == "anthropic" == before.get("dialect", "anthropic") and "seals" not in row:
            yield after(params_of(before), signed or plain)
            yield with_policy(after(params_of(before), signed or plain), REPORT)


class WaysOut(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        daemon = Daemon()
        cls.addClassCleanup(daemon.stop)
        cls.wire = Wire(daemon.socket)
        cls.addClassCleanup(cls.wire.close)
        cls.refused, cls.mistakes, cls.sentences = set(), [], set()
        for n, row in enumerate(ROWS):
            for params in variants(row, ROWS[n - 1]):
                cls.look(params)

    @classmethod
    def ask(cls, params):
        return cls.wire.ask("repair", json.dumps(params))

    @classmethod
    def look(cls, params):
        def again(keys, keep):
            changed = copy.deepcopy(with_policy(params, keys))
            body_of(changed)[list_of(changed)] = body_of(changed)[list_of(changed)][:keep]
            return cls.ask(changed)

        answer = cls.ask(params)
        if answer.name != "unsafe_history":
            return
        violations = answer.error["data"]["violations"]
        cls.refused |= {v["code"] for v in violations}
        cls.sentences |= {v.get("way_out") for v in violations}
        mistake = ways_out.mistake(violations, len(body_of(params).get(list_of(params)) or []), again)
        if mistake:
            cls.mistakes.append("%s\n%s" % (mistake, json.dumps(params)))

    def test_it_works(self):
        self.assertEqual(self.mistakes[:3], [])

    def test_every_code(self):
        fired = {f[0] for row in ROWS for f in row["fires"]}
        with open(os.path.join(HERE, "..", "..", "src", "catalogue", "catalogue.json"), encoding="utf-8") as f:
            errors = {r["code"] for r in json.load(f)["rules"] if r["severity"] == "error"}
        self.assertEqual(fired & errors - EDITED - self.refused, set(), "none of them was refused")

    def test_thinking_is_switched(self):
        """With the other mode the fault isn't found any more."""
        rows = [row for row in ROWS if row["code"] in ways_out.THINKING]
        self.assertEqual({row["code"] for row in rows}, set(ways_out.THINKING))
        for row in rows:
            params = params_of(row)
            params["request"]["thinking"] = ways_out.THINKING[row["code"]][1]
            answer = self.wire.ask("validate", json.dumps({k: v for k, v in params.items() if k != "guard"}))
            self.assertNotIn(row["code"], [v["code"] for v in answer.result["violations"]])

    def test_reasoning_of_azure_comes_with_ciphertext(self):
        """Stored, and with ciphertext and its id, no reasoning of the histories is an error."""
        rows = [row for row in ROWS if row["code"] in ways_out.OF_AZURE and "target" not in row]
        self.assertEqual({row["code"] for row in rows}, set(ways_out.OF_AZURE))
        for row in rows:
            params = {**params_of(row), "target": {"endpoint": "azure"}}
            items = [item for item in body_of(params)[list_of(params)] if item.get("type") == "reasoning"]
            for item in items:
                item["encrypted_content"] = "gAAAAABo"
            if "request" in params:
                params["request"]["store"] = True
            answer = self.wire.ask("validate", json.dumps({k: v for k, v in params.items() if k != "guard"}))
            self.assertNotIn((row["code"], "error"), [(v["code"], v["severity"]) for v in answer.result["violations"]])

    def test_every_key(self):
        text = "\n".join(self.sentences)
        for key in KEYS + ["base", "dead_thinking", "unknown_tools", "serializable_tools"]:
            self.assertIn("policy.%s " % key, text)


if __name__ == "__main__":
    unittest.main()
