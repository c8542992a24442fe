/* SPDX-License-Identifier: Apache-2.0 */
/* The policy (RULES.md section 5). */
#include "engine/policy.h"
#include "methods/params/fields.h"

/* A key of the policy with its words. */
#define POLICY_FIELD(key, number, text, conservative, preserved, ...)                              \
    WORDS(key, __VA_ARGS__);                                                                       \
    static const struct tk_field policy_##key = {                                                  \
        .name = TK_NAME(#key),                                                                     \
        .help = text,                                                                              \
        .shape = &key,                                                                             \
        .slot = TK_P_POLICY_##number,                                                              \
        .initial = conservative,                                                                   \
        .preserve = preserved,                                                                     \
    }

/* A key whose first word is its default under the conservative policy. */
#define POLICY_KEY(key, number, text, preserved, ...)                                              \
    POLICY_FIELD(key, number, text, FIRST(__VA_ARGS__, ), preserved, __VA_ARGS__)
#define FIRST(word, ...) word

/* A key whose words are fixes: engine/policy.h has its defaults under each policy. */
#define FIX_KEY(key, number, text, ...)                                                            \
    POLICY_FIELD(key, number, text, initial_##key, preserved_##key, __VA_ARGS__)

enum {
#define FIX_WORDS(key, conservative, preserve)                                                     \
    initial_##key = TK_WORD_##conservative, preserved_##key = TK_WORD_##preserve,
    TK_POLICY_FIXES(FIX_WORDS)
#undef FIX_WORDS
};

POLICY_KEY(base, BASE, "The policy whose keys these override", TK_WORD_PRESERVE,
           TK_WORD_CONSERVATIVE, TK_WORD_PRESERVE);
FIX_KEY(orphan_call, ORPHAN_CALL, "Provider-executed call without result", TK_WORD_DROP,
        TK_WORD_ERROR_RESULT, TK_WORD_REPORT);
FIX_KEY(orphan_result, ORPHAN_RESULT, "Provider-executed result without call", TK_WORD_TEXTIFY,
        TK_WORD_DROP, TK_WORD_REPORT);
FIX_KEY(result_before_call, RESULT_BEFORE_CALL, "Result before its call", TK_WORD_TEXTIFY,
        TK_WORD_MOVE, TK_WORD_REPORT);
FIX_KEY(duplicate_id, DUPLICATE_ID, "Several calls or results with the same id", TK_WORD_TEXTIFY,
        TK_WORD_KEEP_FIRST, TK_WORD_REPORT);
FIX_KEY(invalid_pair, INVALID_PAIR, "Pair that can't be sent as it is", TK_WORD_TEXTIFY,
        TK_WORD_REPAIR, TK_WORD_REPORT);
FIX_KEY(unanswered_call, UNANSWERED_CALL, "Client call without result", TK_WORD_INSERT_RESULT,
        TK_WORD_REPORT);
FIX_KEY(unmatched_result, UNMATCHED_RESULT, "Client result without call", TK_WORD_TEXTIFY,
        TK_WORD_REPORT);
FIX_KEY(blank_text, BLANK_TEXT, "Empty or blank text", TK_WORD_DROP, TK_WORD_REPORT);
FIX_KEY(prefill, PREFILL, "A last assistant message that the model doesn't continue",
        TK_WORD_CONTINUE, TK_WORD_REPORT);
POLICY_KEY(merge_adjacent, MERGE_ADJACENT, "Which neighbours of one role are joined", TK_WORD_NEVER,
           TK_WORD_NEVER, TK_WORD_TOUCHED, TK_WORD_ALL);
POLICY_KEY(item_ids, ITEM_IDS, "Ids of items that the server looks up: sent, or deleted",
           TK_WORD_NONE, TK_WORD_KEEP, TK_WORD_STRIP);
FIX_KEY(extra_members, EXTRA_MEMBERS, "Members of a message that the provider doesn't know",
        TK_WORD_REPORT, TK_WORD_DROP);
POLICY_KEY(unknown_tools, UNKNOWN_TOOLS, "Server tools that aren't known: a warning or an error",
           TK_WORD_REPORT, TK_WORD_REPORT, TK_WORD_ERROR);

static const struct tk_field policy_mark_text = {
    .name = TK_NAME("mark_text"),
    .help = "Begin the text that replaces a result with [NAME result]",
    .shape = &tk_shape_boolean,
    .slot = TK_P_POLICY_MARK_TEXT,
    .initial = false,
    .preserve = true,
};

static const struct tk_field policy_serializable_tools = {
    .name = TK_NAME("serializable_tools"),
    .help = "Names of the server tools that can be sent; null: all",
    .shape = &tk_shape_strings_or_null,
    .slot = TK_P_POLICY_SERIALIZABLE_TOOLS,
};

/* ---- thinking (OPERATIONS.md part C) ---- */

FIX_KEY(thinking, THINKING, "Thinking of a turn that isn't as the provider sent it", TK_WORD_DEMOTE,
        TK_WORD_DROP, TK_WORD_RESTORE, TK_WORD_REPORT);
FIX_KEY(unsigned_thinking, UNSIGNED_THINKING, "Thinking without a signature", TK_WORD_DEMOTE,
        TK_WORD_DROP);
POLICY_KEY(signature_form, SIGNATURE_FORM, "What a signature must look like", TK_WORD_ANY,
           TK_WORD_ANY, TK_WORD_BASE64);

WORDS(rebuilt_rule, TK_WORD_GROUPED);
static const struct tk_field policy_rebuilt_rule = {
    .name = TK_NAME("rebuilt_rule"),
    .help = "Distrust a rebuilt turn only if it begins with two thinking blocks",
    .shape = &rebuilt_rule,
    .slot = TK_P_POLICY_REBUILT_RULE,
};

WORDS(emptied_turn, TK_WORD_PLACEHOLDER);
static const struct tk_field policy_emptied_turn = {
    .name = TK_NAME("emptied_turn"),
    .help = "Put a text into a message that lost all its thinking",
    .shape = &emptied_turn,
    .slot = TK_P_POLICY_EMPTIED_TURN,
};

WORDS(prior_thinking, TK_WORD_PRUNE);
static const struct tk_field policy_prior_thinking = {
    .name = TK_NAME("prior_thinking"),
    .help = "Drop the thinking of older turns",
    .shape = &prior_thinking,
    .slot = TK_P_POLICY_PRIOR_THINKING,
};

FIX_KEY(dead_thinking, DEAD_THINKING, "Dead thinking that can't be restored", TK_WORD_DEMOTE,
        TK_WORD_DROP, TK_WORD_REPORT);
POLICY_KEY(prefix_mismatch, PREFIX_MISMATCH, "Thinking whose prefix was changed", TK_WORD_NONE,
           TK_WORD_REPORT, TK_WORD_STRIP, TK_WORD_DROP_BLOCK, TK_WORD_ERROR, TK_WORD_OFF);
POLICY_KEY(route, ROUTE, "Thinking that the receiver accepts", TK_WORD_NONE, TK_WORD_NATIVE,
           TK_WORD_THIRD_PARTY, TK_WORD_DEEPSEEK, TK_WORD_KIMI);

const struct tk_field *const tk_policy_fields[] = {
    &policy_base,
    &policy_orphan_call,
    &policy_orphan_result,
    &policy_result_before_call,
    &policy_duplicate_id,
    &policy_invalid_pair,
    &policy_unanswered_call,
    &policy_unmatched_result,
    &policy_blank_text,
    &policy_prefill,
    &policy_mark_text,
    &policy_merge_adjacent,
    &policy_item_ids,
    &policy_unknown_tools,
    &policy_extra_members,
    &policy_serializable_tools,
    &policy_thinking,
    &policy_unsigned_thinking,
    &policy_signature_form,
    &policy_rebuilt_rule,
    &policy_emptied_turn,
    &policy_prior_thinking,
    &policy_dead_thinking,
    &policy_prefix_mismatch,
    &policy_route,
    NULL,
};

static const struct tk_param_shape policy = {
    .kinds = TK_T_STRING | TK_T_OBJECT, .words = base_words, .fields = tk_policy_fields};

const struct tk_field tk_field_policy = {
    .name = TK_NAME("policy"),
    .help = "Allowed repair of each kind of fault: a name, or a base and keys that override it",
    .shape = &policy,
    .slot = TK_P_POLICY,
    .initial = TK_WORD_CONSERVATIVE,
};
