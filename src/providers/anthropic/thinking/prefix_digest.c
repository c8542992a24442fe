/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/thinking/prefix_digest.h"
#include "providers/anthropic/request.h"

#include "providers/anthropic/seals/canonical_block.h"

/* Depth of images in results and documents. */
#define SOURCE_DEPTH 4

static const struct tk_str no_marker[] = {TK_STR_INIT("cache_control"), {NULL, 0}};
/* Members of a message that the provider reads besides role and content; it accepts no other. */
static const struct tk_str others_seen[] = {
    TK_STR_INIT("output_config"), TK_STR_INIT("clear_at"), {NULL, 0}};

static void put(struct tk_prefix *x, struct tk_str s)
{
    tk_hash_put(&x->messages, s.p, s.n);
}

static struct tk_canon canon_of(struct tk_prefix *x, struct tk_hasher *hasher)
{
    return (struct tk_canon){tk_hash_put, hasher, x->t->arena};
}

/* ---- system and tools ---- */

static struct tk_digest digest_system(struct tk_prefix *x)
{
    struct tk_val system = tk_request_at(x->request, TK_REQUEST_SYSTEM);
    struct tk_hasher hasher;
    struct tk_canon canon = canon_of(x, &hasher);

    tk_hash_begin(&hasher, TK_STR("system"));
    tk_hash_put(&hasher, "[", 1);
    if (tk_is(system, TK_STRING) && tk_raw(system).n > 0)
        tk_canon_block(&canon, system);
    for (struct tk_val v = tk_first(system); tk_is(system, TK_ARRAY) && tk_exists(v);
         v = tk_after(system, v))
        tk_canon_block(&canon, v);
    tk_hash_put(&hasher, "]", 1);
    return tk_hash_end(&hasher);
}

static uint32_t *deferred(struct tk_prefix *x, const struct tk_request_tool *tool)
{
    struct tk_str name = tk_text(tk_request_val(x->request, tool->name), x->t->arena);

    return name.p ? tk_map_get(&x->deferred, name) : NULL;
}

static struct tk_digest digest_tools(struct tk_prefix *x)
{
    struct tk_hasher hasher;
    struct tk_canon canon = canon_of(x, &hasher);

    tk_hash_begin(&hasher, TK_STR("tools"));
    tk_hash_put(&hasher, "[", 1);
    for (uint32_t i = 0; i < x->request->tool_count; i++) {
        const struct tk_request_tool *tool = &x->request->tools[i];
        bool waits = tk_anthropic_request(x->request)->facts[i].deferred;
        const uint32_t *mentioned = waits ? deferred(x, tool) : NULL;

        if (!waits || (mentioned && *mentioned))
            tk_canon_without(&canon, tk_request_val(x->request, tool->node), no_marker);
    }
    tk_hash_put(&hasher, "]", 1);
    return tk_hash_end(&hasher);
}

static void list_deferred(struct tk_prefix *x)
{
    bool is_new;

    for (uint32_t i = 0; i < x->request->tool_count; i++) {
        const struct tk_request_tool *tool = &x->request->tools[i];
        struct tk_str name = tk_text(tk_request_val(x->request, tool->name), x->t->arena);

        if (tk_anthropic_request(x->request)->facts[i].deferred && name.p)
            tk_map_put(&x->deferred, name, &is_new);
    }
}

static void mention(struct tk_prefix *x, struct tk_val name)
{
    struct tk_str text = tk_text(name, x->t->arena);
    uint32_t *mentioned = text.p ? tk_map_get(&x->deferred, text) : NULL;

    if (!mentioned || *mentioned)
        return;
    *mentioned = true;
    x->tools_known = false;
}

/* Notes the tools that a part mentions: a call names its tool, and references and additions to the
 * tools may be at any depth of a block. */
static void note_mentions(struct tk_prefix *x, const struct tk_part *p)
{
    if (x->deferred.count == 0)
        return;
    if (p->kind == TK_PART_CALL) {
        mention(x, tk_part_val(p, p->name));
        return;
    }
    for (uint32_t node = p->node; node < p->doc->nodes[p->node].next; node++) {
        struct tk_val v = {p->doc, node}, type = tk_get(v, TK_STR("type"));

        if (tk_text_is(type, TK_STR("tool_reference"))) {
            mention(x, tk_get(v, TK_STR("tool_name")));
            mention(x, tk_get(v, TK_STR("name")));
        } else if (tk_text_is(type, TK_STR("tool_addition"))) {
            mention(x, tk_get(tk_get(v, TK_STR("tool")), TK_STR("name")));
            mention(
                x, tk_get(tk_get(tk_get(v, TK_STR("tool")), TK_STR("definition")), TK_STR("name")));
        }
    }
}

/* ---- messages ---- */

static void restart(struct tk_prefix *x)
{
    tk_hash_begin(&x->messages, TK_STR("messages"));
    put(x, TK_STR("["));
    x->open = false;
    x->indeterminate = false;
}

static bool is_compaction(const struct tk_part *p)
{
    return p->kind == TK_PART_OTHER && tk_text_is(tk_part_val(p, p->type), TK_STR("compaction"));
}

static bool has_url(struct tk_val block, int depth);

static bool list_has_url(struct tk_val list, int depth)
{
    for (struct tk_val v = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(v);
         v = tk_after(list, v))
        if (has_url(v, depth))
            return true;
    return false;
}

/* Returns true if a block refers to a url: a client can't know what the provider fetched there. */
static bool has_url(struct tk_val block, int depth)
{
    struct tk_val type = tk_get(block, TK_STR("type")), source = tk_get(block, TK_STR("source"));

    if (depth == 0 || !tk_is(block, TK_OBJECT))
        return false;
    if ((tk_text_is(type, TK_STR("image")) || tk_text_is(type, TK_STR("document"))) &&
        tk_text_is(tk_get(source, TK_STR("type")), TK_STR("url")))
        return true;
    return list_has_url(tk_get(block, TK_STR("content")), depth - 1) ||
           list_has_url(tk_get(source, TK_STR("content")), depth - 1);
}

static struct tk_val message_val(const struct tk_message *m)
{
    return m->flags & TK_MESSAGE_MADE ? TK_NO_VAL : (struct tk_val){m->doc, m->node};
}

static bool has_others(const struct tk_message *m)
{
    struct tk_val v = message_val(m);

    return tk_exists(tk_get(v, others_seen[0])) || tk_exists(tk_get(v, others_seen[1]));
}

static void close_message(struct tk_prefix *x)
{
    if (x->open)
        put(x, TK_STR("]{}]"));
    x->open = false;
}

static void put_role(struct tk_prefix *x, const struct tk_message *m)
{
    static const struct tk_str roles[] = {
        [TK_ROLE_USER] = TK_STR_INIT("s4:user"),
        [TK_ROLE_ASSISTANT] = TK_STR_INIT("s9:assistant"),
        [TK_ROLE_SYSTEM] = TK_STR_INIT("s6:system"),
    };
    struct tk_val role = tk_get(message_val(m), TK_STR("role"));
    struct tk_canon canon = canon_of(x, &x->messages);

    if (m->role < TK_ROLE_OTHER)
        put(x, roles[m->role]);
    else if (tk_exists(role))
        tk_canon_value(&canon, role);
    else
        put(x, TK_STR("n"));
}

static void open_message(struct tk_prefix *x, const struct tk_message *m, bool others)
{
    if (x->open && !others && m->role == x->role && m->role != TK_ROLE_OTHER)
        return;
    close_message(x);
    put(x, TK_STR("["));
    put_role(x, m);
    put(x, TK_STR("["));
    x->open = true;
    x->role = m->role;
}

static void put_others(struct tk_prefix *x, const struct tk_message *m)
{
    struct tk_canon canon = canon_of(x, &x->messages);

    put(x, TK_STR("]"));
    tk_canon_only(&canon, message_val(m), others_seen);
    put(x, TK_STR("]"));
    x->open = false;
}

void tk_prefix_init(struct tk_prefix *x, const struct tk_transcript *t,
                    const struct tk_request_view *request)
{
    *x = (struct tk_prefix){.t = t, .request = request};
    tk_map_init(&x->deferred, t->arena, t->hash_key);
    list_deferred(x);
    x->system = digest_system(x);
    restart(x);
}

void tk_prefix_add(struct tk_prefix *x, uint32_t message)
{
    const struct tk_message *m = &x->t->messages[message];
    struct tk_canon canon = canon_of(x, &x->messages);
    bool others = has_others(m), begun = false;

    for (uint32_t i = m->first; i != TK_NONE; i = x->t->parts[i].next) {
        const struct tk_part *p = &x->t->parts[i];

        if (tk_is_thinking(p))
            continue;
        if (is_compaction(p)) {
            restart(x);
            begun = false;
        }
        if (!begun)
            open_message(x, m, others);
        begun = true;
        tk_canon_block(&canon, tk_part_val(p, p->node));
        x->indeterminate = x->indeterminate || has_url(tk_part_val(p, p->node), SOURCE_DEPTH);
        note_mentions(x, p);
    }
    if (others && !begun)
        open_message(x, m, true);
    if (others)
        put_others(x, m);
}

struct tk_prefix_digests tk_prefix_digests(struct tk_prefix *x)
{
    struct tk_prefix copy = *x;

    if (!x->tools_known)
        x->tools = digest_tools(x);
    x->tools_known = true;
    close_message(&copy);
    put(&copy, TK_STR("]"));
    return (struct tk_prefix_digests){
        .system = x->system,
        .tools = x->tools,
        .messages = tk_hash_end(&copy.messages),
        .indeterminate = x->indeterminate,
    };
}
