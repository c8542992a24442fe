/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the parameters of seal. Whatever they are: there is an answer. The canonical form of
 * what is sealed can be read again, and what is read has that form and that seal, in both codecs:
 * no two values share one. And the turn, sent back with its seal, is intact.
 */
#include "operation.h"

#include "value/canonical.h"
#include "value/number.h"
#include "value/writer.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- text that grows ---- */

struct text {
    char *p;
    size_t n, room;
};

static void append(void *arg, const void *bytes, size_t n)
{
    struct text *t = arg;

    if (t->room - t->n < n + 1) {
        t->room = 2 * t->room + n + 64;
        t->p = realloc(t->p, t->room);
        MUST(t->p);
    }
    if (n > 0)
        memcpy(t->p + t->n, bytes, n);
    t->n += n;
    t->p[t->n] = '\0';
}

static void put(struct text *t, const char *z)
{
    append(t, z, strlen(z));
}

/* ---- canonical form to JSON ---- */

/* One character of a string; half a pair only has an escape. Returns its length. */
static size_t put_char(struct text *json, const uint8_t *p, size_t left)
{
    char escape[8];

    if (p[0] == 0xed && left > 2 && p[1] >= 0xa0) {
        snprintf(escape, sizeof(escape), "\\u%04x",
                 0xd000u | (unsigned)(p[1] & 0x3f) << 6 | (unsigned)(p[2] & 0x3f));
        put(json, escape);
        return 3;
    }
    if (p[0] < 0x20 || p[0] == '"' || p[0] == '\\') {
        snprintf(escape, sizeof(escape), "\\u%04x", p[0]);
        put(json, escape);
    } else {
        append(json, p, 1);
    }
    return 1;
}

static const char *put_string(struct text *json, const char *at, const char *end)
{
    char *colon;
    size_t n = strtoul(at, &colon, 10);

    MUST(*colon == ':' && n <= (size_t)(end - colon - 1));
    put(json, "\"");
    for (size_t i = 0; i < n;)
        i += put_char(json, (const uint8_t *)colon + 1 + i, n - i);
    put(json, "\"");
    return colon + 1 + n;
}

static const char *put_real(struct text *json, const char *at)
{
    char *semicolon, text[40];
    uint64_t bits = strtoull(at, &semicolon, 16);
    double d;

    MUST(*semicolon == ';' && semicolon - at == 16);
    memcpy(&d, &bits, sizeof(d));
    snprintf(text, sizeof(text), "%.17e", d);
    put(json, text);
    return semicolon + 1;
}

/* Containers that are open: where a comma or colon is due. */
struct nest {
    char kind[512];
    uint32_t count[512];
    size_t depth;
};

static void put_separator(struct text *json, struct nest *nest)
{
    size_t d = nest->depth;

    if (d > 0 && nest->count[d - 1]++ > 0)
        put(json, nest->kind[d - 1] == '{' && nest->count[d - 1] % 2 == 0 ? ":" : ",");
}

static const char *put_container(struct text *json, struct nest *nest, const char *at)
{
    append(json, at, 1);
    if (*at == ']' || *at == '}') {
        MUST(nest->depth > 0);
        nest->depth--;
        return at + 1;
    }
    MUST(nest->depth < sizeof(nest->kind));
    nest->kind[nest->depth] = *at;
    nest->count[nest->depth++] = 0;
    return at + 1;
}

static const char *put_token(struct text *json, struct nest *nest, const char *at, const char *end)
{
    const char *stop;

    if (*at != ']' && *at != '}')
        put_separator(json, nest);
    switch (*at) {
    case 'n':
    case 't':
    case 'f':
        put(json, *at == 'n' ? "null" : *at == 't' ? "true" : "false");
        return at + 1;
    case 'i':
        stop = memchr(at, ';', (size_t)(end - at));
        MUST(stop);
        append(json, at + 1, (size_t)(stop - at - 1));
        return stop + 1;
    case 'd':
        return put_real(json, at + 1);
    case 's':
        return put_string(json, at + 1, end);
    default:
        MUST(strchr("[]{}", *at));
        return put_container(json, nest, at);
    }
}

/* The value that has this canonical form, as JSON. To be freed. */
static struct text spelled(const struct text *canonical)
{
    const char *at = canonical->p, *end = canonical->p + canonical->n;
    struct text json = {NULL, 0, 0};
    struct nest nest = {.depth = 0};

    while (at < end)
        at = put_token(&json, &nest, at, end);
    MUST(nest.depth == 0);
    return json;
}

/* ---- what holds ---- */

static struct text canonical_of(struct tk_val v, struct tk_arena *arena)
{
    struct text t = {NULL, 0, 0};
    struct tk_canon canon = {append, &t, arena};

    tk_canon_value(&canon, v);
    return t;
}

/* The content that was sealed. */
static struct tk_val content_of(const struct operation *op)
{
    struct tk_val content = operation_param(op, "content");

    return tk_exists(content) ? content : tk_get(operation_param(op, "message"), TK_STR("content"));
}

static bool same_value(struct tk_val a, struct tk_val b, struct tk_arena *arena)
{
    struct text x = canonical_of(a, arena), y = canonical_of(b, arena);
    bool same = x.n == y.n && memcmp(x.p, y.p, x.n) == 0;

    free(x.p);
    free(y.p);
    return same;
}

/* Seals {"content": ...} and holds it against the seal of the first call. */
static void check_same_seal(struct operation *op, struct tk_str params)
{
    static const char *const members[] = {"v", "alg", "turn", "blocks"};
    struct tk_val want = operation_result(op, "seal"), got;
    struct operation again;

    operation_call(&again, "seal", params.p, params.n);
    got = operation_result(&again, "seal");
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        MUST(same_value(tk_get(want, tk_str_of(members[i])), tk_get(got, tk_str_of(members[i])),
                        &op->arena));
    operation_done(&again);
}

/* An integer beyond 64 bits is a double in msgpack, which is another value; half a pair has no
 * UTF-8. */
static bool fits_msgpack(const struct tk_doc *doc, const struct text *json)
{
    for (uint32_t i = 0; i < doc->count; i++) {
        struct tk_val v = {doc, i};
        struct tk_str span = tk_span(v);
        int64_t n;
        uint64_t u;

        if (tk_is(v, TK_INT) && !tk_int64_of(span, &n) && !tk_uint64_of(span, &u))
            return false;
    }
    return !strstr(json->p, "\\ud");
}

static void check_codecs(struct operation *op, const struct text *json,
                         const struct text *canonical)
{
    struct tk_str params = tk_arena_concat(
        &op->arena, (struct tk_str[]){TK_STR("{\"content\":"), {json->p, json->n}, TK_STR("}")}, 3);
    struct tk_read_limits limits = {512, UINT32_MAX, {7, 8}};
    struct tk_read_error error;
    struct tk_writer w;
    struct tk_out out;
    struct tk_doc doc;
    struct text back;

    check_same_seal(op, params);
    tk_doc_init(&doc, tk_libc_allocator);
    MUST(tk_doc_read(&doc, params.p, params.n, &limits, &op->arena, &error) == 0);
    back = canonical_of(tk_get(tk_root(&doc), TK_STR("content")), &op->arena);
    MUST(back.n == canonical->n && memcmp(back.p, canonical->p, back.n) == 0);
    tk_out_init(&out, &op->arena);
    tk_writer_init(&w, TK_MSGPACK, &out);
    tk_write_any(&w, tk_root(&doc));
    if (fits_msgpack(&doc, json))
        check_same_seal(op, tk_out_join(&out));
    free(back.p);
    tk_doc_done(&doc);
}

/* The turn and its seal, in the codec they came in. */
static struct tk_str sent_back(struct operation *op, struct tk_val content)
{
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, &op->arena);
    tk_writer_init(&w, (enum tk_codec)op->answer.codec, &out);
    tk_write_map(&w);
    tk_write_key(&w, "messages");
    tk_write_list(&w);
    tk_write_map(&w);
    tk_write_kv_cstr(&w, "role", "assistant");
    tk_write_key(&w, "content");
    tk_write_val(&w, content);
    tk_write_end(&w);
    tk_write_end(&w);
    tk_write_kv_bool(&w, "guard", false);
    tk_write_kv_cstr(&w, "return", "report");
    tk_write_key(&w, "seals");
    tk_write_list(&w);
    tk_write_map(&w);
    tk_write_kv_int(&w, "message_index", 0);
    tk_write_key(&w, "seal");
    tk_write_val(&w, operation_result(op, "seal"));
    tk_write_end(&w);
    tk_write_end(&w);
    tk_write_end(&w);
    return tk_out_join(&out);
}

static void check_intact(struct operation *op, struct tk_val content)
{
    struct tk_str params = sent_back(op, content);
    struct operation back;
    struct tk_val verdicts;

    operation_call(&back, "repair", params.p, params.n);
    verdicts = operation_result(&back, "verdicts");
    if (tk_count(tk_get(operation_result(op, "seal"), TK_STR("blocks"))) > 0) {
        MUST(tk_exists(verdicts));
        MUST(tk_text_is(tk_get(tk_first(verdicts), TK_STR("verdict")), TK_STR("intact")));
        MUST(tk_is(tk_get(tk_first(verdicts), TK_STR("dead")), TK_FALSE));
    }
    operation_done(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct operation op;
    struct text canonical, json;

    operation_call(&op, "seal", data, size);
    if (tk_exists(operation_result(&op, "seal"))) {
        canonical = canonical_of(content_of(&op), &op.arena);
        json = spelled(&canonical);
        check_codecs(&op, &json, &canonical);
        check_intact(&op, content_of(&op));
        free(canonical.p);
        free(json.p);
    }
    operation_done(&op);
    return 0;
}
