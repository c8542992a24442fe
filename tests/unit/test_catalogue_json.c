/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The const table of rules against tests/conformance/catalogue.json, from which it was written:
 * each row stands there with the same severity, wave, provider and provider's text, in the same
 * order, and no row of a finished wave is left out.
 */
#include "rules/catalogue/catalogue.h"
#include "rules/catalogue/manual.h"
#include "tap.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum {
    FINISHED_WAVE = 2
};

static json_t *load_rules(void)
{
    const char *top = getenv("top_srcdir");
    char path[4096];
    json_t *catalogue, *rules;

    snprintf(path, sizeof(path), "%s/tests/conformance/catalogue.json", top ? top : ".");
    catalogue = json_load_file(path, 0, NULL);
    rules = json_incref(json_object_get(catalogue, "rules"));
    json_decref(catalogue);
    return rules;
}

static const char *member(json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

/* Index of a code among the JSON rows, their number if there is none. */
static size_t find_row(json_t *rules, const char *code)
{
    size_t i;

    for (i = 0; i < json_array_size(rules); i++)
        if (strcmp(member(json_array_get(rules, i), "code"), code) == 0)
            break;
    return i;
}

static int same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void say_where(int same, const char *code, const char *what)
{
    if (!same)
        printf("# %s: %s\n", code, what);
    CU_ASSERT(same);
}

/* What `turnkeeper rules` says of it. */
static void compare_manual(const struct tk_rule *rule, json_t *row)
{
    const struct tk_manual *manual = &tk_manual[rule - tk_catalogue];
    json_t *fix = json_object_get(row, "fix");

    say_where(same_text(manual->trigger, member(row, "trigger")), rule->code, "trigger");
    say_where(same_text(manual->conservative, member(fix, "conservative")), rule->code,
              "conservative");
    say_where(same_text(manual->preserve ? manual->preserve : manual->conservative,
                        member(fix, "preserve")),
              rule->code, "preserve");
}

static void compare(const struct tk_rule *rule, json_t *row)
{
    json_int_t wave = json_integer_value(json_object_get(row, "wave"));

    say_where(same_text(tk_severity_name(rule->severity), member(row, "severity")), rule->code,
              "severity");
    say_where(wave == rule->wave, rule->code, "wave");
    say_where(same_text(rule->provider, member(row, "provider")), rule->code, "provider");
    say_where(same_text(rule->provider_error, member(row, "provider_error")), rule->code,
              "provider_error");
    compare_manual(rule, row);
}

static void test_rows_agree(void)
{
    json_t *rules = load_rules();

    CU_ASSERT_FATAL(json_array_size(rules) > 0);
    for (size_t i = 0; i < tk_catalogue_count; i++) {
        size_t at = find_row(rules, tk_catalogue[i].code);

        say_where(at < json_array_size(rules), tk_catalogue[i].code, "not in catalogue.json");
        if (at < json_array_size(rules))
            compare(&tk_catalogue[i], json_array_get(rules, at));
    }
    json_decref(rules);
}

static void test_order_is_the_same(void)
{
    json_t *rules = load_rules();
    size_t last = 0;

    for (size_t i = 0; i < tk_catalogue_count; i++) {
        size_t at = find_row(rules, tk_catalogue[i].code);

        say_where(i == 0 || at > last, tk_catalogue[i].code, "stands too early");
        last = at;
    }
    json_decref(rules);
}

static void test_finished_wave_is_complete(void)
{
    json_t *rules = load_rules(), *row;
    size_t i;

    json_array_foreach(rules, i, row)
    {
        int found = json_integer_value(json_object_get(row, "wave")) > FINISHED_WAVE;

        for (size_t k = 0; k < tk_catalogue_count && !found; k++)
            found = strcmp(tk_catalogue[k].code, member(row, "code")) == 0;
        say_where(found, member(row, "code"), "missing");
    }
    json_decref(rules);
}

TAP_MAIN("catalogue_json", TAP_TEST(test_rows_agree), TAP_TEST(test_order_is_the_same),
         TAP_TEST(test_finished_wave_is_complete))
