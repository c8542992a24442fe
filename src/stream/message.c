/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assembles the message: each block as it started, with its deltas folded in. Folding replaces or
 * adds one member at a time, so that nothing else of the block's bytes changes.
 */
#include "stream/stream_inside.h"

#include "value/splice.h"

/*
 * ---- members that deltas make ----
 *
 * Each function returns the encoded value of a member; `.p == NULL` if the member stays as it is.
 */

static struct tk_str plain_text(struct tk_work *k, struct tk_str head, const struct tk_pieces *rest)
{
    struct tk_encoding e;

    tk_encode_begin(&e, TK_MSGPACK, k->arena);
    tk_write_str(&e.w, tk_pieces_join(rest, k->arena, head, TK_STR("")));
    return tk_encode_end(&e);
}

/* Returns the start's text followed by that of the deltas; both raw in the start's codec. */
static struct tk_str folded_text(struct tk_work *k, const struct tk_stream_block *b,
                                 struct tk_val member)
{
    const struct tk_added *added = tk_block_added(b);
    struct tk_str head = tk_raw(member);

    if (!added->text_came)
        return (struct tk_str){NULL, 0};
    if (b->start.codec == TK_MSGPACK)
        return plain_text(k, head, &added->text);
    head = tk_arena_concat(k->arena, (struct tk_str[]){TK_STR("\""), head}, 2);
    return tk_pieces_join(&added->text, k->arena, head, TK_STR("\""));
}

/* Returns the bytes from a list's first element to its last, separators included. */
static struct tk_str elements(struct tk_val list)
{
    struct tk_val first = tk_first(list), last = first;
    const char *end;

    for (struct tk_val v = first; tk_exists(v); v = tk_after(list, v))
        last = v;
    end = tk_span(last).p + tk_span(last).n;
    return (struct tk_str){tk_span(first).p, (size_t)(end - tk_span(first).p)};
}

static struct tk_str folded_list(struct tk_work *k, const struct tk_stream_block *b,
                                 struct tk_val member)
{
    const struct tk_added *added = tk_block_added(b);
    struct tk_encoding e;

    if (added->listed == 0)
        return (struct tk_str){NULL, 0};
    tk_encode_begin(&e, (enum tk_codec)b->start.codec, k->arena);
    tk_write_list(&e.w);
    if (tk_exists(tk_first(member)))
        tk_write_run(&e.w, elements(member), tk_count(member));
    tk_write_run(&e.w, tk_pieces_join(&added->list, k->arena, TK_STR(""), TK_STR("")),
                 added->listed);
    tk_write_end(&e.w);
    return tk_encode_end(&e);
}

static struct tk_str folded_latest(struct tk_work *k, const struct tk_stream_block *b,
                                   struct tk_val member)
{
    struct tk_encoding e;
    struct tk_val v;

    (void)member;
    if (!tk_is_kept(&tk_block_added(b)->latest))
        return (struct tk_str){NULL, 0};
    v = tk_read_kept(k, &tk_block_added(b)->latest, k->second);
    tk_encode_begin(&e, (enum tk_codec)b->start.codec, k->arena);
    if (tk_exists(v))
        tk_write_any(&e.w, v);
    return tk_encode_end(&e);
}

static struct tk_str folded_input(struct tk_work *k, const struct tk_stream_block *b,
                                  struct tk_val member)
{
    (void)member;
    return tk_input_encoded(k, b, (enum tk_codec)b->start.codec);
}

/* One row a member that deltas make; new members are added in this order. */
static const struct {
    size_t name; /* offset in struct tk_block_members */
    struct tk_str (*fold)(struct tk_work *k, const struct tk_stream_block *b, struct tk_val member);
} folds[] = {
    {offsetof(struct tk_block_members, text), folded_text},
    {offsetof(struct tk_block_members, list), folded_list},
    {offsetof(struct tk_block_members, latest), folded_latest},
    {offsetof(struct tk_block_members, input), folded_input},
};

static struct tk_str name_of(const struct tk_block_members *members, size_t row)
{
    struct tk_str name;

    memcpy(&name, (const char *)members + folds[row].name, sizeof(name));
    return name;
}

/* ---- one block ---- */

static struct tk_val with_member(struct tk_work *k, struct tk_val v, struct tk_str name,
                                 struct tk_str value)
{
    struct tk_val member = tk_get(v, name);
    struct tk_str bytes = tk_exists(member) ? tk_splice_replace(k->arena, v, member, value)
                                            : tk_splice_add(k->arena, v, v, name.p, value);

    return tk_read_again(k, bytes, (enum tk_codec)v.doc->codec, k->first);
}

static struct tk_val in_codec(struct tk_work *k, struct tk_val v, enum tk_codec codec)
{
    struct tk_encoding e;

    if (v.doc->codec == codec)
        return v;
    tk_encode_begin(&e, codec, k->arena);
    tk_write_any(&e.w, v);
    return tk_read_again(k, tk_encode_end(&e), codec, k->first);
}

struct tk_val tk_block_folded(struct tk_work *k, const struct tk_stream_block *b,
                              enum tk_codec codec)
{
    const struct tk_block_members *members = &k->format->members[b->role];
    struct tk_val v = tk_read_kept(k, &b->start, k->first);

    for (size_t i = 0; i < sizeof(folds) / sizeof(folds[0]) && tk_exists(v); i++) {
        struct tk_str name = name_of(members, i), value;

        if (!name.p)
            continue;
        value = folds[i].fold(k, b, tk_get(v, name));
        if (value.p)
            v = with_member(k, v, name, value);
    }
    return tk_exists(v) ? in_codec(k, v, codec) : v;
}

/* ---- the message ---- */

/* Returns true if the message contains the block. Blocks without stop are left out, except for text
 * that isn't empty. */
static bool is_kept(const struct tk_stream *s, const struct tk_stream_block *b)
{
    if (tk_block_is_abandoned(s, b))
        return false;
    return b->stopped || (b->role == TK_STREAM_BLOCK_TEXT && b->has_text);
}

/* Writes a block to the message and stores what its seal tells at `sealed`. Folding copies the
 * block more than once, so it is done in `scratch`; only the outcome goes to the answer. */
static void write_block(struct tk_work *k, struct tk_arena *scratch,
                        const struct tk_stream_block *b, void *sealed)
{
    struct tk_work inside = *k;
    struct tk_val v;

    inside.arena = scratch;
    v = tk_block_folded(&inside, b, k->w->codec);
    if (tk_exists(v)) {
        tk_write_raw(k->w, tk_arena_dup(k->arena, tk_span(v)));
        k->format->seal_block(sealed, v, k->arena, scratch);
    }
    if (tk_arena_failed(scratch))
        k->arena->failed = true;
    tk_arena_reset(scratch);
}

void tk_message_write(struct tk_work *k)
{
    const struct tk_stream *s = k->s;
    size_t size = k->format->sealed_size, n = 0;
    char *sealed = tk_arena_alloc(k->arena, s->blocks.count * size);
    struct tk_arena scratch;

    tk_arena_init(&scratch, s->setup.allocator);
    tk_write_key(k->w, "message");
    k->format->begin_message(k->w);
    for (uint32_t i = 0; i < s->blocks.count && !tk_arena_failed(k->arena); i++)
        if (is_kept(s, tk_block_at(s, i)))
            write_block(k, &scratch, tk_block_at(s, i), sealed + n++ * size);
    k->format->end_message(k->w);
    tk_write_key(k->w, "seal");
    k->format->write_seal(k->w, sealed, tk_arena_failed(k->arena) ? 0 : n);
    tk_arena_done(&scratch);
}
