/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shape `openai-responses`: the `input` of OpenAI's Responses API, a flat list of items. Reasoning,
 * calls and their outputs are items of their own; a message is an item with content parts.
 *
 *     {"input": [
 *         {"role": "user", "content": "weather?"},
 *         {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
 *         {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}"},
 *         {"type": "function_call_output", "call_id": "call_1", "output": "rain"},
 *         {"type": "message", "role": "assistant", "id": "msg_1",
 *          "content": [{"type": "output_text", "text": "Rain."}]}]}
 *
 * An item that is no message is read as a message without a list of parts, which is itself its only
 * part (TK_MESSAGE_WHOLE). Its row in the table of items is in `item` of the message, and in `block`
 * of the part. Calls and outputs have the id by which they pair in the part's `id`, all items have
 * their own id in `own_id`.
 */
#include "shapes/format.h"
#include "shapes/members.h"
#include "shapes/openai_items.h"
#include "shapes/shape.h"

/* ---- messages ---- */

static const struct tk_role_name roles[] = {
    {TK_STR_INIT("user"), TK_ROLE_USER, 0},
    {TK_STR_INIT("assistant"), TK_ROLE_ASSISTANT, 0},
    {TK_STR_INIT("system"), TK_ROLE_SYSTEM, 0},
    {TK_STR_INIT("developer"), TK_ROLE_SYSTEM, TK_MESSAGE_VARIANT},
    {{NULL, 0}, TK_ROLE_OTHER, 0},
};

/* Returns true for what SDKs leave on a message: the API refuses it, and nothing of it is lost. */
static bool is_left_by_sdk(struct tk_val member)
{
    return tk_key_is(member, TK_STR("created_by")) || tk_key_is(member, TK_STR("parsed")) ||
           tk_key_is(member, TK_STR("tool_calls")) || tk_key_is(member, TK_STR("tool_call_id"));
}

/* Notes a member that messages don't have. */
static void note_unknown(struct tk_message *m, struct tk_val member, struct tk_arena *arena)
{
    m->flags |= tk_member_kind(member, arena) < TK_MEMBER_WORDS || is_left_by_sdk(member)
                    ? TK_MESSAGE_EXTRA
                    : TK_MESSAGE_EXTRA | TK_MESSAGE_KEPT;
}

static void read_message_members(struct tk_message *m, uint32_t type, struct tk_arena *arena)
{
    struct tk_val v = {m->doc, m->node}, role = TK_NO_VAL;
    uint64_t wanted = tk_items[TK_ITEM_MESSAGE].known;

    for (struct tk_val member = tk_first(v); tk_exists(member); member = tk_after(v, member)) {
        enum tk_item_member which;

        if (member.node == type)
            continue;
        which = tk_item_member_of(member, wanted);
        if (which == TK_IM_ROLE)
            role = member;
        else if (which == TK_IM_CONTENT)
            m->content = member.node;
        else if (which == TK_IM_ID)
            m->own_id = member.node;
        else if (which == TK_IM_COUNT)
            note_unknown(m, member, arena);
        wanted &= ~(which == TK_IM_COUNT ? 0 : 1ull << which);
    }
    m->flags |= !tk_exists(role) || tk_is(role, TK_NULL) ? TK_MESSAGE_NO_ROLE : 0;
    tk_read_role(roles, m, tk_text(role, arena));
}

static void read_message(struct tk_message *m, struct tk_arena *arena)
{
    struct tk_val v = {m->doc, m->node};
    uint32_t type;

    tk_fetch_keys(v);
    m->content = m->own_id = TK_NO_NODE;
    m->item = tk_item_row_of(v, arena, &type);
    if (m->item == TK_ITEM_MESSAGE) {
        read_message_members(m, type, arena);
        return;
    }
    m->flags |= TK_MESSAGE_WHOLE;
    m->role = tk_items[m->item].flags & TK_ITEM_CLIENTS ? TK_ROLE_USER : TK_ROLE_ASSISTANT;
}

/* ---- items ---- */

/* The members that a part refers to, by row of calls and outputs. */
static enum tk_item_member payload_of(uint8_t row)
{
    switch (row) {
    case TK_ITEM_FUNCTION_CALL:
    case TK_ITEM_SEARCH_CALL:
        return TK_IM_ARGUMENTS;
    case TK_ITEM_CUSTOM_CALL:
        return TK_IM_INPUT;
    case TK_ITEM_REASONING:
        return TK_IM_SUMMARY;
    default:
        return TK_IM_OUTPUT;
    }
}

static void keep(struct tk_part *p, enum tk_item_member which, struct tk_val v)
{
    if (which == TK_IM_ID)
        p->own_id = v.node;
    else if (which == TK_IM_CALL_ID)
        p->id = v.node;
    else if (which == TK_IM_NAME)
        p->name = v.node;
    else if (which == payload_of((uint8_t)p->block))
        p->payload = v.node;
    else if (which == TK_IM_ENCRYPTED_CONTENT)
        p->flags |= tk_has_text(v) ? TK_PART_SIGNED : 0;
    else if (which == TK_IM_EXECUTION)
        p->caller = v.node;
}

/* Returns true if a required member has no value. */
static bool is_missing(enum tk_item_member which, struct tk_val v)
{
    return tk_is(v, TK_NULL) ||
           ((TK_ITEM_IDS >> which & 1) && tk_is(v, TK_STRING) && tk_raw(v).n == 0);
}

/* Reads the members: first those of the item's row. Marks an item that lacks one or has others. */
static void read_members(struct tk_part *p)
{
    const struct tk_item *row = &tk_items[p->block];
    struct tk_val item = tk_part_val(p, p->node);
    uint64_t wanted = row->required | row->known, found = 0;

    for (struct tk_val v = tk_first(item); tk_exists(v); v = tk_after(item, v)) {
        enum tk_item_member which;

        if (v.node == p->type)
            continue;
        which = tk_item_member_of(v, wanted);
        if (which == TK_IM_COUNT) {
            p->flags |= TK_PART_ODD;
            if ((row->flags & TK_ITEM_OPEN) && tk_has_key(v.doc, v.node, TK_STR("id")))
                p->own_id = v.node;
            else if ((row->flags & TK_ITEM_OPEN) && tk_has_key(v.doc, v.node, TK_STR("name")))
                p->name = v.node;
            continue;
        }
        keep(p, which, v);
        wanted &= ~(1ull << which);
        found |= is_missing(which, v) ? 0 : 1ull << which;
    }
    if (row->required & ~found)
        p->flags |= TK_PART_ODD;
}

/* Returns true for an id that is left out: absent, null or empty. */
static bool is_left_out(struct tk_val id)
{
    return !tk_exists(id) || tk_is(id, TK_NULL) || (tk_is(id, TK_STRING) && tk_raw(id).n == 0);
}

/* Returns true if a tool search is the server's own: its execution says so, or nothing names a client. */
static bool is_servers_search(const struct tk_part *p)
{
    struct tk_val execution = tk_part_val(p, p->caller);

    if (p->block != TK_ITEM_SEARCH_CALL && p->block != TK_ITEM_SEARCH_OUTPUT)
        return false;
    return tk_text_is(execution, TK_STR("server")) ||
           (is_left_out(tk_part_val(p, p->id)) && !tk_text_is(execution, TK_STR("client")));
}

static void read_item(struct tk_part *p, struct tk_arena *arena)
{
    const struct tk_item *row;

    p->block = tk_item_row_of(tk_part_val(p, p->node), arena, &p->type);
    row = &tk_items[p->block];
    p->kind = row->kind;
    read_members(p);
    if ((row->flags & TK_ITEM_HOSTED) || p->block == TK_ITEM_APPROVAL_REQUEST ||
        is_servers_search(p))
        p->flags |= TK_PART_PROVIDER;
    if ((p->block == TK_ITEM_LOCAL_SHELL_CALL || p->block == TK_ITEM_LOCAL_SHELL_OUTPUT) &&
        !tk_has_text(tk_part_val(p, p->id)))
        p->id = p->own_id;
    if (p->kind != TK_PART_CALL && p->kind != TK_PART_RESULT)
        p->id = p->own_id;
    p->caller = TK_NO_NODE;
}

/* ---- content parts ---- */

/* The types of content parts. */
static const struct {
    struct tk_str type;
    uint8_t kind;
} part_types[] = {
    {TK_STR_INIT("input_text"), TK_PART_TEXT},   {TK_STR_INIT("output_text"), TK_PART_TEXT},
    {TK_STR_INIT("refusal"), TK_PART_OTHER},     {TK_STR_INIT("input_image"), TK_PART_MEDIA},
    {TK_STR_INIT("input_file"), TK_PART_MEDIA},  {TK_STR_INIT("input_audio"), TK_PART_MEDIA},
    {TK_STR_INIT("summary_text"), TK_PART_TEXT}, {TK_STR_INIT("text"), TK_PART_TEXT},
    {TK_STR_INIT("image_url"), TK_PART_MEDIA},
};

/* Their members. Others may show that the history is in another format, or be refused. */
static const struct tk_str part_members[] = {
    TK_STR_INIT("text"),      TK_STR_INIT("annotations"), TK_STR_INIT("logprobs"),
    TK_STR_INIT("image_url"), TK_STR_INIT("detail"),      TK_STR_INIT("file_id"),
    TK_STR_INIT("refusal"),   TK_STR_INIT("filename"),    TK_STR_INIT("file_data"),
    TK_STR_INIT("file_url"),  TK_STR_INIT("input_audio"),
};

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

static bool is_part_member(struct tk_val v)
{
    for (size_t i = 0; i < COUNT_OF(part_members); i++)
        if (tk_has_key(v.doc, v.node, part_members[i]))
            return true;
    return false;
}

static void read_content_part(struct tk_part *p, struct tk_arena *arena)
{
    struct tk_val part = tk_part_val(p, p->node), type = tk_get(part, TK_STR("type"));
    struct tk_str name = tk_text(type, arena);
    size_t i = 0;

    while (i < COUNT_OF(part_types) && !tk_str_eq(name, part_types[i].type))
        i++;
    p->type = type.node;
    p->block = i < COUNT_OF(part_types) ? (uint16_t)(i + 1) : 0;
    p->kind = i < COUNT_OF(part_types) ? part_types[i].kind : TK_PART_OTHER;
    p->flags |= i < COUNT_OF(part_types) ? 0 : TK_PART_ODD;
    for (struct tk_val v = tk_first(part); tk_exists(v); v = tk_after(part, v)) {
        if (v.node == type.node)
            continue;
        if (tk_has_key(v.doc, v.node, TK_STR("text")))
            p->payload = v.node;
        else if (!is_part_member(v))
            p->flags |= TK_PART_ODD;
    }
}

static void read_part(struct tk_part *p, const struct tk_message *m, struct tk_arena *arena)
{
    p->own_id = TK_NO_NODE;
    if (p->flags & TK_PART_STRING) {
        p->kind = TK_PART_TEXT;
        p->payload = p->node;
    } else if (m->flags & TK_MESSAGE_WHOLE) {
        read_item(p, arena);
    } else {
        read_content_part(p, arena);
    }
}

/* ---- names ---- */

/* Calls and outputs go by the id of their pair, other items by their own. */
static void name_item(struct tk_val item, struct tk_arena *arena, struct tk_str *ret_id,
                      struct tk_str *ret_tool)
{
    struct tk_message m = {.doc = item.doc, .node = item.node};
    struct tk_part p = {.doc = item.doc, .node = item.node};

    read_message(&m, arena);
    p.id = p.own_id = p.name = TK_NO_NODE;
    if (m.flags & TK_MESSAGE_WHOLE)
        read_item(&p, arena);
    else
        p.id = m.own_id;
    if (p.kind == TK_PART_CALL && (p.flags & TK_PART_PROVIDER))
        p.id = p.own_id;
    *ret_id = tk_text(tk_part_val(&p, p.id), arena);
    *ret_tool = tk_text(tk_part_val(&p, p.name), arena);
}

/* ---- what repair writes ---- */

static void write_text(struct tk_writer *w, struct tk_str text, struct tk_str marker)
{
    (void)marker;
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "input_text");
    tk_write_key(w, "text");
    tk_write_raw(w, text);
    tk_write_end(w);
}

const struct tk_shape tk_shape_openai_responses = {
    .name = "openai-responses",
    .root = TK_STR_INIT("/input"),
    .parts = TK_STR_INIT("/content"),
    .read_message = read_message,
    .name_item = name_item,
    .root_is_free = true,
    .turns_are_lists = true,
    .wire = true,
    .marks_odd_parts = true,
    .roles = roles,
    .read_part = read_part,
    .write_text = write_text,
    .text = {{"text"}},
    .asked = TK_ASKED_OPENAI_RESPONSES,
};
