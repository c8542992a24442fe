/* SPDX-License-Identifier: Apache-2.0 */
/* Names by number, so that a host can count in arrays. */
#include "methods/core/host.h"
#include "catalogue/rule.h"
#include "engine/edit/edit.h"
#include "methods/core/table.h"
#include "wording/explain.h"

size_t tk_method_count(void)
{
    return tk_methods_count;
}

const char *tk_method_name(size_t i)
{
    return tk_methods[i].name.p;
}

size_t tk_method_index(const char *name)
{
    size_t i = 0;

    while (i < tk_methods_count && tk_methods[i].name.p != name)
        i++;
    return i;
}

size_t tk_code_count(void)
{
    return TK_CODE_COUNT;
}

const char *tk_code_name(size_t i)
{
    return tk_catalogue[i].code;
}

/* Returns the number of actions without action 0, which is "none": hosts don't count it. */
size_t tk_miss_count(void)
{
    return TK_WORDING_COUNT + 1;
}

const char *tk_miss_name(size_t i)
{
    struct tk_wording wording;

    if (i == TK_WORDING_NONE)
        return "none";
    wording = tk_wording((unsigned)i);
    return wording.provider_error ? wording.code : NULL;
}

size_t tk_action_count(void)
{
    return TK_ACTION_COUNT - 1;
}

const char *tk_outcome_name(enum tk_outcome outcome)
{
    static const char *const names[TK_OUTCOME_COUNT] = {"none", "clean", "repaired", "unsafe"};

    return names[outcome];
}

const char *tk_action_name(size_t i)
{
    return tk_action_names[i + 1];
}
