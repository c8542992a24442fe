# SPDX-License-Identifier: Apache-2.0
"""Places in a request, as texts show them.

A pointer may name keys of a tool's input, which are content. An error's text ends up in logs, so it
shows the keys of the protocol and of the provider's messages, and "…" for every other one. The whole
pointer is in the error's `pointer`. Names of options are the programmer's words, no content: they are shown.
"""

from __future__ import annotations

import re
from typing import Optional

LONGEST = 120

# The places whose members are options.
_OPTIONS = frozenset("/params" + place for place in ("", "/fit", "/fit/keep", "/keep", "/policy", "/splice", "/target", "/tools"))
_is_name = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}").fullmatch

_KNOWN = frozenset(
    """
    params messages request content message tools system thinking tool_choice model stream history
    response splice assistant tool_results appended container options add betas target policy seals
    seal carry_in events data data_base64 echo turn blocks dialect provider provenance guard return
    max_violations max_buffer timeout_ms stop_reason on_conflict call interleaved legacy_betas emit
    provider_input transport_error mcp_servers context_management output_config metadata
    role type text id name input source media_type url title citations cache_control is_error
    tool_use_id signature encrypted_content parts uuid clear_at ttl caller provider_options
    providerOptions toolCallId toolName output tool_calls tool_call_id function arguments kind
    base orphan_call orphan_result result_before_call duplicate_id invalid_pair unanswered_call
    unmatched_result blank_text prefill mark_text merge_adjacent unknown_tools extra_members serializable_tools
    unsigned_thinking signature_form rebuilt_rule emptied_turn prior_thinking dead_thinking
    prefix_mismatch route item_ids endpoint
    choices choice finish_reason status incomplete_details candidates finishReason stopReason toolResult toolUse
    toolUseId functionCall functionResponse approval_request_id state mode merge on_assistant_conflict compaction
    call_id summary refusal previous_response_id conversation store parameters image_url file_id detail
    input_schema allowed_callers defer_loading mcp_server_name default_config configs skills edits
    format schema effort budget_tokens block_binding max_tokens anthropic_beta anthropic_version
    """.split()
)


def joined(tokens: "list[str]") -> str:
    """The JSON Pointer of these keys and indexes."""
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)


def shown(pointer: str) -> str:
    """The pointer as a text may have it: without keys that may be content, and not long."""
    option = _option(pointer)
    tokens = pointer.split("/")
    kept = [t if t in _KNOWN or t.isdigit() or t in ("", "-") else "…" for t in tokens]
    if option is not None:
        kept[-1] = option
    text = "/".join(kept)
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _option(pointer: str) -> Optional[str]:
    """The name of an option, if the place is one's; nothing that looks like anything else."""
    place, _, name = pointer.rpartition("/")
    return name if place in _OPTIONS and _is_name(name) else None
