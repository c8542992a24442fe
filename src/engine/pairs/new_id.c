/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pairs/new_id.h"

#include <errno.h>

#include "value/digest.h"

/* ---- ids that are used again ---- */

bool tk_is_used_before(const struct tk_pair_key *key, uint32_t at)
{
    return key->first_at < at;
}

bool tk_is_owned_by(const struct tk_pair_key *key, uint32_t owner)
{
    return key->owner == owner;
}

struct tk_str tk_unused_id(struct tk_pairs *pairs, struct tk_str id, tk_is_used *is_used,
                           uint32_t arg)
{
    uint32_t key = tk_put_key(pairs, id);
    const struct tk_pair_key *made;
    struct tk_str ret;

    if (key == TK_NONE)
        return (struct tk_str){0};
    do {
        struct tk_str number = tk_arena_printf(pairs->arena, "_%u", ++pairs->keys[key].suffix);

        ret = tk_arena_concat(pairs->arena, (struct tk_str[]){id, number}, 2);
        made = ret.p ? tk_get_key(pairs, ret) : NULL;
    } while (made && is_used(made, arg));
    return ret;
}

int tk_note_id(struct tk_pairs *pairs, struct tk_str id, uint32_t at)
{
    uint32_t key = tk_put_key(pairs, id);

    if (key == TK_NONE)
        return -ENOMEM;
    if (pairs->keys[key].first_at > at)
        pairs->keys[key].first_at = at;
    return 0;
}

int tk_own_id(struct tk_pairs *pairs, struct tk_str id, uint32_t owner)
{
    uint32_t key = tk_put_key(pairs, id);

    if (key == TK_NONE)
        return -ENOMEM;
    if (pairs->keys[key].owner != owner)
        pairs->keys[key].suffix = 1;
    pairs->keys[key].owner = owner;
    return 0;
}

/* ---- ids of a wrong form ---- */

enum {
    DIGITS_KEPT = 10, /* of the digest */
};

const struct tk_id_form tk_client_id_form = {
    .otherwise = TK_STR_INIT("toolu"), .hyphen = true, .kept = 53};

/* Forms that have a character; bits. */
enum {
    WITHOUT_HYPHEN = 1,
    WITH_HYPHEN = 2,
};

static const uint8_t characters[UINT8_MAX + 1] = {
    ['a' ... 'z'] = WITHOUT_HYPHEN | WITH_HYPHEN,
    ['A' ... 'Z'] = WITHOUT_HYPHEN | WITH_HYPHEN,
    ['0' ... '9'] = WITHOUT_HYPHEN | WITH_HYPHEN,
    ['_'] = WITHOUT_HYPHEN | WITH_HYPHEN,
    ['-'] = WITH_HYPHEN,
};

static uint8_t bit_of(const struct tk_id_form *form)
{
    return form->hyphen ? WITH_HYPHEN : WITHOUT_HYPHEN;
}

bool tk_id_has_form(struct tk_str id, const struct tk_id_form *form)
{
    struct tk_str head = form->head;
    uint8_t forms = WITHOUT_HYPHEN | WITH_HYPHEN;

    if (id.n <= head.n || (head.n > 0 && !tk_str_starts(id, head)))
        return false;
    for (size_t i = head.n; i < id.n; i++)
        forms &= characters[(uint8_t)id.p[i]];
    return forms & bit_of(form);
}

struct tk_str tk_id_of_form(struct tk_arena *arena, struct tk_str old,
                            const struct tk_id_form *form)
{
    struct tk_str head = form->head, rest = old;
    char *clean = tk_arena_alloc(arena, form->kept), hex[TK_SHA256_HEX];
    size_t n = 0;

    if (!clean)
        return (struct tk_str){0};
    if (head.n > 0 && tk_str_starts(rest, head))
        rest = (struct tk_str){rest.p + head.n, rest.n - head.n};
    for (size_t i = 0; i < rest.n && n < form->kept; i++)
        if (((uint8_t)rest.p[i] & 0xC0) != 0x80) /* counts characters, not bytes */
            clean[n++] = characters[(uint8_t)rest.p[i]] & bit_of(form) ? rest.p[i] : '_';
    tk_sha256_hex(old, hex);
    return tk_arena_concat(arena,
                           (struct tk_str[]){head,
                                             n > 0 ? (struct tk_str){clean, n} : form->otherwise,
                                             TK_STR("_"),
                                             {hex, DIGITS_KEPT}},
                           4);
}
