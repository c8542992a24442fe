/* SPDX-License-Identifier: Apache-2.0 */
/* Merges entries that share a key (OPERATIONS.md B.1, rows X1 to X9). */
#include "operations/tools/named_tool.h"
#include "operations/tools/tools_inside.h"

#include "value/canonical.h"

#include <errno.h>

/* ---- keys ---- */

static struct tk_tool_key *owner_of(struct tk_tools_state *s, const struct tk_tool_key *key)
{
    uint32_t *slot = tk_map_get(&s->owners, key->text);

    return slot ? &s->keys.list[*slot - 1] : NULL;
}

static void hash_key(struct tk_tool_key *key, struct tk_arena *arena)
{
    if (!key->hashed)
        key->hash = tk_value_digest(TK_STR("tool"), key->value, arena);
    key->hashed = true;
}

static bool is_equal(struct tk_tools_state *s, struct tk_tool_key *a, struct tk_tool_key *b)
{
    hash_key(a, s->in->arena);
    hash_key(b, s->in->arena);
    return tk_digest_eq(&a->hash, &b->hash);
}

static int own_keys(struct tk_tools_state *s, const struct tk_tool_facts *facts, uint32_t tool)
{
    for (uint32_t i = facts->first_key; i < facts->first_key + facts->key_count; i++) {
        bool is_new;
        uint32_t *slot = tk_map_put(&s->owners, s->keys.list[i].text, &is_new);

        if (!slot)
            return -ENOMEM;
        s->keys.list[i].tool = tool;
        *slot = i + 1;
    }
    return 0;
}

/* The keys that an entry shares with entries before it. */
struct meeting {
    struct tk_tool_key *mine, *theirs; /* the first ones that differ in value, else the first */
    uint32_t shared, equal;
    bool one_owner; /* one entry has all shared keys */
};

static struct meeting meet(struct tk_tools_state *s, const struct tk_tool_facts *facts)
{
    struct meeting m = {.one_owner = true};

    for (uint32_t i = facts->first_key; i < facts->first_key + facts->key_count; i++) {
        struct tk_tool_key *mine = &s->keys.list[i], *theirs = owner_of(s, mine);
        bool equal;

        if (!theirs)
            continue;
        equal = is_equal(s, mine, theirs);
        m.one_owner &= !m.theirs || m.theirs->tool == theirs->tool;
        if (!m.theirs || (!equal && m.equal == m.shared)) {
            m.mine = mine;
            m.theirs = theirs;
        }
        m.shared++;
        m.equal += equal;
    }
    return m;
}

/* ---- verdicts ---- */

enum verdict {
    VERDICT_REPLACE,
    VERDICT_IGNORE,
    VERDICT_REFUSE,
};

static bool is_same_tool(const struct tk_tool_key *a, const struct tk_tool_key *b)
{
    return a->function == b->function && (a->function || tk_str_eq(a->family, b->family));
}

/* Decides about two entries with one key and different values. Functions have no date that says
 * which one is newer. */
static enum verdict judge(struct tk_tools_state *s, const struct tk_tool_key *later,
                          const struct tk_tool_key *earlier)
{
    enum tk_tools_conflict mode = s->in->on_conflict;

    if (!is_same_tool(later, earlier))
        return VERDICT_REFUSE;
    if (mode == TK_TOOLS_KEEP_BASE) {
        tk_tools_note(s, TK_TOOLS_NOTE_ADDITION_IGNORED);
        return VERDICT_IGNORE;
    }
    if (later->function && mode != TK_TOOLS_REPLACE_CUSTOM)
        return VERDICT_REFUSE;
    if (later->date < earlier->date && mode == TK_TOOLS_NEWEST) {
        tk_tools_note(s, TK_TOOLS_NOTE_OLDER_VERSION_IGNORED);
        return VERDICT_IGNORE;
    }
    if (later->date < earlier->date)
        tk_tools_note(s, TK_TOOLS_NOTE_TOOL_DOWNGRADED);
    tk_tools_note(s, TK_TOOLS_NOTE_TOOL_REPLACED);
    return VERDICT_REPLACE;
}

/* Returns true if an entry may replace another: it has all keys of the other one. */
static bool can_replace(const struct tk_tools_state *s, const struct tk_tool_facts *facts,
                        const struct meeting *m)
{
    const struct tk_tool_facts *theirs = &s->facts[m->theirs->tool];

    return m->one_owner && m->shared == facts->key_count && m->shared == theirs->key_count &&
           !facts->has_declarations && !theirs->has_declarations;
}

static int refuse_name(struct tk_tools_state *s, const struct tk_tool_key *key, struct tk_val blame)
{
    tk_refusal_blame(&s->out->refusal, TK_REFUSAL_TOOL_NAME_CONFLICT, blame);
    return tk_refusal_detail(&s->out->refusal, "tool", key->name);
}

/* Replaces the entry with which the new one shares its keys. */
static int replace(struct tk_tools_state *s, const struct tk_tool_facts *facts,
                   const struct meeting *m, struct tk_val val)
{
    struct tk_merged *tools = &s->out->tools;
    uint32_t tool = m->theirs->tool;

    tools->list[tool].val = val;
    tools->list[tool].replaced = true;
    s->facts[tool] = *facts;
    return own_keys(s, facts, tool);
}

static int settle(struct tk_tools_state *s, const struct tk_tool_facts *facts,
                  const struct meeting *m, struct tk_val val, struct tk_val blame, bool of_base)
{
    enum verdict verdict = VERDICT_REFUSE;

    if (!of_base && can_replace(s, facts, m))
        verdict = judge(s, m->mine, m->theirs);
    if (verdict == VERDICT_REFUSE)
        return refuse_name(s, m->mine, blame);
    return verdict == VERDICT_REPLACE ? replace(s, facts, m, val) : 0;
}

static int read_facts(struct tk_tools_state *s, struct tk_val val, uint32_t tool,
                      struct tk_tool_facts *ret)
{
    const struct tk_tool_rules *rules = tk_tools_rules(s);
    int r;

    *ret = (struct tk_tool_facts){.first_key = s->keys.count};
    r = rules->read_keys(&s->keys, val, tool);
    ret->key_count = s->keys.count - ret->first_key;
    ret->has_declarations =
        rules->has_functions_in_entries && rules->has_functions_in_entries(val, s->in->arena);
    return r;
}

/* Returns true if an entry adds nothing new. Its keys are enough to tell, except for lists of
 * declarations, which have no keys: then the whole entries are compared, unless the only key
 * already covers the whole entry. */
static bool is_duplicate(struct tk_tools_state *s, const struct tk_tool_facts *facts,
                         const struct meeting *m, struct tk_val val)
{
    if (m->shared == 0 || m->equal != facts->key_count)
        return false;
    if (!facts->has_declarations || m->mine->value.node == val.node)
        return true;
    return m->one_owner &&
           tk_same_value(val, s->out->tools.list[m->theirs->tool].val, s->in->arena);
}

static int merge_base(struct tk_tools_state *s, uint32_t tool)
{
    struct tk_merged *tools = &s->out->tools;
    struct tk_val val = tools->list[tool].val;
    struct tk_tool_facts *facts = &s->facts[tool];
    struct meeting m;
    int r = read_facts(s, val, tool, facts);

    if (r < 0)
        return r;
    m = meet(s, facts);
    if (m.shared == 0)
        return own_keys(s, facts, tool);
    if (!is_duplicate(s, facts, &m, val))
        return settle(s, facts, &m, val, val, true);
    tools->list[tool].dropped = true;
    tk_tools_note(s, TK_TOOLS_NOTE_DUPLICATE_DROPPED);
    return 0;
}

static int merge_addition(struct tk_tools_state *s, struct tk_val val, struct tk_val blame)
{
    struct tk_merged *tools = &s->out->tools;
    struct tk_tool_facts facts;
    struct meeting m;
    int r = read_facts(s, val, tools->count, &facts);

    if (r < 0)
        return r;
    m = meet(s, &facts);
    if (is_duplicate(s, &facts, &m, val)) {
        tk_tools_note(s, TK_TOOLS_NOTE_DUPLICATE_DROPPED);
        return 0;
    }
    if (m.shared > 0)
        return settle(s, &facts, &m, val, blame, false);
    tools->list[tools->count] = (struct tk_tool){.val = val};
    s->facts[tools->count] = facts;
    return own_keys(s, &facts, tools->count++);
}

int tk_tools_merge_entries(struct tk_tools_state *s)
{
    struct tk_val add = s->in->add, named = tk_tools_named_list(s, TK_STR("tools"));
    struct tk_val entry = tk_first(named);
    int r = 0;

    tk_map_init(&s->owners, s->in->arena, s->in->hash_key);
    s->keys.arena = s->in->arena;
    for (uint32_t i = 0; i < s->out->tools.base_count && r == 0; i++)
        r = merge_base(s, i);
    for (struct tk_val v = tk_first(add); tk_exists(v) && r == 0; v = tk_after(add, v)) {
        bool is_named = tk_is_named_tool(v);

        r = merge_addition(s, is_named ? entry : v, v);
        if (is_named)
            entry = tk_after(named, entry);
    }
    return r;
}
