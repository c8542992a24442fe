/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/core/envelope.h"

#include "methods/core/member.h"

/* The members of an envelope, as indexes of the table below. */
enum {
    JSONRPC,
    ID,
    METHOD,
    PARAMS,
    MEMBERS,
};

static bool is_version(struct tk_val v)
{
    return tk_is(v, TK_STRING) && tk_text_is(v, TK_STR("2.0"));
}

/* Returns true for a valid id. NaN and infinities aren't: an answer in JSON couldn't echo them. */
static bool is_id(struct tk_val v)
{
    uint8_t kind = tk_node(v)->kind;

    return (kind == TK_STRING || kind == TK_INT || kind == TK_REAL || kind == TK_NULL) &&
           !(tk_node(v)->flags & TK_NODE_FOREIGN);
}

static bool is_method(struct tk_val v)
{
    return tk_is(v, TK_STRING);
}

static bool is_anything(struct tk_val v)
{
    (void)v;
    return true;
}

static const struct {
    struct tk_str name;
    struct tk_str pointer;
    bool (*is_good)(struct tk_val v);
    struct tk_str must;
} members[MEMBERS] = {
#define ROW(lit, check, text)                                                                      \
    {                                                                                              \
        {lit, sizeof(lit) - 1}, {"/" lit, sizeof(lit)}, check,                                     \
        {                                                                                          \
            text, sizeof(text) - 1                                                                 \
        }                                                                                          \
    }
    [JSONRPC] = ROW("jsonrpc", is_version, "jsonrpc must be \"2.0\", or left out"),
    [ID] = ROW("id", is_id, "id must be a string, a number or null"),
    [METHOD] = ROW("method", is_method, "method must be a string"),
    [PARAMS] = ROW("params", is_anything, ""),
#undef ROW
};

static int fault(struct tk_str pointer, struct tk_str message, struct tk_envelope_fault *ret_fault)
{
    *ret_fault = (struct tk_envelope_fault){pointer, message};
    return TK_ENVELOPE_FAULT;
}

static size_t member_of(struct tk_val v)
{
    struct tk_str key = tk_raw_key(v);
    size_t i = 0;

    while (i < MEMBERS && !tk_member_is(v, key, members[i].name))
        i++;
    return i;
}

int tk_envelope_read(const struct tk_doc *doc, struct tk_envelope *ret_envelope,
                     struct tk_envelope_fault *ret_fault)
{
    static const struct tk_str document = {NULL, 0};
    struct tk_val root = tk_root(doc), found[MEMBERS];

    if (tk_is(root, TK_ARRAY))
        return fault(document, TK_STR("batches are refused; send requests one after the other"),
                     ret_fault);
    if (!tk_is(root, TK_OBJECT))
        return fault(document, TK_STR("a request is an object"), ret_fault);
    for (size_t i = 0; i < MEMBERS; i++)
        found[i] = TK_NO_VAL;
    for (struct tk_val v = tk_first(root); tk_exists(v); v = tk_after(root, v)) {
        size_t i = member_of(v);

        if (i < MEMBERS)
            found[i] = v;
    }
    for (size_t i = 0; i < MEMBERS; i++) {
        if (tk_exists(found[i]) && !members[i].is_good(found[i]))
            return fault(members[i].pointer, members[i].must, ret_fault);
    }
    if (!tk_exists(found[METHOD]))
        return fault(members[METHOD].pointer, members[METHOD].must, ret_fault);
    *ret_envelope = (struct tk_envelope){found[ID], found[METHOD], found[PARAMS]};
    return 0;
}
