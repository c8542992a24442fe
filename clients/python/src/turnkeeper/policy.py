# SPDX-License-Identifier: Apache-2.0
"""The parameter `policy`.

Made by clients/shared/generate.py from routes.json and the build's `info`: change those.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Optional, TypedDict, Union

PolicyName = Literal["conservative", "preserve"]


class PolicyKeys(TypedDict, total=False):
    """What may be done about each kind of fault (RULES.md 5); `base` has the values of all keys that are absent."""

    # The policy whose keys these override.
    base: PolicyName
    # Provider-executed call without result.
    orphan_call: Literal["drop", "error_result", "report"]
    # Provider-executed result without call.
    orphan_result: Literal["textify", "drop", "report"]
    # Result before its call.
    result_before_call: Literal["textify", "move", "report"]
    # Several calls or results with the same id.
    duplicate_id: Literal["textify", "keep_first", "report"]
    # Pair that can't be sent as it is.
    invalid_pair: Literal["textify", "repair", "report"]
    # Client call without result.
    unanswered_call: Literal["insert_result", "report"]
    # Client result without call.
    unmatched_result: Literal["textify", "report"]
    # Empty or blank text.
    blank_text: Literal["drop", "report"]
    # A last assistant message that the model doesn't continue.
    prefill: Literal["continue", "report"]
    # Begin the text that replaces a result with [NAME result].
    mark_text: bool
    # Which neighbours of one role are joined.
    merge_adjacent: Literal["never", "touched", "all"]
    # Ids of items that the server looks up: sent, or deleted.
    item_ids: Literal["keep", "strip"]
    # Server tools that aren't known: a warning or an error.
    unknown_tools: Literal["report", "error"]
    # Members of a message that the provider doesn't know.
    extra_members: Literal["report", "drop"]
    # Names of the server tools that can be sent; null: all.
    serializable_tools: Optional[Sequence[str]]
    # Thinking of a turn that isn't as the provider sent it.
    thinking: Literal["demote", "drop", "restore", "report"]
    # Thinking without a signature.
    unsigned_thinking: Literal["demote", "drop"]
    # What a signature must look like.
    signature_form: Literal["any", "base64"]
    # Distrust a rebuilt turn only if it begins with two thinking blocks.
    rebuilt_rule: Literal["grouped"]
    # Put a text into a message that lost all its thinking.
    emptied_turn: Literal["placeholder"]
    # Drop the thinking of older turns.
    prior_thinking: Literal["prune"]
    # Dead thinking that can't be restored.
    dead_thinking: Literal["demote", "drop", "report"]
    # Thinking whose prefix was changed.
    prefix_mismatch: Literal["report", "strip", "drop_block", "error", "off"]
    # Thinking that the receiver accepts.
    route: Literal["native", "third_party", "deepseek", "kimi"]


Policy = Union[PolicyName, PolicyKeys]
