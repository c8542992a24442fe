/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the messages that each seal is of. Keys get numbers, and a walk over the messages notes
 * where each was seen first. Then seals and messages that belong together are united (disjoint
 * sets, by first message).
 */
#include "providers/anthropic/seals/seals.h"

#include <errno.h>

#include "engine/protect.h"
#include "providers/anthropic/seals/compare.h"
#include "providers/anthropic/seals/moved.h"

/* Digests of a part; stale once the part has other bytes. */
struct tk_sealed_part {
    const struct tk_doc *doc;
    uint32_t node;
    bool whole; /* true: `block` is complete; false: it has only the opaque digest */
    struct tk_sealed_block block;
};

/* A key of a seal, in the turn of its message. */
struct key_in_turn {
    uint32_t key, turn;
};

struct match {
    struct tk_seals *s;
    struct tk_transcript *t;
    struct tk_map ids, opaques; /* value: number of the key */
    uint32_t key_count;
    uint32_t *key_of;     /* by part: its key plus one, 0 for none */
    uint32_t *first;      /* by key: the first message that has it */
    uint32_t *rank;       /* by message: its position */
    uint32_t *parent;     /* by message: of its set; the root is the first message */
    bool *sealed;         /* by root: the set has a seal */
    uint32_t *home;       /* by seal: its first message, or TK_NONE */
    struct tk_map active; /* by struct key_in_turn; value: the first message with it, plus one */
};

/* ---- digests of parts ---- */

static struct tk_sealed_part *known(struct tk_seals *s, const struct tk_transcript *t,
                                    uint32_t part)
{
    const struct tk_part *p = &t->parts[part];
    struct tk_sealed_part *k;

    if (part >= s->known_count) {
        uint32_t n = t->part_count;
        struct tk_sealed_part **list =
            tk_arena_grow(t->arena, s->known, s->known_count * sizeof(*list), n * sizeof(*list));

        if (!list)
            return NULL;
        memset(list + s->known_count, 0, (n - s->known_count) * sizeof(*list));
        s->known = list;
        s->known_count = n;
    }
    k = s->known[part];
    if (!k)
        k = s->known[part] = tk_arena_zalloc(t->arena, 1, sizeof(*k));
    if (k && (k->doc != p->doc || k->node != p->node))
        *k = (struct tk_sealed_part){.doc = p->doc, .node = p->node};
    return k;
}

const struct tk_sealed_block *tk_seals_block(struct tk_seals *s, const struct tk_transcript *t,
                                             uint32_t part)
{
    struct tk_sealed_part *k = known(s, t, part);

    if (!k)
        return NULL;
    if (!k->whole)
        k->block = tk_seal_block(tk_part_val(&t->parts[part], t->parts[part].node), t->arena);
    k->whole = true;
    return &k->block;
}

/* ---- keys ---- */

static uint32_t number_of(struct match *m, struct tk_map *map, struct tk_str name)
{
    bool is_new;
    uint32_t *number = tk_map_put(map, name, &is_new);

    if (!number)
        return TK_NONE;
    if (is_new)
        *number = m->key_count++;
    return *number;
}

static bool is_named_call(const struct tk_transcript *t, const struct tk_part *p)
{
    return p->kind == TK_PART_CALL && tk_is(tk_part_val(p, p->id), TK_STRING) &&
           tk_seal_has_id(tk_text(tk_part_val(p, p->type), t->arena));
}

/* Finds the part's key plus one; 0: it has none. */
static int find_key(struct match *m, uint32_t part, uint32_t *ret)
{
    const struct tk_part *p = &m->t->parts[part];
    uint32_t key;

    *ret = 0;
    if (is_named_call(m->t, p)) {
        key = number_of(m, &m->ids, tk_part_id(m->t, p));
    } else if (p->flags & TK_PART_SIGNED) {
        struct tk_sealed_part *k = known(m->s, m->t, part);

        if (!k)
            return -ENOMEM;
        if (!k->block.has_opaque)
            k->block.opaque = tk_seal_opaque(tk_part_val(p, p->node), m->t->arena);
        k->block.has_opaque = true;
        key = number_of(
            m, &m->opaques,
            (struct tk_str){(const char *)k->block.opaque.bytes, sizeof(k->block.opaque.bytes)});
    } else {
        return 0;
    }
    *ret = key + 1;
    return key == TK_NONE ? -ENOMEM : 0;
}

static int note_keys(struct match *m)
{
    const struct tk_transcript *t = m->t;
    uint32_t rank = 0;
    int r = 0;

    for (uint32_t i = t->first_message; i != TK_NONE && r == 0; i = t->messages[i].next) {
        m->rank[i] = rank++;
        m->parent[i] = i;
        if (t->messages[i].role != TK_ROLE_ASSISTANT)
            continue;
        for (uint32_t p = t->messages[i].first; p != TK_NONE && r == 0; p = t->parts[p].next) {
            uint32_t before = m->key_count;

            r = find_key(m, p, &m->key_of[p]);
            if (r == 0 && m->key_count > before)
                m->first[before] = i;
        }
    }
    return r;
}

static uint32_t key_of_sealed(const struct match *m, const struct tk_sealed_block *b, bool opaque)
{
    const uint32_t *n = NULL;

    if (!opaque && b->id.p)
        n = tk_map_get(&m->ids, b->id);
    if (opaque && b->has_opaque)
        n = tk_map_get(&m->opaques,
                       (struct tk_str){(const char *)b->opaque.bytes, sizeof(b->opaque.bytes)});
    return n ? *n : TK_NONE;
}

/* ---- the seal's first message ---- */

static uint32_t first_sharing(const struct match *m, const struct tk_given_seal *seal)
{
    uint32_t first = TK_NONE;

    for (uint32_t i = 0; i < 2 * seal->count; i++) {
        uint32_t key = key_of_sealed(m, &seal->blocks[i / 2], i % 2);

        if (key != TK_NONE && (first == TK_NONE || m->rank[m->first[key]] < m->rank[first]))
            first = m->first[key];
    }
    return first;
}

/* Keys and block digests of messages that seals name by index, as "key, message". */
struct named {
    struct tk_map shared;
    bool *listed; /* by message */
};

static int put_shared(struct match *m, struct named *n, struct tk_str key, uint32_t message)
{
    struct tk_str name = tk_arena_concat(
        m->t->arena, (struct tk_str[]){key, {(const char *)&message, sizeof(message)}}, 2);
    bool is_new;

    return name.p && tk_map_put(&n->shared, name, &is_new) ? 0 : -ENOMEM;
}

static int list_shared(struct match *m, struct named *n, uint32_t message)
{
    const struct tk_transcript *t = m->t;
    int r = 0;

    n->listed[message] = true;
    for (uint32_t i = t->messages[message].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
        const struct tk_sealed_block *b = tk_seals_block(m->s, t, i);

        if (!b)
            return -ENOMEM;
        r = put_shared(m, n, (struct tk_str){(const char *)b->block.bytes, sizeof(b->block.bytes)},
                       message);
        if (r == 0 && m->key_of[i])
            r = put_shared(m, n, (struct tk_str){(const char *)&m->key_of[i], sizeof(m->key_of[i])},
                           message);
    }
    return r;
}

static bool is_shared(const struct named *n, const void *key, size_t size, uint32_t message)
{
    char name[sizeof(struct tk_digest) + sizeof(message)];

    memcpy(name, key, size);
    memcpy(name + size, &message, sizeof(message));
    return tk_map_get(&n->shared, (struct tk_str){name, size + sizeof(message)}) != NULL;
}

static bool shares(const struct match *m, const struct named *n, const struct tk_given_seal *seal,
                   uint32_t message)
{
    for (uint32_t i = 0; i < seal->count; i++) {
        if (is_shared(n, seal->blocks[i].block.bytes, sizeof(struct tk_digest), message))
            return true;
        for (int opaque = 0; opaque < 2; opaque++) {
            uint32_t key = key_of_sealed(m, &seal->blocks[i], opaque) + 1;

            if (key != 0 && is_shared(n, &key, sizeof(key), message))
                return true;
        }
    }
    return false;
}

static int find_homes(struct match *m)
{
    const struct tk_transcript *t = m->t;
    struct named n = {.listed = tk_arena_zalloc(t->arena, t->message_count, sizeof(*n.listed))};
    int r = n.listed ? 0 : -ENOMEM;

    tk_map_init(&n.shared, t->arena, t->hash_key);
    for (uint32_t i = 0; i < m->s->count && r == 0; i++) {
        const struct tk_given_seal *seal = &m->s->list[i];
        uint32_t at = seal->index;

        m->home[i] = TK_NONE;
        if (seal->repeated)
            continue;
        if (!seal->has_index) {
            m->home[i] = first_sharing(m, seal);
            continue;
        }
        if (at >= t->input_messages || t->messages[at].role != TK_ROLE_ASSISTANT ||
            (t->messages[at].flags & TK_MESSAGE_DROPPED))
            continue;
        r = n.listed[at] ? 0 : list_shared(m, &n, at);
        m->home[i] = r == 0 && shares(m, &n, seal, at) ? at : TK_NONE;
    }
    return r;
}

/* ---- neighbours ---- */

static uint32_t root_of(struct match *m, uint32_t message)
{
    while (m->parent[message] != message) {
        m->parent[message] = m->parent[m->parent[message]];
        message = m->parent[message];
    }
    return message;
}

static void unite(struct match *m, uint32_t a, uint32_t b)
{
    a = root_of(m, a);
    b = root_of(m, b);
    if (m->rank[a] <= m->rank[b])
        m->parent[b] = a;
    else
        m->parent[a] = b;
}

static int activate(struct match *m, uint32_t key, uint32_t home)
{
    struct key_in_turn *k = tk_arena_alloc(m->t->arena, sizeof(*k));
    uint32_t *message;
    bool is_new;

    if (!k)
        return -ENOMEM;
    *k = (struct key_in_turn){key, m->t->messages[home].turn};
    message = tk_map_put(&m->active, (struct tk_str){(const char *)k, sizeof(*k)}, &is_new);
    if (!message)
        return -ENOMEM;
    if (!is_new)
        unite(m, *message - 1, home);
    if (is_new || m->rank[home] < m->rank[*message - 1])
        *message = home + 1;
    return 0;
}

static int activate_all(struct match *m)
{
    int r = 0;

    for (uint32_t i = 0; i < m->s->count; i++) {
        const struct tk_given_seal *seal = &m->s->list[i];

        for (uint32_t b = 0; m->home[i] != TK_NONE && b < 2 * seal->count && r == 0; b++) {
            uint32_t key = key_of_sealed(m, &seal->blocks[b / 2], b % 2);

            r = key == TK_NONE ? 0 : activate(m, key, m->home[i]);
        }
    }
    return r;
}

/* Unites the set with later messages of the turn that have one of its keys. */
static void unite_neighbours(struct match *m)
{
    const struct tk_transcript *t = m->t;

    for (uint32_t i = t->first_message; i != TK_NONE; i = t->messages[i].next)
        for (uint32_t p = t->messages[i].first; p != TK_NONE; p = t->parts[p].next) {
            struct key_in_turn k = {m->key_of[p] - 1, t->messages[i].turn};
            const uint32_t *home;

            if (!m->key_of[p])
                continue;
            home = tk_map_get(&m->active, (struct tk_str){(const char *)&k, sizeof(k)});
            if (home && m->rank[*home - 1] <= m->rank[i])
                unite(m, i, *home - 1);
        }
}

/* ---- groups ---- */

/* Makes the groups. Counts before it fills them, since the lists of all groups share two arrays. */
static int make_groups(struct match *m)
{
    struct tk_seals *s = m->s;
    const struct tk_transcript *t = m->t;
    uint32_t *messages = tk_arena_alloc(t->arena, t->message_count * sizeof(*messages));
    uint32_t *seals = tk_arena_alloc(t->arena, s->count * sizeof(*seals));

    s->groups = tk_arena_zalloc(t->arena, s->count, sizeof(*s->groups));
    s->group_count = 0;
    if (!messages || !seals || !s->groups)
        return -ENOMEM;
    for (uint32_t i = t->first_message; i != TK_NONE; i = t->messages[i].next) {
        uint32_t root = root_of(m, i);

        if (!m->sealed[root])
            continue;
        if (root == i)
            s->group_of[i] = s->group_count++;
        s->group_of[i] = s->group_of[root];
        s->groups[s->group_of[i]].message_count++;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        s->group_of_seal[i] = m->home[i] == TK_NONE ? TK_NONE : s->group_of[root_of(m, m->home[i])];
        if (s->group_of_seal[i] != TK_NONE)
            s->groups[s->group_of_seal[i]].seal_count++;
    }
    for (uint32_t i = 0; i < s->group_count; i++) {
        struct tk_sealed_turn *g = &s->groups[i];

        g->messages = messages;
        g->seals = seals;
        messages += g->message_count;
        seals += g->seal_count;
        g->message_count = g->seal_count = 0;
    }
    return 0;
}

static void fill_groups(struct tk_seals *s, const struct tk_transcript *t)
{
    for (uint32_t i = t->first_message; i != TK_NONE; i = t->messages[i].next)
        if (s->group_of[i] != TK_NONE) {
            struct tk_sealed_turn *g = &s->groups[s->group_of[i]];

            g->messages[g->message_count++] = i;
        }
    for (uint32_t i = 0; i < s->count; i++)
        if (s->group_of_seal[i] != TK_NONE) {
            struct tk_sealed_turn *g = &s->groups[s->group_of_seal[i]];

            g->seals[g->seal_count++] = i;
        }
}

static int begin(struct match *m)
{
    struct tk_transcript *t = m->t;
    uint32_t messages = t->message_count, seals = m->s->count;

    tk_map_init(&m->ids, t->arena, t->hash_key);
    tk_map_init(&m->opaques, t->arena, t->hash_key);
    tk_map_init(&m->active, t->arena, t->hash_key);
    m->key_of = tk_arena_zalloc(t->arena, t->part_count, sizeof(*m->key_of));
    m->first = tk_arena_alloc(t->arena, t->part_count * sizeof(*m->first));
    m->rank = tk_arena_alloc(t->arena, messages * sizeof(*m->rank));
    m->parent = tk_arena_alloc(t->arena, messages * sizeof(*m->parent));
    m->sealed = tk_arena_zalloc(t->arena, messages, sizeof(*m->sealed));
    m->home = tk_arena_alloc(t->arena, seals * sizeof(*m->home));
    m->s->group_of = tk_arena_alloc(t->arena, messages * sizeof(*m->s->group_of));
    m->s->group_of_seal = tk_arena_alloc(t->arena, seals * sizeof(*m->s->group_of_seal));
    if (tk_arena_failed(t->arena))
        return -ENOMEM;
    m->s->message_count = messages;
    memset(m->s->group_of, 0xff, messages * sizeof(*m->s->group_of));
    return 0;
}

static int compare_all(struct tk_seals *s, const struct tk_transcript *t)
{
    const struct tk_turn *newest = tk_newest_turn(t);
    int r = 0;

    for (uint32_t i = 0; i < s->group_count && r == 0; i++) {
        struct tk_sealed_turn *g = &s->groups[i];
        uint32_t turn = t->messages[g->messages[0]].turn;

        r = tk_sealed_turn_compare(s, t, g, newest && &t->turns[turn] == newest);
    }
    return r;
}

int tk_seals_match(struct tk_seals *s, struct tk_transcript *t)
{
    struct match m = {.s = s, .t = t};
    int r = begin(&m);

    if (r == 0)
        r = note_keys(&m);
    if (r == 0)
        r = find_homes(&m);
    if (r == 0)
        r = activate_all(&m);
    if (r < 0)
        return r;
    unite_neighbours(&m);
    for (uint32_t i = 0; i < s->count; i++)
        if (m.home[i] != TK_NONE)
            m.sealed[root_of(&m, m.home[i])] = true;
    r = make_groups(&m);
    if (r < 0)
        return r;
    fill_groups(s, t);
    r = compare_all(s, t);
    return r < 0 ? r : tk_seals_look_elsewhere(s, t);
}
