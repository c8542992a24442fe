/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments of a call that come in pieces, each a value and where it goes:
 *
 *     {"jsonPath": "$.recipe.steps[0].text", "stringValue": "Beat ", "willContinue": true}
 *
 * A string for the place whose last piece will continue is appended, any other value replaces. The
 * time is linear in the paths and values; memory is the stream's.
 */
#ifndef TK_PROVIDERS_GEMINI_STREAM_GEM_ARGS_H
#define TK_PROVIDERS_GEMINI_STREAM_GEM_ARGS_H

#include "stream/turn/decoder.h"

struct tk_gem_arg;

/* Set `nodes` before the first piece with tk_gem_args_init(). */
struct tk_gem_args {
    struct tk_gem_arg *nodes; /* the first one is the object of all arguments */
    uint32_t count, capacity;
    struct tk_map by_step; /* from a node and a step of a path to the next node */
    uint32_t unfinished;   /* strings whose last piece will continue */
    bool broken;           /* a piece had no place: the arguments can't be known */
};

/* Returns 0 or -ENOMEM. */
int tk_gem_args_init(struct tk_stream_turn *t, struct tk_gem_args *args);

/* Puts a piece into its place. value: of any kind; goes_on: a string of which more comes. Returns 0 or
 * -ENOMEM. */
int tk_gem_args_put(struct tk_stream_turn *t, struct tk_gem_args *args, struct tk_str path,
                    struct tk_val value, bool goes_on);

/* Returns true if the arguments are whole. */
static inline bool tk_gem_args_are_whole(const struct tk_gem_args *args)
{
    return !args->broken && args->unfinished == 0;
}

/* Writes the object of all arguments. */
void tk_gem_args_write(struct tk_stream_turn *t, const struct tk_gem_args *args,
                       struct tk_writer *w);

#endif
