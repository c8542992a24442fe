/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/rules.h"

#include <errno.h>

#include "providers/common/texts.h"
#include "providers/openai/responses/ids/unit.h"
#include "providers/openai/responses/item_survey.h"
#include "value/hash.h"
#include "value/unicode.h"

struct tk_val tk_ciphertext(const struct tk_transcript *t, uint32_t item)
{
    struct tk_val v = tk_item_get(t, item, TK_STR("encrypted_content"));

    return tk_has_text(v) ? v : TK_NO_VAL;
}

/* ---- what the server has, and has not ---- */

static bool is_resent(const struct tk_judge *j, uint32_t item)
{
    return tk_responses(j)->previous && tk_item_is_models(j->t, item) &&
           tk_exists(tk_item_id(j->t, item));
}

int tk_judge_resent(struct tk_judge *j)
{
    int r = 0;

    if (!tk_responses(j)->previous)
        return 0;
    for (uint32_t m = j->t->first_message; m != TK_NONE && r == 0; m = j->t->messages[m].next)
        if (is_resent(j, m))
            r = tk_find_item_by_id(j, TK_CODE_RESP_PREVIOUS_AND_RESEND, m);
    return r;
}

static bool is_not_persisted(const struct tk_transcript *t, uint32_t item)
{
    if (tk_item_is(t, item, TK_ITEM_REFERENCE))
        return true;
    return tk_item_is(t, item, TK_ITEM_REASONING) && tk_exists(tk_item_id(t, item)) &&
           !tk_exists(tk_ciphertext(t, item));
}

int tk_judge_not_persisted(struct tk_judge *j)
{
    int r = 0;

    tk_units_begin(j);
    if (!tk_responses(j)->unstored || tk_responses(j)->compatible)
        return 0;
    for (uint32_t m = j->t->first_message; m != TK_NONE && r == 0; m = j->t->messages[m].next)
        if (is_not_persisted(j->t, m))
            r = tk_find_item_by_id(j, TK_CODE_RESP_ITEM_NOT_PERSISTED, m);
    return r;
}

/* Returns true if a string has white space. Ciphertexts are long, so the usual ones are only scanned
 * for spaces. */
static bool has_white_space(struct tk_val string, struct tk_arena *arena)
{
    struct tk_str text = tk_text(string, arena);
    bool ascii;

    if (tk_scan_plain((const uint8_t *)text.p, text.n, &ascii) == text.n && ascii)
        return memchr(text.p, ' ', text.n) != NULL;
    for (size_t i = 0; i < text.n; i++)
        if (tk_white_space_at((struct tk_str){text.p + i, text.n - i}) > 0)
            return true;
    return false;
}

static bool is_foreign(const struct tk_transcript *t, uint32_t item)
{
    struct tk_val v = tk_ciphertext(t, item);

    return tk_exists(v) && has_white_space(v, t->arena);
}

int tk_judge_foreign_ciphertext(struct tk_judge *j)
{
    int r = 0;

    tk_units_begin(j);
    if (tk_responses(j)->compatible || !tk_list_has(j, TK_ITEM_REASONING))
        return 0;
    for (uint32_t m = j->t->first_message; m != TK_NONE && r == 0; m = j->t->messages[m].next)
        if (tk_item_is(j->t, m, TK_ITEM_REASONING) && is_foreign(j->t, m))
            r = tk_find_item_by_id(j, TK_CODE_RESP_ENCRYPTED_CONTENT_FOREIGN, m);
    return r;
}

/* ---- the ids themselves ---- */

/* xAI gives several reasoning items one id, and takes them back. */
static int find_repeated(struct tk_judge *j, uint32_t item)
{
    int r = tk_find_item_as(j, TK_CODE_RESP_DUPLICATE_ITEM_ID, item,
                            tk_responses(j)->compatible ? TK_WARNING : TK_ERROR);

    return r < 0 ? r : tk_find_id(&j->findings, j->t, tk_text(tk_item_id(j->t, item), j->t->arena));
}

int tk_judge_repeated_item_ids(struct tk_judge *j)
{
    struct tk_map *seen = &tk_responses(j)->item_ids;
    const struct tk_transcript *t = j->t;
    int r = 0;

    tk_units_begin(j);
    if (!tk_map_clear(seen, t->message_count))
        return -ENOMEM;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        struct tk_val id = tk_item_id(t, m);
        struct tk_str text;
        uint32_t *first;
        bool is_new;

        if (!tk_has_text(id) || is_resent(j, m))
            continue;
        text = tk_text(id, t->arena);
        first = text.p ? tk_map_put(seen, text, &is_new) : NULL;
        if (!first)
            return -ENOMEM;
        if (is_new)
            *first = m;
        else
            r = find_repeated(j, m);
    }
    return r;
}

static bool has_wrong_prefix(const struct tk_transcript *t, uint32_t item)
{
    struct tk_str prefix = tk_item_at(t, item)->prefix;
    struct tk_val id = tk_item_id_sent(t, item);

    return prefix.n > 0 && tk_exists(id) &&
           !(tk_is(id, TK_STRING) && tk_str_starts(tk_text(id, t->arena), prefix));
}

int tk_judge_prefixes(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    tk_units_begin(j);
    if (tk_responses(j)->compatible)
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        if (!has_wrong_prefix(t, m))
            continue;
        r = tk_find_item_by_id(j, TK_CODE_RESP_ITEM_ID_PREFIX, m);
        if (r == 0)
            r = tk_find_words(&j->findings, j->t, tk_item_at(t, m)->prefix, (struct tk_str){0});
    }
    return r;
}

bool tk_item_id_is_long(const struct tk_transcript *t, uint32_t item)
{
    struct tk_val id = tk_item_get(t, item, TK_STR("id"));

    return tk_characters_exceed(id, TK_LONGEST_ITEM_ID, t->arena);
}

bool tk_call_id_is_long(const struct tk_transcript *t, uint32_t item)
{
    if (!tk_item_is_call(t, item) && !tk_item_is_output(t, item))
        return false;
    return tk_characters_exceed(tk_item_get(t, item, TK_STR("call_id")), TK_LONGEST_ITEM_ID,
                                t->arena);
}

/* Returns true if the ids that the reader found are so long that they may have too many characters. */
static bool may_be_long(const struct tk_transcript *t, uint32_t item)
{
    uint32_t part = tk_item_part(t, item);
    const struct tk_message *m = &t->messages[item];
    struct tk_val id = {m->doc, m->own_id}, call_id = TK_NO_VAL;

    if (part != TK_NONE) {
        id = tk_part_val(&t->parts[part], t->parts[part].own_id);
        call_id = tk_part_val(&t->parts[part], t->parts[part].id);
    }
    return (tk_exists(id) && tk_node(id)->len > TK_LONGEST_ITEM_ID) ||
           (tk_exists(call_id) && tk_node(call_id)->len > TK_LONGEST_ITEM_ID);
}

int tk_judge_long_item_ids(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    tk_units_begin(j);
    if (tk_responses(j)->compatible)
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        bool call_id;
        struct tk_val id;

        if (!may_be_long(t, m))
            continue;
        call_id = tk_call_id_is_long(t, m);
        if (!call_id && !tk_item_id_is_long(t, m))
            continue;
        id = tk_item_get(t, m, call_id ? TK_STR("call_id") : TK_STR("id"));
        r = tk_find_item(j, TK_CODE_RESP_ID_TOO_LONG, m);
        if (r == 0)
            r = tk_find_words(
                &j->findings, j->t, call_id ? TK_STR("call_id") : TK_STR("id"),
                tk_arena_printf(t->arena, "%zu", tk_characters(tk_text(id, t->arena))));
    }
    return r;
}

/* ---- reasoning ---- */

enum {
    SILENT = -1, /* no fault */
};

/* Returns how severe it is that an item of the model without an id follows, or SILENT. The server
 * looks for the item that it made. */
static int severity_before_other(const struct tk_judge *j, bool ciphertext)
{
    const struct tk_responses *own = tk_responses(j);

    if (ciphertext && own->unstored)
        return SILENT;
    return own->azure || (ciphertext && !tk_exists(j->request->body)) ? TK_WARNING : TK_ERROR;
}

/* Returns how severe it is that this item follows reasoning with an id, or SILENT. next: TK_NONE if none
 * does. */
static int severity_before(const struct tk_judge *j, uint32_t reasoning, uint32_t next)
{
    const struct tk_transcript *t = j->t;
    bool ciphertext = tk_exists(tk_ciphertext(t, reasoning));

    /* In a lone turn the item may still come. */
    if (next == TK_NONE && !(j->has & TK_HAS_HISTORY))
        return SILENT;
    /* Live servers accept it with ciphertext. */
    if (next == TK_NONE || !tk_item_is_models(t, next))
        return ciphertext ? TK_WARNING : TK_ERROR;
    if (!(tk_item_at(t, next)->flags & TK_ITEM_FREE) || tk_exists(tk_item_id(t, next)))
        return SILENT;
    return severity_before_other(j, ciphertext);
}

int tk_judge_lone_reasoning(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t next = TK_NONE;
    int r = 0;

    tk_units_begin(j);
    if (tk_responses(j)->compatible || !tk_list_has(j, TK_ITEM_REASONING))
        return 0;
    for (uint32_t m = t->last_message; m != TK_NONE && r == 0; m = t->messages[m].prev) {
        int severity = SILENT;

        if (!tk_item_is(t, m, TK_ITEM_REASONING))
            next = m;
        else if (tk_exists(tk_item_id(t, m)))
            severity = severity_before(j, m, next);
        if (severity != SILENT)
            r = tk_find_item_as(j, TK_CODE_RESP_REASONING_WITHOUT_NEXT, m,
                                (enum tk_severity)severity);
    }
    return r;
}
