/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of fit, as a method and as a step of prepare (doc/FIT.md). */
#include "methods/params/fields.h"

/* ---- the budget ---- */

/* The largest integer that every reader of JSON has exactly. */
#define LARGEST (((int64_t)1 << 53) - 1)

static const struct tk_param_shape size = {.kinds = TK_T_INT, .min = 1, .max = LARGEST};
static const struct tk_field field_over = {
    .name = TK_NAME("over"),
    .help = "The budget: nothing is done while the history's size is at most this",
    .shape = &size,
    .slot = TK_P_FIT_OVER,
    .required = true,
};
static const struct tk_field field_to = {
    .name = TK_NAME("to"),
    .help =
        "Where a cut aims, at most over: it moves only when over - to has been added; absent: over",
    .shape = &size,
    .slot = TK_P_FIT_TO,
};

WORDS(unit, TK_WORD_BYTES, TK_WORD_TOKENS);
static const struct tk_field field_unit = {
    .name = TK_NAME("unit"),
    .help = "The unit of all sizes",
    .shape = &unit,
    .slot = TK_P_FIT_UNIT,
    .initial = TK_WORD_BYTES,
};

static const struct tk_param_shape number = {.kinds = TK_T_INT, .min = 0, .max = INT32_MAX};
static const struct tk_param_shape numbers = {.kinds = TK_T_LIST, .items = &number};
static const struct tk_field field_counts = {
    .name = TK_NAME("counts"),
    .help = "Tokens of the first entries of the list, in order; others are estimated",
    .shape = &numbers,
    .slot = TK_P_FIT_COUNTS,
};

static const struct tk_param_shape per_token = {.kinds = TK_T_INT, .min = 1, .max = 64};
static const struct tk_field field_bytes_per_token = {
    .name = TK_NAME("bytes_per_token"),
    .help = "Bytes of a token, to estimate entries without a count",
    .shape = &per_token,
    .slot = TK_P_FIT_BYTES_PER_TOKEN,
    .initial = 4,
};

static const struct tk_field field_overhead = {
    .name = TK_NAME("overhead"),
    .help = "Size of what isn't in the list, such as system text and tools",
    .shape = &number,
    .slot = TK_P_FIT_OVERHEAD,
};

/* ---- what may be done ---- */

WORDS(measure, TK_WORD_RESULTS, TK_WORD_REASONING, TK_WORD_MEDIA, TK_WORD_ROUNDS, TK_WORD_LOOPS);
static const struct tk_param_shape measures = {.kinds = TK_T_LIST, .items = &measure};
static const struct tk_field field_measures = {
    .name = TK_NAME("measures"),
    .help = "Measures that may be taken, always in this order: results, reasoning, media, rounds, "
            "loops; absent: rounds and loops",
    .shape = &measures,
    .slot = TK_P_FIT_MEASURES,
};

WORDS(on_unreachable, TK_WORD_ERROR, TK_WORD_LEAST);
static const struct tk_field field_on_unreachable = {
    .name = TK_NAME("on_unreachable"),
    .help = "Refuse if the budget can't be reached, or answer the smallest outcome",
    .shape = &on_unreachable,
    .slot = TK_P_FIT_ON_UNREACHABLE,
    .initial = TK_WORD_ERROR,
};

/* ---- what stays ---- */

static const struct tk_param_shape some = {.kinds = TK_T_INT, .min = 0, .max = UINT32_MAX};
static const struct tk_param_shape at_least_one = {.kinds = TK_T_INT, .min = 1, .max = UINT32_MAX};
static const struct tk_param_shape names = {.kinds = TK_T_LIST, .items = &tk_shape_string};

#define KEPT(member, what, text, at, start)                                                        \
    static const struct tk_field keep_##member = {                                                 \
        .name = TK_NAME(#member), .help = text, .shape = &what, .slot = at, .initial = start}

KEPT(first_rounds, some, "The first rounds, in which nothing is touched", TK_P_FIT_FIRST_ROUNDS, 0);
KEPT(first_prompt, tk_shape_boolean, "The first round that has a prompt; loops may take its steps",
     TK_P_FIT_FIRST_PROMPT, 0);
KEPT(last_rounds, some, "The last rounds, in which nothing is cleared; the last one always stays",
     TK_P_FIT_LAST_ROUNDS, 1);
KEPT(last_steps, at_least_one, "The last steps of the last round", TK_P_FIT_LAST_STEPS, 1);
KEPT(results, some, "The newest results, which aren't cleared", TK_P_FIT_RESULTS, 3);
KEPT(tools, names, "Names of tools whose results aren't cleared", TK_P_FIT_TOOLS, 0);
static const struct tk_field *const keep_fields[] = {&keep_first_rounds,
                                                     &keep_first_prompt,
                                                     &keep_last_rounds,
                                                     &keep_last_steps,
                                                     &keep_results,
                                                     &keep_tools,
                                                     NULL};
static const struct tk_param_shape keep = {.kinds = TK_T_OBJECT, .fields = keep_fields};
static const struct tk_field field_keep = {
    .name = TK_NAME("keep"),
    .help = "What stays",
    .shape = &keep,
};

static const struct tk_param_shape indexes = {.kinds = TK_T_LIST, .items = &some};
static const struct tk_field field_pin = {
    .name = TK_NAME("pin"),
    .help = "Indexes of entries whose rounds nothing touches",
    .shape = &indexes,
    .slot = TK_P_FIT_PIN,
};

/* ---- texts ---- */

#define TEXT(member, text, at)                                                                     \
    static const struct tk_field field_##member = {                                                \
        .name = TK_NAME(#member), .help = text, .shape = &tk_shape_name, .slot = at}

TEXT(placeholder, "Takes the place of a cleared result; absent: [Old tool result removed.]",
     TK_P_FIT_PLACEHOLDER);
TEXT(media_placeholder, "Takes the place of media; absent: [Old media removed.]",
     TK_P_FIT_MEDIA_PLACEHOLDER);
TEXT(marker, "A message of the user at the cut, for example a summary; absent: none",
     TK_P_FIT_MARKER);

/* ---- the method and the step ---- */

#define BUDGET                                                                                     \
    &field_over, &field_to, &field_unit, &field_counts, &field_bytes_per_token, &field_overhead,   \
        &field_measures, &field_keep, &field_pin, &field_placeholder, &field_media_placeholder,    \
        &field_marker, &field_on_unreachable

PARAMS(fit, &tk_field_messages, &tk_field_request, &tk_field_provider, &tk_field_own_dialect,
       &tk_field_target, &tk_field_policy, BUDGET, &tk_field_guard, &tk_field_return_messages,
       &tk_field_return_removed, &tk_field_max_violations, &tk_field_betas, &tk_field_timeout_ms);

static const struct tk_field *const step_fields[] = {BUDGET, NULL};
static const struct tk_param_shape step = {.kinds = TK_T_OBJECT, .fields = step_fields};
const struct tk_field tk_field_fit_step = {
    .name = TK_NAME("fit"),
    .help = "The budget that the history is fitted to before it is repaired; absent: no step",
    .shape = &step,
    .slot = TK_P_FIT,
};
