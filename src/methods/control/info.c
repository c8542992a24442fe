/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `info`: the tables of this build. They fill a quarter of a megabyte, so the core keeps the first
 * answer, and later requests get a copy of it.
 */
#include "catalogue/rule.h"
#include "methods/core/core.h"
#include "methods/core/request.h"

/* Writes all methods of the program, also those that the control socket doesn't serve. */
static void write_methods(struct tk_writer *w, const struct tk_request *rq)
{
    tk_write_key(w, "methods");
    tk_write_list(w);
    for (size_t i = 0; i < tk_methods_count; i++) {
        const struct tk_method *method = &tk_methods[i];

        if (!tk_method_exists(rq, method))
            continue;
        tk_write_map(w);
        tk_write_key(w, "name");
        tk_write_str(w, method->name);
        tk_write_kv_cstr(w, "help", method->help);
        tk_write_key(w, "params");
        tk_schema_write_json(w, method->params);
        tk_write_end(w);
    }
    tk_write_end(w);
}

static void write_words(struct tk_writer *w, const char *key, const struct tk_field *field)
{
    tk_write_key(w, key);
    tk_write_list(w);
    for (const enum tk_word *word = field->shape->words; *word != TK_WORD_NONE; word++)
        tk_write_cstr(w, tk_word_name(*word));
    tk_write_end(w);
}

/* Writes the defaults of each policy. The first field is `base`, whose words name the policies; the
 * other fields are their keys. */
static void write_policies(struct tk_writer *w)
{
    tk_write_key(w, "policies");
    tk_write_map(w);
    for (const enum tk_word *base = tk_policy_fields[0]->shape->words; *base != TK_WORD_NONE;
         base++) {
        tk_write_key(w, tk_word_name(*base));
        tk_write_map(w);
        for (size_t i = 1; tk_policy_fields[i]; i++) {
            tk_write_key_str(w, tk_policy_fields[i]->name);
            tk_schema_write_default(w, tk_policy_fields[i], *base);
        }
        tk_write_end(w);
    }
    tk_write_end(w);
}

static void write_limits(struct tk_writer *w, const struct tk_request *rq)
{
    tk_write_key(w, "limits");
    if (rq->host) {
        rq->host->limits(rq->host->arg, w);
        return;
    }
    tk_write_map(w);
    tk_write_kv_int(w, "max_depth", rq->core->limits.max_depth);
    tk_write_kv_int(w, "max_values", rq->core->limits.max_values);
    tk_write_kv_int(w, "max_answer", (int64_t)rq->core->max_answer);
    tk_write_key(w, "max_memory");
    tk_write_uint(w, rq->core->max_memory);
    tk_write_end(w);
}

/* Writes a rule: its trigger, the provider's answer, and its repairs. */
static void write_manual(struct tk_writer *w, const struct tk_rule *rule)
{
    tk_write_kv_cstr(w, "trigger", rule->trigger);
    if (rule->provider_error)
        tk_write_kv_cstr(w, "provider_error", rule->provider_error);
    tk_write_key(w, "fix");
    tk_write_map(w);
    tk_write_kv_cstr(w, "conservative", rule->conservative);
    tk_write_kv_cstr(w, "preserve", rule->preserve ? rule->preserve : rule->conservative);
    tk_write_end(w);
}

static void write_catalogue(struct tk_writer *w)
{
    tk_write_key(w, "catalogue");
    tk_write_list(w);
    for (size_t i = 0; i < TK_CODE_COUNT; i++) {
        const struct tk_rule *rule = &tk_catalogue[i];

        if (rule->edit_only)
            continue;
        tk_write_map(w);
        tk_write_kv_cstr(w, "code", rule->code);
        tk_write_kv_cstr(w, "severity", tk_severity_name(rule->severity));
        tk_write_kv_int(w, "wave", rule->wave);
        tk_write_kv_cstr(w, "provider", rule->provider);
        write_manual(w, rule);
        tk_write_end(w);
    }
    tk_write_end(w);
}

static void write_errors(struct tk_writer *w)
{
    tk_write_key(w, "errors");
    tk_write_list(w);
    for (size_t i = 0; i < TK_ERR_COUNT; i++) {
        tk_write_map(w);
        tk_write_kv_cstr(w, "name", tk_errors[i].name);
        tk_write_kv_int(w, "code", tk_errors[i].code);
        tk_write_kv_bool(w, "retryable", tk_errors[i].retryable);
        tk_write_kv_cstr(w, "text", tk_errors[i].message);
        tk_write_end(w);
    }
    tk_write_end(w);
}

static void write_all(struct tk_writer *w, const struct tk_request *rq)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "version", tk_version());
    tk_write_kv_int(w, "protocol", TK_PROTOCOL);
    write_methods(w, rq);
    write_words(w, "providers", &tk_field_provider);
    write_words(w, "dialects", &tk_field_dialect);
    write_policies(w);
    write_limits(w, rq);
    write_errors(w);
    write_catalogue(w);
    tk_write_end(w);
}

static struct tk_str make(const struct tk_request *rq)
{
    struct tk_encoding out;

    tk_encode_begin(&out, rq->codec, rq->arena);
    write_all(&out.w, rq);
    return tk_encode_end(&out);
}

/* Answers with a copy: a slow client may read the answer after the core has freed what it keeps. */
int tk_method_info(struct tk_request *rq)
{
    struct tk_str all = rq->core->info[rq->codec];

    if (all.n > 0) {
        all = tk_arena_dup(rq->arena, all);
    } else {
        all = make(rq);
        if (!tk_arena_failed(rq->arena))
            tk_core_keep_info(rq->core, rq->codec, all);
    }
    tk_write_raw(tk_answer_begin_result(rq), all);
    return tk_answer_end(rq);
}
