/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a history is fitted: percents of its size that the budget is, percents of the budget that a cut aims at, and the other
 * parameters of `fit` (doc/FIT.md). A format of an SDK has none.
 */
#include "history_rows.h"

#define FITS (WIRE | NOT_ANTHROPIC)

/* A parameter, or member of `keep`: mostly absent. */
#define OPTION(name, absent, value)                                                                \
    {name, absent, FITS, ""},                                                                      \
    {                                                                                              \
        name, 1, FITS, ",'" name "':" value                                                        \
    }

const struct grammar_row rows_of_budgets[] = {
    {"fit", 1, SDK, ""},
    {"fit", 2, FITS, ""},
    {"fit", 1, FITS,
     ",'fit':{'share':@share,'step':@step@measures@keep@pin@tokens@overhead@placeholder"
     "@media_placeholder@cut_marker,'return_removed':true}"},
    {"share", 2, FITS, "0"},
    {"share", 2, FITS, "15"},
    {"share", 2, FITS, "35"},
    {"share", 3, FITS, "55"},
    {"share", 3, FITS, "75"},
    {"share", 2, FITS, "90"},
    {"share", 2, FITS, "99"},
    {"share", 1, FITS, "100"},
    {"step", 4, FITS, "100"},
    {"step", 2, FITS, "95"},
    {"step", 2, FITS, "70"},
    {"step", 1, FITS, "20"},

    {"measures", 3, FITS, ""},
    {"measures", 4, FITS, ",'measures':['results','reasoning','media','rounds','loops']"},
    {"measures", 1, FITS, ",'measures':['loops','results']"},
    {"measures", 1, FITS, ",'measures':['reasoning','rounds']"},
    {"measures", 1, FITS, ",'measures':['media','results']"},
    {"measures", 1, FITS, ",'measures':['rounds']"},
    {"measures", 1, FITS, ",'measures':['loops']"},
    {"measures", 1, FITS, ",'measures':['reasoning']"},
    {"measures", 1, FITS, ",'measures':[]"},
    {"keep", 2, FITS, ""},
    {"keep", 3, FITS, ",'keep':{'results':0,'last_rounds':0@first_prompt}"},
    {"keep", 3, FITS,
     ",'keep':{'results':@few,'last_rounds':@few@first_prompt@first_rounds@last_steps@kept_tools}"},
    {"few", 2, FITS, "0"},
    {"few", 3, FITS, "1"},
    {"few", 1, FITS, "2"},
    OPTION("first_prompt", 2, "true"),
    OPTION("first_rounds", 3, "@few"),
    OPTION("last_steps", 3, "2"),
    {"kept_tools", 3, FITS, ""},
    {"kept_tools", 1, FITS, ",'tools':['f','load']"},
    OPTION("pin", 4, "[@index,@index]"),
    {"index", 1, FITS, "0"},
    {"index", 1, FITS, "3"},
    {"index", 1, FITS, "4"},
    {"index", 1, FITS, "7"},

    {"tokens", 4, FITS, ""},
    {"tokens", 1, FITS, ",'unit':'tokens'"},
    {"tokens", 1, FITS, ",'unit':'tokens','bytes_per_token':3,'counts':[9,0,40,2000,12]"},
    OPTION("overhead", 5, "50"),
    OPTION("placeholder", 2, "@old"),
    OPTION("media_placeholder", 2, "@old"),
    {"old", 2, FITS, "'-'"},
    {"old", 1, FITS, "'gone \\'\xc3\xa9'"},
    {"cut_marker", 3, FITS, ""},
    {"cut_marker", 1, FITS, ",'marker':'s'"},
    {"cut_marker", 1, FITS, ",'marker':'What was: \\'much\\' \\n\xf0\x9f\x98\x80.'"},
    {NULL, 0, 0, NULL},
};
