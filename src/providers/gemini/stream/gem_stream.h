/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoder of Gemini. An event is a response that has some parts of the message:
 *
 *     {"candidates": [{"index", "content": {"parts": [...]}, "finishReason"}], "usageMetadata", "responseId"}
 *
 *     gem_events.c  responses, candidates     gem_parts.c  parts: texts, calls, code and its results
 *     gem_args.c    arguments in pieces       gem_end.c    the end, and the content for the history
 *
 * Members have two spellings, camelCase and snake_case; tk_gem_get() reads either.
 */
#ifndef TK_PROVIDERS_GEMINI_STREAM_GEM_STREAM_H
#define TK_PROVIDERS_GEMINI_STREAM_GEM_STREAM_H

#include "providers/gemini/stream/gem_args.h"
#include "stream/turn/decoder.h"

/* A member in both spellings. */
struct tk_gem_name {
    struct tk_str camel, snake;
};
#define TK_GEM_NAME(camel, snake) ((struct tk_gem_name){TK_STR_INIT(camel), TK_STR_INIT(snake)})

/* Returns a member in either spelling; absent if it is missing or null. */
struct tk_val tk_gem_get(struct tk_val v, struct tk_gem_name name);

/* Returns true if a member has the name in either spelling. */
bool tk_gem_is(struct tk_val member, struct tk_gem_name name);

struct tk_gem_part {
    struct tk_turn_part part; /* start: the whole part as it came; text: of texts that are joined */
    bool joins;               /* a text without other members: the next one may be joined */
    bool left_out;            /* a blank text at the end of a broken stream */
    bool in_pieces;           /* a call whose arguments come in pieces */
    struct tk_kept signature; /* of such a call: the one that came last */
    struct tk_gem_args args;
    struct tk_kept path; /* of the last piece */
};

/* A candidate. */
struct tk_gem_choice {
    struct tk_gem_part *text; /* that the next text may be joined to */
    struct tk_gem_part *call; /* whose arguments come in pieces */
    struct tk_gem_part *code; /* the newest code */
    bool code_waits;          /* nothing came after it */
    uint64_t made_ids;
    struct tk_gem_part **tools;                 /* calls of the server's tools, in order */
    uint32_t tool_count, tool_capacity, oldest; /* oldest: no tool before it waits */
    struct tk_map codes, tool_ids;              /* from ids to the parts' places in the stream */
    struct tk_kept grounding;
    bool has_calls;
};

/* Facts about the whole message that candidates tell; they are no part of the turn. */
enum tk_gem_metadata {
    TK_GEM_GROUNDING,
    TK_GEM_CITATION,
    TK_GEM_URL_CONTEXT,
    TK_GEM_SAFETY,
    TK_GEM_LOGPROBS,
    TK_GEM_METADATA,
};

/* The decoder's state. */
struct tk_gem {
    bool has_id, has_model;
    struct tk_kept blocked; /* the feedback to a prompt that was blocked */
    struct tk_str block_reason;
    struct tk_kept metadata[TK_GEM_METADATA];
};

static inline struct tk_gem *tk_gem_of(const struct tk_stream_turn *t)
{
    return t->own;
}

static inline struct tk_gem_choice *tk_gem_choice_of(const struct tk_choice *choice)
{
    return choice->own;
}

extern const struct tk_gem_name tk_gem_metadata_names[TK_GEM_METADATA];

/* ---- gem_parts.c ---- */

/* Reads one part. Returns what tk_turn_format.read() does. */
int tk_gem_read_part(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v);

/* Ends what comes in pieces, as the finish reason STOP or another part do. Returns 0 or -ENOMEM. */
int tk_gem_end_call(struct tk_stream_turn *t, struct tk_choice *choice, bool by_itself);
void tk_gem_end_text(struct tk_stream_turn *t, struct tk_choice *choice);

/* Lets calls without a result leave alone: the code that waits, or everything. */
void tk_gem_leave_code(struct tk_stream_turn *t, struct tk_choice *choice);
void tk_gem_leave_all(struct tk_stream_turn *t, struct tk_choice *choice);

/* ---- gem_end.c: functions of tk_turn_format ---- */

/* Takes a finish reason. Returns 0 or -ENOMEM. */
int tk_gem_stream_finish(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_str reason);

bool tk_gem_stream_is_complete(struct tk_stream_turn *t);
void tk_gem_stream_settle(struct tk_stream_turn *t);
void tk_gem_stream_end(struct tk_stream_turn *t, bool done);
void tk_gem_stream_write_entries(struct tk_stream_turn *t, const struct tk_choice *choice,
                                 struct tk_writer *w);
void tk_gem_stream_write_finish(struct tk_stream_turn *t, struct tk_writer *w);

#endif
