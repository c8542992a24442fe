/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks a document and says what each value is. A value belongs to a zone:
 *
 *     known   the protocol says what its members are: their names stay if they are its words
 *     free    a person or a model chose everything in it
 *     schema  a JSON schema; `named`: the members of it that a person named
 *     around  larger document around the history: free, but the way to the history stays
 */
#include <errno.h>

#include "operations/redact/redact_inside.h"
#include "providers/words/words.h"
#include "value/hash.h"
#include "value/pointer.h"

enum zone {
    KNOWN,
    FREE,
    SCHEMA,
    NAMED,
    AROUND,
};

/* The kind of a value. */
struct nature {
    uint8_t zone;    /* enum zone */
    uint8_t strings; /* enum tk_redacted_as: what it is, or its elements are, if they are strings */
    bool root;       /* it is the body, or the list of messages */
    bool numbers;    /* numbers in it are the protocol's, so they stay */
};

/* A container that is being walked. */
struct open_value {
    uint32_t end; /* the node after it */
    struct nature is;
};

struct redacting {
    const struct tk_redaction *r;
    struct tk_val v;
    uint64_t key[2];
    uint8_t *bytes;            /* those of v, being overwritten */
    unsigned depth;            /* how strings are spelled (spelled.h) */
    uint32_t history;          /* node of the history in a larger document */
    struct open_value *levels; /* outermost first */
    uint32_t count, capacity;
    uint64_t work; /* bytes looked at since the last question whether to give up */
};

/* Bytes that are replaced between two questions whether to give up: some milliseconds. */
#define PATIENCE (256u << 10)

/* ---- what a member is ---- */

/* A whole request has its history in a member that other objects use for what the model chose. */
static bool is_free(const struct tk_known_word *word, const struct open_value *in)
{
    return (word->flags & TK_NAMES_FREE) && !in->is.root;
}

static struct nature known_member(const struct tk_known_word *word, const struct open_value *in)
{
    struct nature is = {KNOWN, TK_REDACTED_TEXT, false, false};

    if (!word || is_free(word, in))
        is.zone = FREE;
    else if (word->flags & TK_NAMES_SCHEMA)
        is.zone = SCHEMA;
    is.numbers = is.zone == KNOWN && ((word->flags & TK_NAMES_NUMBER) || in->is.numbers);
    if (word && (word->flags & TK_NAMES_MODEL))
        is.strings = TK_REDACTED_MODEL;
    else if (word && (word->flags & TK_NAMES_JSON) && !in->is.root)
        is.strings = TK_REDACTED_JSON;
    else if (word && (word->flags & TK_NAMES_WORD))
        is.strings = TK_REDACTED_WORD;
    return is;
}

static struct nature schema_member(const struct tk_known_word *word)
{
    struct nature is = {SCHEMA, TK_REDACTED_TEXT, false, false};

    if (!word || !(word->flags & TK_OF_SCHEMA) || (word->flags & TK_OF_SCHEMA_VALUE))
        is.zone = FREE;
    else if (word->flags & TK_OF_SCHEMA_NAMED)
        is.zone = NAMED;
    else if (word->flags & TK_NAMES_WORD)
        is.strings = TK_REDACTED_WORD;
    return is;
}

/* Returns true if the history is this value, or inside of it. */
static bool leads_to_history(const struct redacting *w, struct tk_val v)
{
    return w->history >= v.node && w->history < tk_node(v)->next;
}

static struct nature inside(const struct redacting *w, struct tk_val v)
{
    if (w->history == v.node)
        return (struct nature){KNOWN, TK_REDACTED_TEXT, true, false};
    return (struct nature){leads_to_history(w, v) ? AROUND : FREE, TK_REDACTED_TEXT, false, false};
}

/* Returns what a member is, and in *ret_stays whether its name stays. */
static struct nature member_of(const struct redacting *w, struct tk_val v,
                               const struct open_value *in, bool *ret_stays)
{
    struct tk_str name = tk_key(v, w->r->arena);
    const struct tk_known_word *word = tk_find_known_word(name);

    switch ((enum zone)in->is.zone) {
    case KNOWN:
        *ret_stays = word;
        return known_member(word, in);
    case SCHEMA:
        *ret_stays = word && (word->flags & TK_OF_SCHEMA);
        return schema_member(word);
    case NAMED:
        *ret_stays = false;
        return (struct nature){SCHEMA, TK_REDACTED_TEXT, false, false};
    case AROUND:
        *ret_stays = leads_to_history(w, v);
        return inside(w, v);
    case FREE:
        break;
    }
    *ret_stays = false;
    return (struct nature){FREE, TK_REDACTED_TEXT, false, false};
}

static struct nature element_of(const struct redacting *w, struct tk_val v,
                                const struct open_value *in)
{
    struct nature is = in->is;

    is.root = false;
    return in->is.zone == AROUND ? inside(w, v) : is;
}

/* ---- replacing ---- */

static struct tk_spelled spelled(const struct redacting *w, struct tk_str raw)
{
    uint8_t *at = w->bytes + ((const uint8_t *)raw.p - (const uint8_t *)tk_span(w->v).p);

    return (struct tk_spelled){at, at + raw.n, w->depth};
}

static void redact_name(struct redacting *w, struct tk_val v, const struct open_value *in)
{
    tk_redact_text(w->key, spelled(w, tk_raw_key(v)),
                   in->is.zone == KNOWN ? TK_REDACTED_WORD : TK_REDACTED_TEXT);
}

static void redact_scalar(struct redacting *w, struct tk_val v, struct nature is)
{
    const struct tk_node *n = tk_node(v);
    bool chosen = !is.numbers && (n->kind == TK_INT || n->kind == TK_REAL);

    w->work += n->len;
    if (n->kind == TK_STRING)
        tk_redact_text(w->key, spelled(w, tk_raw(v)), (enum tk_redacted_as)is.strings);
    else if (chosen && v.doc->codec == TK_JSON)
        tk_redact_number(w->key, spelled(w, tk_span(v)));
    else if (chosen)
        tk_redact_encoded_number(w->key, spelled(w, tk_span(v)).at, n->len);
}

/* ---- walking ---- */

static int open_container(struct redacting *w, struct tk_val v, struct nature is)
{
    if (!TK_GROW(w->r->arena, w->levels, w->count, w->capacity))
        return -ENOMEM;
    w->levels[w->count++] = (struct open_value){tk_node(v)->next, is};
    return 0;
}

static int visit(struct redacting *w, struct tk_val v)
{
    const struct open_value *in;
    struct nature is;
    bool stays = true;

    while (w->levels[w->count - 1].end <= v.node)
        w->count--;
    in = &w->levels[w->count - 1];
    if (tk_raw_key(v).p) {
        is = member_of(w, v, in, &stays);
        if (!stays)
            redact_name(w, v, in);
    } else {
        is = element_of(w, v, in);
    }
    if (tk_node(v)->kind == TK_ARRAY || tk_node(v)->kind == TK_OBJECT)
        return open_container(w, v, is);
    redact_scalar(w, v, is);
    return 0;
}

static bool gives_up(struct redacting *w)
{
    if (++w->work < PATIENCE)
        return false;
    w->work = 0;
    return w->r->cancelled && w->r->cancelled(w->r->cancel_arg);
}

static int walk(struct redacting *w)
{
    struct nature is = inside(w, w->v);
    uint32_t end = tk_node(w->v)->next;
    int r = open_container(w, w->v, is);

    if (w->v.node + 1 == end)
        redact_scalar(w, w->v, is);
    for (uint32_t node = w->v.node + 1; r == 0 && node < end; node++) {
        if (gives_up(w))
            return -ECANCELED;
        r = visit(w, (struct tk_val){w->v.doc, node});
    }
    return r == 0 && tk_arena_failed(w->r->arena) ? -ENOMEM : r;
}

/* The tables of strings have the process's key itself. */
static void derive_key(struct redacting *w)
{
    for (uint64_t i = 0; i < 2; i++)
        w->key[i] = tk_hash(w->r->key, &(uint64_t[]){i, 0x726564616374}, 2 * sizeof(i));
}

int tk_redact(const struct tk_redaction *r, struct tk_val v, struct tk_str *ret)
{
    struct tk_str old = tk_span(v);
    struct redacting w = {.r = r, .v = v, .depth = v.doc->codec == TK_JSON};
    struct tk_val history = r->at.n > 0 ? tk_pointer_get(v, r->at, r->arena) : v;
    int result;

    if (!tk_exists(history))
        return -ENOENT;
    w.history = history.node;
    w.bytes = tk_arena_alloc(r->arena, old.n);
    if (!w.bytes)
        return -ENOMEM;
    memcpy(w.bytes, old.p, old.n);
    derive_key(&w);
    result = walk(&w);
    *ret = (struct tk_str){(const char *)w.bytes, old.n};
    return result;
}
