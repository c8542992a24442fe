/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads JSON (RFC 8259) in one pass and without recursion. A reading function takes a pointer to the
 * first byte of what it reads and returns a pointer to the byte after it, or NULL if it refused.
 *
 *     read_document: tk_json_read_value, then, while a container is open, the plain children that
 *                    are next (json_plain.h), and one read_element or read_member of the innermost
 *
 * Numbers and strings are only checked, not converted: the tape says where they are.
 */
#include "value/json_plain.h"

#include "value/escape.h"
#include "value/scan.h"
#include "value/unicode.h"

static const struct tk_pending_key no_key = {0, 0, 0};

static const uint8_t *syntax(struct tk_reader *r, const uint8_t *at, const char *what)
{
    return tk_reader_refuse(r, TK_READ_PARSE_ERROR, at,
                            at == r->end ? "unexpected end of the document" : what);
}

static inline const uint8_t *skip_space(const struct tk_reader *r, const uint8_t *p)
{
    /* Most documents have none: one comparison tells. */
    while (p < r->end && *p <= ' ' && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    return p;
}

/* ---- strings ---- */

/* Returns the UTF-16 unit of the \u escape at p; -1 if there is none. */
static int utf16_unit(const struct tk_reader *r, const uint8_t *p)
{
    if (r->end - p < 6 || p[0] != '\\' || p[1] != 'u')
        return -1;
    return tk_hex4(p + 2);
}

/* Reads an escape at which tk_scan_string() stops: \u, or a broken one. */
static const uint8_t *read_escape(struct tk_reader *r, const uint8_t *p, unsigned *flags)
{
    int unit = utf16_unit(r, p);

    if (unit < 0)
        return syntax(r, r->end - p < 2 ? r->end : p, "invalid escape in string");
    *flags |= TK_NODE_ESCAPED;
    if ((unit & 0xF800) != 0xD800)
        return p + 6;
    if (unit < 0xDC00 && (utf16_unit(r, p + 6) & 0xFC00) == 0xDC00)
        return p + 12;
    *flags |= TK_NODE_SURROGATE;
    r->doc->has_surrogate = true;
    return p + 6;
}

const uint8_t *tk_json_pass_long_string(struct tk_reader *r, const uint8_t *quote,
                                        const uint8_t *plain, unsigned *flags)
{
    const uint8_t *start = quote + 1, *p = plain;
    bool ascii = true;

    for (;;) {
        struct tk_scan scan = tk_scan_string(p, (size_t)(r->end - p));

        p += scan.n;
        ascii &= scan.ascii;
        if (scan.escaped)
            *flags |= TK_NODE_ESCAPED;
        if (p == r->end)
            return syntax(r, p, "");
        if (*p == '"')
            break;
        if (*p != '\\')
            return syntax(r, p, "control character in string");
        p = read_escape(r, p, flags);
        if (!p)
            return NULL;
    }
    if (!ascii) {
        size_t valid = tk_utf8_valid(start, (size_t)(p - start));

        if (valid != (size_t)(p - start))
            return syntax(r, start + valid, "string isn't UTF-8");
    }
    return p + 1;
}

/* Reads a string, from its opening quote. */
static inline const uint8_t *read_string(struct tk_reader *r, const uint8_t *quote, unsigned *flags)
{
    const uint8_t *start = quote + 1;
    size_t n;

    return tk_scan_short_string(start, (size_t)(r->end - start), &n)
               ? start + n + 1
               : tk_json_pass_long_string(r, quote, start, flags);
}

/* ---- scalars ---- */

static inline const uint8_t *skip_digits(const struct tk_reader *r, const uint8_t *p)
{
    while (p < r->end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

static inline bool is_digit(const struct tk_reader *r, const uint8_t *p)
{
    return p < r->end && *p >= '0' && *p <= '9';
}

static const uint8_t *read_number(struct tk_reader *r, const uint8_t *start,
                                  struct tk_pending_key key)
{
    const uint8_t *p = start;
    enum tk_kind kind = TK_INT;

    if (*p == '-')
        p++;
    if (!is_digit(r, p))
        return syntax(r, p, "digit expected in number");
    p = *p == '0' ? p + 1 : skip_digits(r, p);
    if (is_digit(r, p))
        return syntax(r, p, "number with a leading zero");
    if (p < r->end && *p == '.') {
        kind = TK_REAL;
        if (!is_digit(r, p + 1))
            return syntax(r, p + 1, "digit expected after the decimal point");
        p = skip_digits(r, p + 1);
    }
    if (p < r->end && (*p | 0x20) == 'e') {
        kind = TK_REAL;
        p++;
        if (p < r->end && (*p == '+' || *p == '-'))
            p++;
        if (!is_digit(r, p))
            return syntax(r, p, "digit expected in exponent");
        p = skip_digits(r, p);
    }
    return tk_reader_scalar(r, start, (size_t)(p - start), kind, 0, key) ? p : NULL;
}

static const uint8_t *read_literal(struct tk_reader *r, const uint8_t *p, const char *word,
                                   enum tk_kind kind, struct tk_pending_key key)
{
    size_t n = strlen(word);

    for (size_t i = 0; i < n; i++)
        if (p + i == r->end || p[i] != (uint8_t)word[i])
            return syntax(r, p + i, "unknown literal");
    return tk_reader_scalar(r, p, n, kind, 0, key) ? p + n : NULL;
}

static const uint8_t *read_string_value(struct tk_reader *r, const uint8_t *p,
                                        struct tk_pending_key key)
{
    unsigned flags = 0;
    const uint8_t *end = read_string(r, p, &flags);

    if (!end || !tk_reader_scalar(r, p, (size_t)(end - p), TK_STRING, flags, key))
        return NULL;
    return end;
}

const uint8_t *tk_json_read_value(struct tk_reader *r, const uint8_t *p, struct tk_pending_key key)
{
    if (p == r->end)
        return syntax(r, p, "");
    switch (*p) {
    case '"':
        return read_string_value(r, p, key);
    case '{':
        return tk_reader_open(r, p, TK_OBJECT, key) ? p + 1 : NULL;
    case '[':
        return tk_reader_open(r, p, TK_ARRAY, key) ? p + 1 : NULL;
    case 't':
        return read_literal(r, p, "true", TK_TRUE, key);
    case 'f':
        return read_literal(r, p, "false", TK_FALSE, key);
    case 'n':
        return read_literal(r, p, "null", TK_NULL, key);
    case '-':
    case '0' ... '9':
        return read_number(r, p, key);
    default:
        return syntax(r, p, "value expected");
    }
}

/* ---- containers ---- */

static inline bool is_empty_so_far(const struct tk_reader *r)
{
    return r->open + 1 == r->doc->count;
}

/*
 * Reads what comes before a child of the innermost container: the comma, or the bracket that closes
 * the container (*ret_closed). Returns where the child begins.
 */
static inline const uint8_t *next_child(struct tk_reader *r, const uint8_t *p, uint8_t bracket,
                                        bool *ret_closed)
{
    p = skip_space(r, p);
    *ret_closed = p < r->end && *p == bracket;
    if (*ret_closed)
        return tk_reader_close(r, p + 1) ? p + 1 : NULL;
    if (is_empty_so_far(r))
        return p;
    if (p == r->end || *p != ',')
        return syntax(r, p, "comma or closing bracket expected");
    return skip_space(r, p + 1);
}

static const uint8_t *read_element(struct tk_reader *r, const uint8_t *p)
{
    bool closed;

    p = next_child(r, p, ']', &closed);
    return !p || closed ? p : tk_json_read_value(r, p, no_key);
}

static const uint8_t *read_key(struct tk_reader *r, const uint8_t *p, struct tk_pending_key *key)
{
    unsigned flags = 0;
    const uint8_t *end;
    size_t len;

    if (p == r->end || *p != '"')
        return syntax(r, p, "key expected");
    end = read_string(r, p, &flags);
    if (!end)
        return NULL;
    len = (size_t)(end - p) - 2;
    key->off = tk_reader_offset(r, p + 1);
    key->len = len < TK_KEY_LONG ? (uint16_t)len : TK_KEY_LONG;
    key->flags = (uint8_t)((flags & TK_NODE_ESCAPED ? TK_NODE_KEY_ESCAPED : 0) |
                           (flags & TK_NODE_SURROGATE));
    tk_reader_note_key(r, p + 1, len, (flags & TK_NODE_ESCAPED) != 0);
    return end;
}

static const uint8_t *read_member(struct tk_reader *r, const uint8_t *p)
{
    struct tk_pending_key key = no_key;
    bool closed;

    p = next_child(r, p, '}', &closed);
    if (!p || closed)
        return p;
    p = read_key(r, p, &key);
    if (!p)
        return NULL;
    p = skip_space(r, p);
    if (p == r->end || *p != ':')
        return syntax(r, p, "colon expected");
    return tk_json_read_value(r, skip_space(r, p + 1), key);
}

static void read_document(struct tk_reader *r, const struct tk_json_plain *plain)
{
    const uint8_t *p = tk_json_read_value(r, skip_space(r, r->base), no_key);

    while (p && r->open != TK_NO_NODE) {
        p = plain->read(r, p);
        if (!p || r->open == TK_NO_NODE)
            break;
        p = r->doc->nodes[r->open].kind == TK_ARRAY ? read_element(r, p) : read_member(r, p);
    }
    if (!p)
        return;
    p = skip_space(r, p);
    if (p != r->end)
        tk_reader_refuse(r, TK_READ_TRAILING_BYTES, p, "bytes after the document");
}

int tk_json_read_by(const struct tk_json_plain *plain, struct tk_doc *doc, const void *bytes,
                    size_t n, const struct tk_read_limits *limits, struct tk_arena *arena,
                    struct tk_read_error *ret_error)
{
    struct tk_reader r;

    tk_reader_begin(&r, doc, TK_JSON, bytes, n, limits, arena, ret_error);
    if (r.result == 0)
        read_document(&r, plain);
    return tk_reader_end(&r);
}

int tk_json_read(struct tk_doc *doc, const void *bytes, size_t n,
                 const struct tk_read_limits *limits, struct tk_arena *arena,
                 struct tk_read_error *ret_error)
{
    const struct tk_json_plain *const *plain = tk_json_plain_variants;

    while (!(*plain)->supported())
        plain++;
    return tk_json_read_by(*plain, doc, bytes, n, limits, arena, ret_error);
}
