/* SPDX-License-Identifier: Apache-2.0 */
#include "operations/tools/beta.h"

#include <errno.h>

/* ---- facts ---- */

static void scan_message(struct tk_beta_scan *scan, const struct tk_beta_rules *rules,
                         const struct tk_shape *shape, struct tk_val message,
                         struct tk_arena *arena)
{
    struct tk_val parts = tk_get(message, tk_parts_name(shape));

    rules->scan_message(scan, message);
    if (!tk_is(parts, TK_ARRAY))
        return;
    for (struct tk_val v = tk_first(parts); tk_exists(v); v = tk_after(parts, v))
        rules->scan_block(scan, v, arena);
}

void tk_beta_scan_messages(struct tk_beta_scan *scan, const struct tk_beta_rules *rules,
                           const struct tk_shape *shape, struct tk_val messages,
                           struct tk_arena *arena)
{
    for (struct tk_val v = tk_first(messages); tk_exists(v); v = tk_after(messages, v))
        scan_message(scan, rules, shape, v, arena);
}

/* ---- a set of values ---- */

void tk_betas_init(struct tk_betas *b, struct tk_arena *arena, const uint64_t *hash_key)
{
    *b = (struct tk_betas){.arena = arena};
    tk_map_init(&b->seen, arena, hash_key);
}

static struct tk_str lower_case(struct tk_str s, struct tk_arena *arena)
{
    char *text = tk_arena_alloc(arena, s.n);

    for (size_t i = 0; text && i < s.n; i++)
        text[i] = s.p[i] >= 'A' && s.p[i] <= 'Z' ? (char)(s.p[i] + ('a' - 'A')) : s.p[i];
    return (struct tk_str){text, text ? s.n : 0};
}

static void add(struct tk_betas *b, struct tk_str value)
{
    struct tk_str key = lower_case(value, b->arena);
    bool is_new = false;

    if (!key.p || !TK_GROW(b->arena, b->values, b->count, b->capacity) ||
        !tk_map_put(&b->seen, key, &is_new))
        b->failed = true;
    else if (is_new)
        b->values[b->count++] = value;
}

static void add_line(struct tk_betas *b, struct tk_str line)
{
    struct tk_str value;

    while (tk_beta_next(&line, &value))
        add(b, value);
}

void tk_betas_add(struct tk_betas *b, struct tk_val lines)
{
    if (tk_is(lines, TK_STRING))
        add_line(b, tk_text(lines, b->arena));
    if (tk_is(lines, TK_ARRAY))
        for (struct tk_val v = tk_first(lines); tk_exists(v); v = tk_after(lines, v))
            add_line(b, tk_text(v, b->arena));
    b->given = b->count;
}

/* ---- what is missing ---- */

int tk_betas_complete(struct tk_betas *b, const struct tk_beta_rules *rules,
                      const struct tk_beta_scan *scan, const struct tk_beta_call *call)
{
    uint64_t needs = rules->needs(b, scan, call);

    for (unsigned beta = 0; beta < rules->count; beta++)
        if (needs & tk_beta_bit(beta))
            add(b, rules->values[beta]);
    return b->failed ? -ENOMEM : 0;
}

struct tk_known_betas tk_betas_known(const struct tk_betas *b, const struct tk_beta_rules *rules,
                                     const struct tk_beta_scan *scan,
                                     const struct tk_beta_call *call)
{
    struct tk_known_betas known = {true, rules->needs(b, scan, call)};

    for (unsigned beta = 0; beta < rules->count; beta++)
        if (tk_beta_is_sent(b, rules->values[beta]))
            known.has |= tk_beta_bit(beta);
    return known;
}

int tk_betas_check(const struct tk_betas *b, const struct tk_beta_rules *rules,
                   const struct tk_beta_scan *scan, struct tk_val lines, struct tk_refusal *refusal)
{
    struct tk_str value = rules->conflict(b, scan);

    if (!value.p)
        return 0;
    tk_refusal_blame(refusal, TK_REFUSAL_BETA_CONFLICT, lines);
    return tk_refusal_list(refusal, "betas", value, b->arena);
}

/* ---- on the wire ---- */

bool tk_betas_equal(const struct tk_betas *b, struct tk_val list)
{
    uint32_t i = 0;

    if (!tk_is(list, TK_ARRAY) || tk_count(list) != b->count)
        return false;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!tk_text_is(v, b->values[i++]))
            return false;
    return true;
}

void tk_betas_write(struct tk_writer *w, const struct tk_betas *b, uint32_t from)
{
    tk_write_list(w);
    for (uint32_t i = from; i < b->count; i++)
        tk_write_str(w, b->values[i]);
    tk_write_end(w);
}

void tk_betas_write_header(struct tk_writer *w, const struct tk_betas *b)
{
    struct tk_out line;

    tk_out_init(&line, b->arena);
    for (uint32_t i = 0; i < b->count; i++) {
        if (i > 0)
            tk_out_put(&line, ",", 1);
        tk_out_ref(&line, b->values[i]);
    }
    tk_write_str(w, tk_out_join(&line));
}
