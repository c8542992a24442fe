/* SPDX-License-Identifier: Apache-2.0 */
#include "value/doc.h"

#include "value/escape.h"
#include "value/msgpack_format.h"
#include "value/number.h"
#include "value/unicode.h"

void tk_doc_init(struct tk_doc *doc, tk_allocator allocator)
{
    *doc = (struct tk_doc){
        .foreign = TK_NO_NODE,
        .allocator = allocator.resize ? allocator : tk_libc_allocator,
    };
}

void tk_doc_done(struct tk_doc *doc)
{
    if (doc->nodes)
        doc->allocator.resize(doc->allocator.opaque, doc->nodes,
                              doc->capacity * sizeof(*doc->nodes), 0);
    *doc = (struct tk_doc){.foreign = TK_NO_NODE, .allocator = doc->allocator};
}

bool tk_codec_of(const void *bytes, size_t n, enum tk_codec *ret_codec)
{
    const uint8_t *p = bytes;
    size_t i = 0;

    while (i < n && (p[i] == ' ' || p[i] == '\t' || p[i] == '\n' || p[i] == '\r'))
        i++;
    if (i < n && (p[i] == '{' || p[i] == '[')) {
        *ret_codec = TK_JSON;
        return true;
    }
    if (n > 0 && ((p[0] >= 0x80 && p[0] <= 0x9f) || (p[0] >= 0xdc && p[0] <= 0xdf))) {
        *ret_codec = TK_MSGPACK;
        return true;
    }
    return false;
}

int tk_doc_read(struct tk_doc *doc, const void *bytes, size_t n,
                const struct tk_read_limits *limits, struct tk_arena *arena,
                struct tk_read_error *ret_error)
{
    enum tk_codec codec;

    if (!tk_codec_of(bytes, n, &codec)) {
        doc->count = 0;
        *ret_error = (struct tk_read_error){
            .what = n == 0 ? "empty document" : "neither JSON nor msgpack", .pointer = TK_STR("")};
        return n == 0 ? TK_READ_PARSE_ERROR : TK_READ_CODEC_UNKNOWN;
    }
    return (codec == TK_JSON ? tk_json_read : tk_msgpack_read)(doc, bytes, n, limits, arena,
                                                               ret_error);
}

uint32_t tk_count(struct tk_val v)
{
    uint32_t n = 0;

    for (struct tk_val e = tk_first(v); tk_exists(e); e = tk_after(v, e))
        n++;
    return n;
}

/* Returns the content of a string, bin or ext. */
static inline struct tk_str inside(struct tk_val v)
{
    struct tk_str span = tk_span(v);
    size_t header = 1; /* the quote, or the first byte */

    if (v.doc->codec == TK_JSON)
        return (struct tk_str){span.p + header, span.n - 2 * header};
    header += tk_msgpack_formats[(uint8_t)span.p[0]].width;
    return (struct tk_str){span.p + header, span.n - header};
}

struct tk_str tk_raw(struct tk_val string)
{
    if (!tk_is(string, TK_STRING) && !tk_is(string, TK_BIN) && !tk_is(string, TK_EXT))
        return (struct tk_str){NULL, 0};
    return inside(string);
}

/* Returns the length of a key that doesn't fit key_len: the key ends before its value, or in JSON
 * before the last quote that precedes the value. */
static size_t long_key_length(struct tk_val member)
{
    const struct tk_node *node = tk_node(member);
    const uint8_t *base = member.doc->base;
    size_t end = node->off;

    if (member.doc->codec == TK_JSON) {
        /* Only a colon and white space are between the key's closing quote and the value. */
        while (base[end - 1] != '"')
            end--;
        end--;
    }
    return end - node->key;
}

struct tk_str tk_raw_key(struct tk_val member)
{
    const struct tk_node *node;
    size_t n;

    if (!tk_exists(member) || tk_node(member)->key == 0)
        return (struct tk_str){NULL, 0};
    node = tk_node(member);
    n = node->key_len < TK_KEY_LONG ? node->key_len : long_key_length(member);
    return (struct tk_str){(const char *)member.doc->base + node->key, n};
}

static struct tk_str text_of(struct tk_raw raw, struct tk_arena *arena)
{
    char *text;

    if (!raw.escaped)
        return raw.bytes;
    text = tk_arena_alloc(arena, raw.bytes.n);
    if (!text)
        return (struct tk_str){NULL, 0};
    return (struct tk_str){text, tk_unescape(raw.bytes, text)};
}

static struct tk_raw raw_string(struct tk_val string)
{
    return (struct tk_raw){inside(string), (tk_node(string)->flags & TK_NODE_ESCAPED) != 0};
}

static struct tk_raw raw_key(struct tk_val member)
{
    return (struct tk_raw){tk_raw_key(member), (tk_node(member)->flags & TK_NODE_KEY_ESCAPED) != 0};
}

static struct tk_raw raw_plain(struct tk_str text)
{
    return (struct tk_raw){text, false};
}

struct tk_str tk_text(struct tk_val string, struct tk_arena *arena)
{
    if (!tk_is(string, TK_STRING))
        return (struct tk_str){NULL, 0};
    if (!(tk_node(string)->flags & TK_NODE_ESCAPED))
        return inside(string);
    return text_of(raw_string(string), arena);
}

struct tk_str tk_key(struct tk_val member, struct tk_arena *arena)
{
    if (!tk_exists(member))
        return (struct tk_str){NULL, 0};
    return text_of(raw_key(member), arena);
}

bool tk_text_is_blank(struct tk_val string)
{
    struct tk_str raw = tk_raw(string);
    const char *p = raw.p, *end = raw.p + raw.n;

    if (!tk_is(string, TK_STRING))
        return false;
    if (!(tk_node(string)->flags & TK_NODE_ESCAPED))
        return tk_is_blank(raw);
    while (p < end) {
        const char *backslash = memchr(p, '\\', (size_t)(end - p));
        char decoded[4];

        if (!tk_is_blank((struct tk_str){p, (size_t)((backslash ? backslash : end) - p)}))
            return false;
        if (!backslash)
            return true;
        p = backslash;
        if (!tk_is_blank((struct tk_str){decoded, tk_unescape_one(&p, end, decoded)}))
            return false;
    }
    return true;
}

struct tk_str tk_lone_surrogate(struct tk_str raw)
{
    const char *p = raw.p, *end = raw.p + raw.n;

    while (p < end && (p = memchr(p, '\\', (size_t)(end - p))) != NULL) {
        const char *escape = p;
        char decoded[4];
        size_t n = tk_unescape_one(&p, end, decoded);

        /* Three bytes that begin like this are a surrogate. */
        if (n == 3 && (uint8_t)decoded[0] == 0xED && (uint8_t)decoded[1] >= 0xA0)
            return (struct tk_str){escape, 6};
    }
    return (struct tk_str){NULL, 0};
}

bool tk_text_is(struct tk_val string, struct tk_str want)
{
    if (!tk_is(string, TK_STRING))
        return false;
    if (!(tk_node(string)->flags & TK_NODE_ESCAPED))
        return tk_str_eq(inside(string), want);
    return tk_raw_eq(raw_string(string), raw_plain(want));
}

bool tk_key_is(struct tk_val member, struct tk_str want)
{
    return tk_exists(member) && tk_node(member)->key != 0 &&
           tk_raw_eq(raw_key(member), raw_plain(want));
}

static bool is_container(const struct tk_node *n)
{
    return n->kind == TK_ARRAY || n->kind == TK_OBJECT;
}

/* Returns true if both are the same integer of msgpack, which may take more bytes than it needs. */
static bool same_msgpack_int(struct tk_val a, struct tk_val b)
{
    int64_t x, y;

    return a.doc->codec == TK_MSGPACK && b.doc->codec == TK_MSGPACK && tk_int64(a, &x) &&
           tk_int64(b, &y) && x == y;
}

/* Compares two nodes without what is inside them. outermost: their keys don't count. */
static bool same_node(struct tk_val a, struct tk_val b, bool outermost, bool spelled)
{
    const struct tk_node *x = tk_node(a), *y = tk_node(b);

    if (x->kind != y->kind || x->next - a.node != y->next - b.node)
        return false;
    if (!outermost && (x->key == 0) != (y->key == 0))
        return false;
    if (!outermost && x->key != 0 &&
        !(spelled ? tk_str_eq(tk_raw_key(a), tk_raw_key(b)) : tk_raw_eq(raw_key(a), raw_key(b))))
        return false;
    if (is_container(x))
        return true;
    if (x->kind == TK_STRING)
        return spelled ? tk_str_eq(tk_raw(a), tk_raw(b)) : tk_raw_eq(raw_string(a), raw_string(b));
    return tk_str_eq(tk_span(a), tk_span(b)) || same_msgpack_int(a, b);
}

static bool same(struct tk_val a, struct tk_val b, bool spelled)
{
    uint32_t n = tk_node(a)->next - a.node;

    for (uint32_t i = 0; i < n; i++)
        if (!same_node((struct tk_val){a.doc, a.node + i}, (struct tk_val){b.doc, b.node + i},
                       i == 0, spelled))
            return false;
    return true;
}

bool tk_is_same_value(struct tk_val a, struct tk_val b)
{
    return same(a, b, false);
}

bool tk_same_spelling(struct tk_val a, struct tk_val b)
{
    if (!tk_exists(a) || !tk_exists(b))
        return tk_exists(a) == tk_exists(b);
    return same(a, b, true);
}

void tk_fetch_keys(struct tk_val object)
{
    const struct tk_doc *doc = object.doc;
    uint32_t end = tk_node(object)->next;

    for (uint32_t i = object.node + 1; i < end; i = doc->nodes[i].next)
        __builtin_prefetch(doc->base + doc->nodes[i].key);
    if (end + 1 < doc->count)
        __builtin_prefetch(doc->base + doc->nodes[end + 1].key);
}

struct tk_val tk_get(struct tk_val v, struct tk_str key)
{
    const struct tk_node *nodes;
    uint32_t end;

    if (!tk_is(v, TK_OBJECT))
        return TK_NO_VAL;
    nodes = v.doc->nodes;
    end = nodes[v.node].next;
    for (uint32_t i = v.node + 1; i < end; i = nodes[i].next)
        if (tk_has_key(v.doc, i, key))
            return (struct tk_val){v.doc, i};
    return TK_NO_VAL;
}

void tk_pick(struct tk_val v, const struct tk_str *names, size_t n, struct tk_val *ret)
{
    uint64_t missing = ((uint64_t)1 << n) - 1;

    for (size_t i = 0; i < n; i++)
        ret[i] = TK_NO_VAL;
    if (!tk_is(v, TK_OBJECT))
        return;
    tk_fetch_keys(v);
    for (struct tk_val m = tk_first(v); tk_exists(m) && missing != 0; m = tk_after(v, m))
        for (uint64_t left = missing; left != 0; left &= left - 1) {
            int i = __builtin_ctzll(left);

            if (tk_has_key(m.doc, m.node, names[i])) {
                ret[i] = m;
                missing &= ~((uint64_t)1 << i);
                break;
            }
        }
}

bool tk_int64(struct tk_val v, int64_t *ret)
{
    if (!tk_is(v, TK_INT))
        return false;
    if (v.doc->codec == TK_JSON)
        return tk_int64_of(tk_span(v), ret);
    return tk_msgpack_int64((const uint8_t *)tk_span(v).p, ret);
}
