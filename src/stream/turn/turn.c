/* SPDX-License-Identifier: Apache-2.0 */
/* Choices, parts and facts of a turn. */
#include "stream/turn/turn.h"

#include <errno.h>
#include <stdlib.h>

int tk_turn_init(struct tk_stream *s)
{
    const struct tk_turn_format *format = s->setup.format->turn;
    struct tk_stream_turn *t = tk_arena_zalloc(&s->arena, 1, sizeof(*t));

    if (!t)
        return -ENOMEM;
    t->format = format;
    t->keep = &s->arena;
    t->starting_after = s->setup.starting_after;
    t->own = tk_arena_zalloc(&s->arena, 1, format->own_size);
    tk_map_init(&t->by_index, &s->arena, s->setup.hash_key);
    s->turn = t;
    return t->own ? 0 : -ENOMEM;
}

/* ---- choices and parts ---- */

/* The key of a choice, or of a part's index in it, in the table of both. */
struct key {
    int64_t choice, wire_index; /* of a choice INT64_MIN */
};

static struct tk_str bytes_of(const struct key *key)
{
    return (struct tk_str){(const char *)key, sizeof(*key)};
}

/* Returns the number that a key has in the table; adds the key if it is new. NULL without memory. */
static uint32_t *put_key(struct tk_stream_turn *t, const struct key *key, bool *ret_new)
{
    struct tk_str bytes = bytes_of(key);
    uint32_t *known = tk_map_get(&t->by_index, bytes);

    *ret_new = !known;
    if (known)
        return known;
    bytes = tk_arena_dup(t->keep, bytes);
    return bytes.p ? tk_map_put(&t->by_index, bytes, ret_new) : NULL;
}

struct tk_choice *tk_turn_choice(struct tk_stream_turn *t, int64_t index)
{
    const struct key key = {index, INT64_MIN};
    struct tk_choice *choice;
    uint32_t *number;
    bool is_new;

    if (t->choice_count > 0 && t->choices[0]->index == index)
        return t->choices[0];
    number = put_key(t, &key, &is_new);
    if (!number || !is_new)
        return number ? t->choices[*number] : NULL;
    if (!TK_GROW(t->keep, t->choices, t->choice_count, t->choice_capacity))
        return NULL;
    choice = tk_arena_zalloc(t->keep, 1, sizeof(*choice));
    if (!choice)
        return NULL;
    choice->index = index;
    choice->at = *number = t->choice_count;
    t->choices[t->choice_count++] = choice;
    return choice;
}

static const uint8_t runs[TK_TURN_KINDS] = {
    [TK_TURN_TEXT] = TK_RUN_TEXT,
    [TK_TURN_REASONING] = TK_RUN_REASONING,
    [TK_TURN_CALL] = TK_RUN_INPUT,
};

void *tk_turn_add(struct tk_stream_turn *t, struct tk_choice *choice, enum tk_turn_kind kind,
                  int64_t wire_index, size_t size)
{
    const struct key key = {choice->index, wire_index};
    struct tk_turn_part *part;
    uint32_t *number = NULL;
    bool is_new;

    if (!TK_GROW(t->keep, t->parts, t->part_count, t->part_capacity) ||
        !TK_GROW(t->keep, choice->parts, choice->count, choice->capacity))
        return NULL;
    part = tk_arena_zalloc(t->keep, 1, size);
    if (part && wire_index != TK_NO_INDEX)
        number = put_key(t, &key, &is_new);
    if (!part || (wire_index != TK_NO_INDEX && !number))
        return NULL;
    if (number)
        *number = t->part_count;
    part->choice = choice;
    part->kind = (uint8_t)kind;
    part->wire_index = wire_index;
    part->operation = TK_NONE;
    part->at = t->part_count;
    part->run =
        (struct tk_text_run){.kind = runs[kind], .wire_index = wire_index, .choice = choice};
    t->parts[t->part_count++] = part;
    choice->parts[choice->count++] = part;
    return part;
}

void *tk_turn_find(struct tk_stream_turn *t, const struct tk_choice *choice, int64_t wire_index)
{
    const struct key key = {choice->index, wire_index};
    struct tk_turn_part *last = choice->count > 0 ? choice->parts[choice->count - 1] : NULL;
    const uint32_t *number;

    if (last && last->wire_index == wire_index) /* nearly always */
        return last;
    number = tk_map_get(&t->by_index, bytes_of(&key));
    return number ? t->parts[*number] : NULL;
}

static int by_index(const void *a, const void *b)
{
    const struct tk_turn_part *x = *(struct tk_turn_part *const *)a;
    const struct tk_turn_part *y = *(struct tk_turn_part *const *)b;

    if (x->wire_index != y->wire_index)
        return x->wire_index < y->wire_index ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

void tk_turn_sort(struct tk_stream_turn *t, struct tk_choice *choice)
{
    (void)t;
    if (choice->count > 1)
        qsort(choice->parts, choice->count, sizeof(*choice->parts), by_index);
}

void tk_turn_warn(struct tk_stream_turn *t, enum tk_warning warning)
{
    tk_warn(t->k, warning);
}

/* ---- facts ---- */

void tk_turn_id(struct tk_stream_turn *t, struct tk_val id)
{
    struct tk_facts *f = &t->k->s->facts;

    if (!tk_is(id, TK_STRING))
        return;
    f->id = tk_arena_dup(t->keep, tk_text(id, t->arena));
    f->wire_id = tk_keep(t->keep, id);
}

struct tk_str tk_turn_message_id(const struct tk_stream_turn *t)
{
    return t->k->s->facts.id;
}

void tk_turn_model(struct tk_stream_turn *t, struct tk_val model)
{
    if (tk_is(model, TK_STRING))
        t->k->s->facts.model = tk_keep(t->keep, model);
}

void tk_turn_details(struct tk_stream_turn *t, struct tk_val details)
{
    if (tk_is(details, TK_OBJECT) || tk_is(details, TK_STRING))
        t->k->s->facts.stop_details = tk_keep(t->keep, details);
}

void tk_turn_usage(struct tk_stream_turn *t, struct tk_val usage, const int64_t tokens[TK_TOKENS],
                   struct tk_val total)
{
    if (!tk_is(usage, TK_OBJECT))
        return;
    t->usage = tk_keep(t->keep, usage);
    memcpy(t->tokens, tokens, sizeof(t->tokens));
    t->total_tokens =
        tk_exists(total) ? tk_tokens_of(total) : tokens[TK_TOKENS_INPUT] + tokens[TK_TOKENS_OUTPUT];
}

/* ---- text ---- */

static struct tk_str raw_in(struct tk_stream_turn *t, enum tk_codec codec, struct tk_val string)
{
    struct tk_encoding e;
    struct tk_str encoded;

    if (string.doc->codec == codec)
        return tk_raw(string);
    if (codec == TK_MSGPACK)
        return tk_text(string, t->arena);
    tk_encode_begin(&e, codec, t->arena);
    tk_write_any(&e.w, string);
    encoded = tk_encode_end(&e);
    return encoded.p ? (struct tk_str){encoded.p + 1, encoded.n - 2} : encoded;
}

void tk_text_put(struct tk_stream_turn *t, struct tk_text *text, struct tk_val string)
{
    if (!text->came)
        text->codec = string.doc->codec;
    text->came = true;
    tk_pieces_put(&text->pieces, t->keep, raw_in(t, (enum tk_codec)text->codec, string));
}

/* Returns a text as an encoded string in its codec. */
static struct tk_str encoded(struct tk_stream_turn *t, const struct tk_text *text)
{
    struct tk_encoding e;

    if (text->codec == TK_JSON)
        return tk_pieces_join(&text->pieces, t->arena, TK_STR("\""), TK_STR("\""));
    tk_encode_begin(&e, TK_MSGPACK, t->arena);
    tk_write_str(&e.w, tk_pieces_join(&text->pieces, t->arena, TK_STR(""), TK_STR("")));
    return tk_encode_end(&e);
}

void tk_text_write(struct tk_stream_turn *t, const struct tk_text *text, struct tk_writer *w)
{
    struct tk_str bytes = encoded(t, text);

    if (bytes.p && w->codec == text->codec)
        tk_write_raw(w, bytes);
    else
        tk_turn_write_kept(t, &(struct tk_kept){bytes, text->codec}, w);
}

struct tk_str tk_text_plain(struct tk_stream_turn *t, const struct tk_text *text)
{
    struct tk_val v;

    if (text->codec == TK_MSGPACK || !text->came)
        return tk_pieces_join(&text->pieces, t->arena, TK_STR(""), TK_STR(""));
    v = tk_read_again(t->k, encoded(t, text), TK_JSON, t->k->third);
    return tk_exists(v) ? tk_text(v, t->arena) : (struct tk_str){NULL, 0};
}

struct tk_str tk_turn_code(struct tk_stream_turn *t, struct tk_val code)
{
    return tk_is(code, TK_INT) || tk_is(code, TK_REAL) ? tk_span(code) : tk_text(code, t->arena);
}

/* ---- writing ---- */

struct tk_val tk_turn_read_kept(struct tk_stream_turn *t, const struct tk_kept *kept)
{
    return tk_is_kept(kept) ? tk_read_kept(t->k, kept, t->k->second) : TK_NO_VAL;
}

void tk_turn_write_kept(struct tk_stream_turn *t, const struct tk_kept *kept, struct tk_writer *w)
{
    struct tk_work to = *t->k;

    to.w = w;
    tk_write_kept(&to, kept);
}

void tk_turn_write_others(struct tk_stream_turn *t, struct tk_val v, const struct tk_str *but,
                          size_t n, struct tk_writer *w)
{
    for (struct tk_val m = tk_first(v); tk_is(v, TK_OBJECT) && tk_exists(m); m = tk_after(v, m)) {
        size_t i = 0;

        while (i < n && !tk_key_is(m, but[i]))
            i++;
        if (i < n)
            continue;
        tk_write_key_str(w, tk_key(m, t->arena));
        tk_write_any(w, m);
    }
}

void tk_turn_write_members(struct tk_stream_turn *t, const struct tk_kept *kept,
                           struct tk_writer *w)
{
    tk_turn_write_others(t, tk_turn_read_kept(t, kept), NULL, 0, w);
}
