/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checked parameters, as handlers see them. Each parameter of each method has a number; the slot of
 * that number holds its node in the request, and its value or default.
 *
 *     tk_param_bool(p, TK_P_GUARD)             true, false; the default if it wasn't sent
 *     tk_param_int(p, TK_P_MAX_VIOLATIONS)     256 if it wasn't sent
 *     tk_param_word(p, TK_P_RETURN)            TK_WORD_PATCH ...
 *     tk_param_word(p, TK_P_POLICY_ORPHAN_CALL)  resolved: the policy object's key, else what its
 *                                              base (or the policy's name) says
 *     tk_param(p, TK_P_STOP_REASON)            the value in the document, or absent
 *
 * Types, ranges and words were checked before (schema.h): nothing here can fail.
 */
#ifndef TK_METHODS_PARAMS_PARAMS_H
#define TK_METHODS_PARAMS_PARAMS_H

#include "providers/registry.h"
#include "shapes/shape.h"

/* All words that a parameter can be, with their spelling. Dialects, which may have the name of a
 * provider, come after them: TK_WORD_DIALECT_FANTASY. */
#define TK_WORDS(X)                                                                                \
    TK_PROVIDERS(X)                                                                                \
    X(OPENAI, "openai")                                                                            \
    X(AZURE, "azure")                                                                              \
    X(VERTEX, "vertex")                                                                            \
    X(COMPATIBLE, "compatible")                                                                    \
    X(CONSERVATIVE, "conservative")                                                                \
    X(PRESERVE, "preserve")                                                                        \
    X(WIRE, "wire")                                                                                \
    X(REBUILT, "rebuilt")                                                                          \
    X(PATCH, "patch")                                                                              \
    X(MESSAGES, "messages")                                                                        \
    X(CONTENT, "content")                                                                          \
    X(SPLICES, "splices")                                                                          \
    X(REPORT, "report")                                                                            \
    X(DROP, "drop")                                                                                \
    X(ERROR_RESULT, "error_result")                                                                \
    X(TEXTIFY, "textify")                                                                          \
    X(MOVE, "move")                                                                                \
    X(KEEP_FIRST, "keep_first")                                                                    \
    X(REPAIR, "repair")                                                                            \
    X(CONTINUE, "continue")                                                                        \
    X(INSERT_RESULT, "insert_result")                                                              \
    X(NEVER, "never")                                                                              \
    X(TOUCHED, "touched")                                                                          \
    X(ALL, "all")                                                                                  \
    X(ERROR, "error")                                                                              \
    X(ANY, "any")                                                                                  \
    X(BASE64, "base64")                                                                            \
    X(STRIP, "strip")                                                                              \
    X(DROP_BLOCK, "drop_block")                                                                    \
    X(OFF, "off")                                                                                  \
    X(DEMOTE, "demote")                                                                            \
    X(RESTORE, "restore")                                                                          \
    X(GROUPED, "grouped")                                                                          \
    X(PLACEHOLDER, "placeholder")                                                                  \
    X(NATIVE, "native")                                                                            \
    X(THIRD_PARTY, "third_party")                                                                  \
    X(DEEPSEEK, "deepseek")                                                                        \
    X(KIMI, "kimi")                                                                                \
    X(GROQ, "groq")                                                                                \
    X(MISTRAL, "mistral")                                                                          \
    X(MOONSHOT, "moonshot")                                                                        \
    X(OPENROUTER, "openrouter")                                                                    \
    X(VLLM, "vllm")                                                                                \
    X(XAI, "xai")                                                                                  \
    X(PRUNE, "prune")                                                                              \
    X(ASSISTANT, "assistant")                                                                      \
    X(PARTS, "parts")                                                                              \
    X(EVENTS, "events")                                                                            \
    X(SSE, "sse")                                                                                  \
    X(WHOLE, "whole")                                                                              \
    X(DELTAS, "deltas")                                                                            \
    X(USER, "user")                                                                                \
    X(SYSTEM, "system")                                                                            \
    X(TOOL_RESULT, "tool_result")                                                                  \
    X(STRICT, "strict")                                                                            \
    X(SEPARATE, "separate")                                                                        \
    X(SINGLE, "single")                                                                            \
    X(REPLACE, "replace")                                                                          \
    X(KEEP, "keep")                                                                                \
    X(AUTO, "auto")                                                                                \
    X(CHAIN, "chain")                                                                              \
    X(NEWEST, "newest")                                                                            \
    X(KEEP_BASE, "keep_base")                                                                      \
    X(REPLACE_CUSTOM, "replace_custom")                                                            \
    X(COUNT_TOKENS, "count_tokens")                                                                \
    X(TOOLS, "tools")                                                                              \
    X(REQUEST, "request")                                                                          \
    X(BYTES, "bytes")                                                                              \
    X(TOKENS, "tokens")                                                                            \
    X(RESULTS, "results")                                                                          \
    X(REASONING, "reasoning")                                                                      \
    X(MEDIA, "media")                                                                              \
    X(ROUNDS, "rounds")                                                                            \
    X(LOOPS, "loops")                                                                              \
    X(LEAST, "least")                                                                              \
    X(EVENTSTREAM, "eventstream")                                                                  \
    X(JSON, "json")                                                                                \
    X(PROMETHEUS, "prometheus")                                                                    \
    X(OPENMETRICS, "openmetrics")

enum tk_word {
    TK_WORD_NONE,
#define TK_WORD_ENUM(id, text) TK_WORD_##id,
    TK_WORDS(TK_WORD_ENUM)
#undef TK_WORD_ENUM
#define TK_DIALECT_ENUM(id, shape, name) TK_WORD_DIALECT_##id,
    TK_SHAPES(TK_DIALECT_ENUM)
#undef TK_DIALECT_ENUM
        TK_WORD_COUNT,
};

/* Returns a word's spelling. */
const char *tk_word_name(enum tk_word word);

/* The numbers of parameters. Parameters of several methods that mean the same share one. */
enum tk_param {
    TK_P_NONE,
    TK_P_TIMEOUT_MS,
    TK_P_CALLER,
    TK_P_ECHO,
    TK_P_PROVIDER,
    TK_P_DIALECT,
    TK_P_OWN_DIALECT, /* the dialect, where only the provider's own is read */
    TK_P_MESSAGES,    /* of `messages`, `history`, or the list of messages in `request` */
    TK_P_REQUEST,     /* the whole body, if it was sent */
    TK_P_TARGET,
    TK_P_TARGET_ENDPOINT,
    TK_P_TARGET_MODEL,
    TK_P_TARGET_SERVER,
    TK_P_MAX_VIOLATIONS,
    TK_P_BETAS,
    TK_P_PROVENANCE,
    TK_P_SEALS,
    TK_P_GUARD,
    TK_P_RETURN,
    TK_P_CONTENT,
    TK_P_MESSAGE,
    TK_P_BLOCKS,
    TK_P_STOP_REASON,
    TK_P_CARRY_IN,
    TK_P_STREAM,
    TK_P_EMIT,
    TK_P_PROVIDER_INPUT,
    TK_P_HISTORY,
    TK_P_MAX_BUFFER,
    TK_P_RESPONSE,
    TK_P_EVENTS,
    TK_P_DATA,
    TK_P_DATA_BASE64,
    TK_P_TRANSPORT_ERROR,
    TK_P_WIRE,
    TK_P_STARTING_AFTER,
    TK_P_RESTART,
    TK_P_POLICY,
    TK_P_POLICY_BASE, /* resolved also if the policy is a name */
    TK_P_POLICY_ORPHAN_CALL,
    TK_P_POLICY_ORPHAN_RESULT,
    TK_P_POLICY_RESULT_BEFORE_CALL,
    TK_P_POLICY_DUPLICATE_ID,
    TK_P_POLICY_INVALID_PAIR,
    TK_P_POLICY_UNANSWERED_CALL,
    TK_P_POLICY_UNMATCHED_RESULT,
    TK_P_POLICY_BLANK_TEXT,
    TK_P_POLICY_PREFILL,
    TK_P_POLICY_MARK_TEXT, /* a bool */
    TK_P_POLICY_MERGE_ADJACENT,
    TK_P_POLICY_ITEM_IDS,
    TK_P_POLICY_UNKNOWN_TOOLS,
    TK_P_POLICY_THINKING,
    TK_P_POLICY_UNSIGNED_THINKING,
    TK_P_POLICY_SIGNATURE_FORM,
    TK_P_POLICY_REBUILT_RULE,
    TK_P_POLICY_EMPTIED_TURN,
    TK_P_POLICY_DEAD_THINKING,
    TK_P_POLICY_PRIOR_THINKING,
    TK_P_POLICY_ROUTE,
    TK_P_POLICY_PREFIX_MISMATCH,
    TK_P_POLICY_EXTRA_MEMBERS,
    TK_P_POLICY_SERIALIZABLE_TOOLS, /* a list of strings; null or absent: all */
    TK_P_ASSISTANT,
    TK_P_TOOL_RESULTS,
    TK_P_APPENDED,
    TK_P_CONTAINER,
    TK_P_SPLICE_MODE,
    TK_P_SPLICE_MERGE,
    TK_P_SPLICE_ON_ASSISTANT_CONFLICT,
    TK_P_SPLICE_COMPACTION,
    TK_P_SPLICE_CHOICE,
    TK_P_SPLICE_STATE,
    TK_P_TOOLS, /* of `tools`, or of `request.tools` */
    TK_P_MCP_SERVERS,
    TK_P_SPLICE,         /* the whole object, of prepare */
    TK_P_TOOLS_STEP,     /* likewise */
    TK_P_TOOLS_PROVIDER, /* of prepare: the step tools may have its own provider */
    TK_P_TOOLS_ENDPOINT,
    TK_P_ADD,
    TK_P_ON_CONFLICT,
    TK_P_CALL,
    TK_P_INTERLEAVED,
    TK_P_LEGACY_BETAS,
    TK_P_FIT, /* the whole object, of prepare */
    TK_P_FIT_OVER,
    TK_P_FIT_TO,
    TK_P_FIT_UNIT,
    TK_P_FIT_COUNTS,
    TK_P_FIT_BYTES_PER_TOKEN,
    TK_P_FIT_OVERHEAD,
    TK_P_FIT_MEASURES,
    TK_P_FIT_FIRST_ROUNDS,
    TK_P_FIT_FIRST_PROMPT,
    TK_P_FIT_LAST_ROUNDS,
    TK_P_FIT_LAST_STEPS,
    TK_P_FIT_RESULTS,
    TK_P_FIT_TOOLS,
    TK_P_FIT_PIN,
    TK_P_FIT_PLACEHOLDER,
    TK_P_FIT_MEDIA_PLACEHOLDER,
    TK_P_FIT_MARKER,
    TK_P_FIT_ON_UNREACHABLE,
    TK_P_RETURN_REMOVED,
    TK_P_FORMAT,
    TK_P_TEXT,
    TK_P_STATUS,
    TK_P_DOCUMENT,
    TK_P_AT,
    TK_P_COUNT,
};

struct tk_params {
    const struct tk_doc *doc;
    struct tk_param_slot {
        uint32_t node;  /* the value's node, TK_NO_NODE if it wasn't sent */
        int64_t number; /* the word, bool or integer that was written, else the default */
    } slots[TK_P_COUNT];
};

/* Returns the value as sent, or TK_NO_VAL. */
static inline struct tk_val tk_param(const struct tk_params *p, enum tk_param id)
{
    uint32_t node = p->slots[id].node;

    return node == TK_NO_NODE ? TK_NO_VAL : (struct tk_val){p->doc, node};
}

static inline bool tk_param_bool(const struct tk_params *p, enum tk_param id)
{
    return p->slots[id].number != 0;
}

static inline int64_t tk_param_int(const struct tk_params *p, enum tk_param id)
{
    return p->slots[id].number;
}

static inline enum tk_word tk_param_word(const struct tk_params *p, enum tk_param id)
{
    return (enum tk_word)p->slots[id].number;
}

#endif
