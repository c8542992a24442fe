/* SPDX-License-Identifier: Apache-2.0 */
#include "value/reader.h"

#include "value/escape.h"
#include "value/hash.h"
#include "value/pointer.h"

#include <errno.h>

#define TAPE_MIN 256u

void tk_reader_begin(struct tk_reader *r, struct tk_doc *doc, enum tk_codec codec,
                     const void *bytes, size_t n, const struct tk_read_limits *limits,
                     struct tk_arena *arena, struct tk_read_error *ret_error)
{
    /* seen_around stays uninitialised; clearing it would dominate small documents. */
    r->doc = doc;
    r->base = bytes;
    r->end = (const uint8_t *)bytes + n;
    r->limits = limits;
    r->arena = arena;
    r->ret_error = ret_error;
    r->room = doc->capacity < limits->max_values ? doc->capacity : limits->max_values;
    r->open = TK_NO_NODE;
    r->depth = 0;
    r->result = 0;
    r->seen = 0;
    tk_arena_init(&r->scratch, doc->allocator);
    doc->base = bytes;
    doc->size = (uint32_t)n;
    doc->count = 0;
    doc->codec = (uint8_t)codec;
    doc->has_surrogate = false;
    doc->foreign = TK_NO_NODE;
    doc->watched_first = doc->watched.p ? TK_NO_NODE : 0;
    doc->watched_last = doc->watched.p ? 0 : TK_NO_NODE;
    if (n == 0)
        tk_reader_refuse(r, TK_READ_PARSE_ERROR, r->base, "empty document");
    else if (n > UINT32_MAX)
        tk_reader_refuse(r, TK_READ_PARSE_ERROR, r->base, "document larger than 4 GiB");
}

void tk_reader_note_watched(struct tk_reader *r, const uint8_t *key, size_t n, bool escaped)
{
    struct tk_doc *doc = r->doc;

    if (!doc->watched.p ||
        (!escaped && !tk_str_eq((struct tk_str){(const char *)key, n}, doc->watched)))
        return;
    if (doc->watched_first == TK_NO_NODE)
        doc->watched_first = doc->count;
    doc->watched_last = doc->count;
}

int tk_reader_end(struct tk_reader *r)
{
    tk_arena_done(&r->scratch);
    if (r->result != 0)
        r->doc->count = 0;
    return r->result;
}

/* ---- refusals ---- */

/* Returns the index of a child in its container. All siblings before it are closed. */
static uint32_t index_of(const struct tk_doc *doc, uint32_t container, uint32_t child)
{
    uint32_t index = 0;

    for (uint32_t i = container + 1; i != child; i = doc->nodes[i].next)
        index++;
    return index;
}

/* Writes the pointer to the innermost open container. */
static void put_open_pointer(struct tk_reader *r, struct tk_out *out)
{
    uint32_t *path = tk_arena_alloc(r->arena, r->depth * sizeof(*path));
    uint32_t depth = r->depth;

    if (!path)
        return;
    for (uint32_t i = r->open; i != TK_NO_NODE; i = r->doc->nodes[i].next)
        path[--depth] = i;
    for (depth = 1; depth < r->depth; depth++) {
        struct tk_val child = {r->doc, path[depth]};

        if (tk_node(child)->key != 0)
            tk_pointer_put(out, tk_key(child, r->arena));
        else
            tk_pointer_put_index(out, index_of(r->doc, path[depth - 1], path[depth]));
    }
}

static void refuse(struct tk_reader *r, enum tk_read_result condition, const uint8_t *at,
                   const char *what, struct tk_val member)
{
    struct tk_out out;
    struct tk_str pointer;

    if (r->result != 0)
        return;
    tk_out_init(&out, r->arena);
    put_open_pointer(r, &out);
    if (tk_exists(member))
        tk_pointer_put(&out, tk_key(member, r->arena));
    pointer = tk_out_join(&out);
    if (tk_arena_failed(r->arena)) {
        r->result = -ENOMEM;
        return;
    }
    r->result = (int)condition;
    *r->ret_error = (struct tk_read_error){(size_t)(at - r->base), what, pointer};
}

const uint8_t *tk_reader_refuse(struct tk_reader *r, enum tk_read_result condition,
                                const uint8_t *at, const char *what)
{
    refuse(r, condition, at, what, TK_NO_VAL);
    return NULL;
}

/* ---- the tape ---- */

/*
 * Returns twice the capacity, or less if the document, as dense as it was up to here, needs fewer
 * nodes: the tape is most of a request's memory apart from its bytes.
 */
static uint32_t next_capacity(const struct tk_reader *r, const uint8_t *at)
{
    const struct tk_doc *doc = r->doc;
    uint64_t read = (uint64_t)(at - r->base) + 1, all = (uint64_t)(r->end - r->base);
    uint64_t most = 2 * (uint64_t)doc->capacity, least = doc->capacity + doc->capacity / 8;
    uint64_t guess = doc->count * all / read;

    guess += guess / 32 + TAPE_MIN / 4;
    if (doc->capacity < TAPE_MIN)
        return TAPE_MIN;
    most = guess < most ? guess : most;
    most = most < least ? least : most;
    return most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
}

bool tk_reader_grow(struct tk_reader *r, const uint8_t *at)
{
    struct tk_doc *doc = r->doc;
    uint32_t capacity;
    struct tk_node *nodes;

    if (doc->count >= r->limits->max_values) {
        tk_reader_refuse(r, TK_READ_TOO_MANY_VALUES, at, "too many values");
        return false;
    }
    capacity = next_capacity(r, at);
    nodes = doc->allocator.resize(doc->allocator.opaque, doc->nodes, doc->capacity * sizeof(*nodes),
                                  capacity * sizeof(*nodes));
    if (!nodes) {
        r->result = -ENOMEM;
        return false;
    }
    doc->nodes = nodes;
    doc->capacity = capacity;
    r->room = capacity < r->limits->max_values ? capacity : r->limits->max_values;
    return true;
}

/* ---- duplicate keys ---- */

/*
 * In objects of up to PAIRWISE_MAX members each key is compared with those before it; in larger ones
 * a table of keyed hashes finds duplicates, so that an attacker's 10^5 keys cost no more each than
 * ten do.
 */
#define PAIRWISE_MAX 8u
#define TABLE_SMALL  128u

struct key_slot {
    uint32_t member; /* node of the member; 0: a free slot (the root is no member) */
    uint32_t hash;
};

static struct tk_raw key_of(const struct tk_doc *doc, uint32_t member)
{
    return (struct tk_raw){tk_raw_key((struct tk_val){doc, member}),
                           (doc->nodes[member].flags & TK_NODE_KEY_ESCAPED) != 0};
}

static bool same_key(const struct tk_doc *doc, uint32_t a, uint32_t b)
{
    const struct tk_node *x = &doc->nodes[a], *y = &doc->nodes[b];

    if (((x->flags | y->flags) & TK_NODE_KEY_ESCAPED) == 0 && x->key_len != y->key_len)
        return false;
    return tk_raw_eq(key_of(doc, a), key_of(doc, b));
}

static bool refuse_key(struct tk_reader *r, uint32_t member, uint32_t previous)
{
    const struct tk_doc *doc = r->doc;
    uint32_t at;

    /* msgpack: a key's header follows the member before it; JSON: the quote is one byte. */
    if (doc->codec == TK_MSGPACK)
        at = doc->nodes[previous].off + doc->nodes[previous].len;
    else
        at = doc->nodes[member].key - 1;
    refuse(r, TK_READ_DUPLICATE_KEY, r->base + at, "duplicate key", (struct tk_val){doc, member});
    return false;
}

/* Returns a number from a key's size and first byte. Unescaped keys with different marks differ. */
static uint32_t mark_of(const struct tk_doc *doc, const struct tk_node *member)
{
    return member->key_len == 0 ? 0 : (uint32_t)member->key_len << 8 | doc->base[member->key];
}

static bool check_pairwise(struct tk_reader *r, uint32_t n)
{
    uint32_t members[PAIRWISE_MAX], marks[PAIRWISE_MAX], escaped = 0;

    for (uint32_t i = 0, at = r->open + 1; i < n; at = r->doc->nodes[at].next, i++) {
        const struct tk_node *member = &r->doc->nodes[at];

        members[i] = at;
        marks[i] = mark_of(r->doc, member);
        escaped |= member->flags & TK_NODE_KEY_ESCAPED;
        for (uint32_t k = 0; k < i; k++)
            if ((marks[i] == marks[k] || escaped) && same_key(r->doc, at, members[k]))
                return refuse_key(r, at, members[i - 1]);
    }
    return true;
}

/* Hashes a key's text; false without memory to unescape it. */
static bool hash_key(struct tk_reader *r, uint32_t member, uint32_t *ret_hash)
{
    struct tk_str text = tk_key((struct tk_val){r->doc, member}, &r->scratch);

    if (tk_arena_failed(&r->scratch)) {
        r->result = -ENOMEM;
        return false;
    }
    *ret_hash = (uint32_t)tk_hash(r->limits->hash_key, text.p, text.n);
    return true;
}

static bool check_with_table(struct tk_reader *r, struct key_slot *slots, uint32_t capacity)
{
    const struct tk_doc *doc = r->doc;
    uint32_t previous = 0;

    for (uint32_t member = r->open + 1; member < doc->count;
         previous = member, member = doc->nodes[member].next) {
        uint32_t hash, i;

        if (!hash_key(r, member, &hash))
            return false;
        for (i = hash & (capacity - 1); slots[i].member != 0; i = (i + 1) & (capacity - 1))
            if (slots[i].hash == hash && same_key(doc, member, slots[i].member))
                return refuse_key(r, member, previous);
        slots[i] = (struct key_slot){member, hash};
    }
    return true;
}

static bool check_many(struct tk_reader *r, uint32_t members)
{
    struct key_slot small[TABLE_SMALL] = {{0, 0}};
    struct key_slot *slots;
    size_t capacity = TABLE_SMALL;
    bool ok;

    if (members <= TABLE_SMALL / 2)
        return check_with_table(r, small, TABLE_SMALL);
    while (capacity < 2 * (size_t)members)
        capacity *= 2;
    slots = tk_arena_zalloc(&r->scratch, capacity, sizeof(*slots));
    if (!slots) {
        r->result = -ENOMEM;
        return false;
    }
    ok = check_with_table(r, slots, (uint32_t)capacity);
    tk_arena_done(&r->scratch);
    return ok;
}

bool tk_reader_check_keys(struct tk_reader *r)
{
    uint32_t n = 0;

    if (r->doc->repeats_keys)
        return true;
    for (uint32_t i = r->open + 1; i < r->doc->count; i = r->doc->nodes[i].next)
        n++;
    return n <= PAIRWISE_MAX ? check_pairwise(r, n) : check_many(r, n);
}
