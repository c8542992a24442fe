/* SPDX-License-Identifier: Apache-2.0 */
#include "histories.h"

#include "../fuzz/must.h"
#include "history_rows.h"
#include "respell.h"

enum {
    MAX_MESSAGES = 128,
    MAX_PARTS = 48, /* of a message */
};

#define ROLE(word) "\"role\":\"" word "\""

/* How a dialect writes a message. */
static const struct form {
    const char *parts;          /* the member that is the list of parts */
    const char *model, *other;  /* the members that `a` and `o` name */
    bool by_messages, by_parts; /* what goes, comes twice or wanders */
} usual = {"content", ROLE("assistant"), NULL, false, true},
  whole = {NULL, NULL, NULL, true, false},
  converse = {"content", ROLE("assistant"), ROLE("model"), true, true},
  contents = {"parts", ROLE("model"), ROLE("assistant"), true, true};

static const struct dialect {
    const char *provider, *name; /* name NULL: the provider has one format */
    const char *list;            /* the history's member of a body */
    unsigned language;
    uint32_t weight; /* among those of its provider */
    const struct form *form;
} dialects[] = {
    {"anthropic", "anthropic", "messages", WIRE, 6, &usual},
    {"anthropic", "fantasy", "messages", FANTASY, 2, &usual},
    {"anthropic", "ai-sdk", "messages", AI_SDK, 2, &usual},
    {"openai-chat", NULL, "messages", CHAT, 1, &whole},
    {"openai-responses", NULL, "input", ITEMS, 1, &whole},
    {"bedrock", NULL, "messages", CONVERSE, 1, &converse},
    {"gemini", NULL, "contents", CONTENTS, 1, &contents},
};

const char *const histories_providers[] = {"anthropic", "openai-chat", "openai-responses",
                                           "bedrock",   "gemini",      NULL};

enum {
    DIALECTS = sizeof(dialects) / sizeof(dialects[0]),
};

struct histories {
    struct grammar *grammars[DIALECTS]; /* NULL: of another provider */
};

static struct grammar *grammar_of(const struct dialect *dialect)
{
    static const struct grammar_row *const tables[] = {
        rows_of_scenes,   rows_of_wire,     rows_of_sdks,    rows_of_bodies, rows_of_requests,
        rows_of_budgets,  rows_of_words,    rows_of_openai,  rows_of_chat,   rows_of_items,
        rows_of_typeless, rows_of_converse, rows_of_contents};

    return grammar_new(tables, sizeof(tables) / sizeof(tables[0]), dialect->language, "start");
}

struct histories *histories_new(const char *provider)
{
    struct histories *h = calloc(1, sizeof(*h));
    bool found = false;

    MUST(h);
    for (size_t i = 0; i < DIALECTS; i++)
        if (!strcmp(dialects[i].provider, provider)) {
            h->grammars[i] = grammar_of(&dialects[i]);
            found = true;
        }
    MUST(found);
    return h;
}

void histories_free(struct histories *histories)
{
    for (size_t i = 0; i < DIALECTS; i++)
        if (histories->grammars[i])
            grammar_free(histories->grammars[i]);
    free(histories);
}

/* ---- a history in pieces ---- */

struct message {
    char role, form;                /* form: '|', '!', '-', or '{': the message as it is */
    struct tk_str parts[MAX_PARTS]; /* '!': the first is the content; '{': it is the message */
    uint32_t count;
};

struct draft {
    const struct grammar *grammar;
    struct choices *choices;
    struct tk_arena *arena;
    size_t dialect;
    struct message *messages;
    uint32_t count;
};

static void read_message(struct message *m, struct tk_str text)
{
    const char *at = text.p + 2, *end = text.p + text.n;

    *m = (struct message){.role = text.p[0], .form = '|'};
    if (m->role == '{') {
        m->form = '{';
        m->parts[m->count++] = text;
        return;
    }
    if (text.n == 1) /* all that may come here is optional */
        return;
    m->form = text.p[1];
    if (m->form == '!')
        m->parts[m->count++] = (struct tk_str){at, (size_t)(end - at)};
    while (m->form == '|' && at < end && m->count < MAX_PARTS) {
        const char *next = memchr(at, '|', (size_t)(end - at));

        next = next ? next : end;
        m->parts[m->count++] = (struct tk_str){at, (size_t)(next - at)};
        at = next + (next < end);
    }
}

static void read_history(struct draft *d, struct tk_str text)
{
    const char *at = text.p, *end = text.p + text.n;

    d->messages = tk_arena_alloc(d->arena, MAX_MESSAGES * sizeof(*d->messages));
    MUST(d->messages);
    d->count = 0;
    while (at < end && d->count < MAX_MESSAGES) {
        const char *next = memchr(at + 1, '^', (size_t)(end - at - 1));

        next = next ? next : end;
        read_message(&d->messages[d->count++], (struct tk_str){at + 1, (size_t)(next - at - 1)});
        at = next;
    }
}

/* ---- broken a little more ---- */

static void insert(struct message *m, uint32_t at, struct tk_str part)
{
    if (m->count == MAX_PARTS)
        return;
    memmove(m->parts + at + 1, m->parts + at, (m->count - at) * sizeof(*m->parts));
    m->parts[at] = part;
    m->count++;
}

static struct tk_str take(struct message *m, uint32_t at)
{
    struct tk_str part = m->parts[at];

    m->count--;
    memmove(m->parts + at, m->parts + at + 1, (m->count - at) * sizeof(*m->parts));
    return part;
}

static void disturb(struct draft *d, struct message *from, struct message *to)
{
    uint32_t at = choose(d->choices, from->count), deed = choose(d->choices, 4);
    struct tk_str part = from->parts[at];

    if (deed == 3 && at > 0) {
        from->parts[at] = from->parts[at - 1];
        from->parts[at - 1] = part;
        return;
    }
    if (deed != 1)
        take(from, at);
    if (deed != 0)
        insert(to, choose(d->choices, to->count + 1), part);
}

static struct message *any_list(struct draft *d)
{
    struct message *m = &d->messages[choose(d->choices, d->count)];

    return m->form == '|' && m->count > 0 ? m : NULL;
}

/* Takes a whole message out, puts it in a second time, or moves it. */
static void disturb_messages(struct draft *d)
{
    uint32_t from = choose(d->choices, d->count), to = choose(d->choices, d->count);
    uint32_t deed = choose(d->choices, 3);
    struct message m = d->messages[from];

    if (deed != 1) {
        d->count--;
        memmove(d->messages + from, d->messages + from + 1, (d->count - from) * sizeof(m));
    }
    if (deed == 0 || d->count == MAX_MESSAGES)
        return;
    memmove(d->messages + to + 1, d->messages + to, (d->count - to) * sizeof(m));
    d->messages[to] = m;
    d->count++;
}

/* Breaks a place or two. What can be broken in two ways is so in either, half the time. */
static void disturb_some(struct draft *d)
{
    static const uint8_t times[] = {0, 0, 0, 1, 1, 2, 3};
    const struct form *form = dialects[d->dialect].form;
    uint32_t n = times[choose(d->choices, sizeof(times))];

    for (; d->count > 0 && n > 0; n--) {
        struct message *from, *to;

        if (form->by_messages && (!form->by_parts || choose(d->choices, 2) == 0)) {
            disturb_messages(d);
            continue;
        }
        from = any_list(d);
        to = any_list(d);
        if (from && to)
            disturb(d, from, to);
    }
}

/* ---- written ---- */

static void put(struct tk_out *out, const char *z)
{
    tk_out_put(out, z, strlen(z));
}

static void put_str(struct tk_out *out, struct tk_str s)
{
    tk_out_put(out, s.p, s.n);
}

/* Returns the member `role` as JSON; "": the message has none. */
static const char *role_of(const struct dialect *dialect, char role)
{
    switch (role) {
    case 'a':
        return dialect->form->model;
    case 'o':
        return dialect->form->other;
    case 's':
        return ROLE("system");
    case 't':
        return dialect->language == WIRE ? ROLE("user") : ROLE("tool");
    case 'e':
        return ROLE("elf");
    case 'i':
        return "\"role\":5";
    case 'z':
        return "\"role\":null";
    case 'n':
        return "";
    default:
        return ROLE("user");
    }
}

/* Returns the other members, with a comma before each. */
static struct tk_str members_of(struct draft *d, const struct message *m)
{
    struct tk_out out;

    tk_out_init(&out, d->arena);
    put_str(&out, grammar_draw(d->grammar, "message_more", d->choices, d->arena));
    if (m->form != '-') {
        put(&out, ",\"");
        put(&out, dialects[d->dialect].form->parts);
        put(&out, m->form == '|' ? "\":[" : "\":");
    }
    for (uint32_t i = 0; i < m->count; i++) {
        put(&out, i > 0 ? "," : "");
        put_str(&out, m->parts[i]);
    }
    put(&out, m->form == '|' ? "]" : "");
    return tk_out_join(&out);
}

static void put_message(struct draft *d, struct tk_out *out, const struct message *m)
{
    const char *role = role_of(&dialects[d->dialect], m->role);
    struct tk_str members;
    size_t comma;

    if (m->form == '{') {
        put_str(out, m->parts[0]);
        return;
    }
    members = members_of(d, m);
    comma = !*role && members.n > 0;
    put(out, "{");
    put(out, role);
    put_str(out, (struct tk_str){members.p + comma, members.n - comma});
    put(out, "}");
}

/* The list of messages of a new history. */
static struct tk_str draw_messages(struct draft *d)
{
    struct tk_out out;
    struct tk_str text;

    read_history(d, grammar_draw(d->grammar, "history", d->choices, d->arena));
    disturb_some(d);
    tk_out_init(&out, d->arena);
    put(&out, "[");
    for (uint32_t i = 0; i < d->count; i++) {
        put(&out, i > 0 ? "," : "");
        put_message(d, &out, &d->messages[i]);
    }
    put(&out, "]");
    text = tk_out_join(&out);
    return chance(d->choices, 50) ? respell(text, d->choices, d->arena) : text;
}

static void put_params(struct draft *d, struct tk_out *out)
{
    const struct dialect *dialect = &dialects[d->dialect];
    bool wrapped = chance(d->choices, dialect->name && dialect->language != WIRE ? 20 : 50);

    put(out, dialect->name ? "\"dialect\":\"" : "\"provider\":\"");
    put(out, dialect->name ? dialect->name : dialect->provider);
    put(out, chance(d->choices, 33) ? "\",\"guard\":false" : "\",\"guard\":true");
    if (dialect->language == WIRE && chance(d->choices, 15))
        put(out, ",\"provenance\":\"rebuilt\"");
    put_str(out, grammar_draw(d->grammar, "policy", d->choices, d->arena));
    put_str(out, grammar_draw(d->grammar, "parameters", d->choices, d->arena));
    put(out, wrapped ? ",\"request\":{" : ",");
    if (wrapped)
        put_str(out, grammar_draw(d->grammar, "before", d->choices, d->arena));
    put(out, "\"");
    put(out, wrapped ? dialect->list : "messages");
    put(out, wrapped ? "\" :" : "\":");
    put_str(out, draw_messages(d));
    if (wrapped) {
        put_str(out, grammar_draw(d->grammar, "around", d->choices, d->arena));
        put(out, "}");
    }
}

static size_t draw_dialect(const struct histories *h, struct choices *choices)
{
    uint32_t sum = 0, at;
    size_t i = 0;

    for (size_t k = 0; k < DIALECTS; k++)
        sum += h->grammars[k] ? dialects[k].weight : 0;
    at = choose(choices, sum);
    while (!h->grammars[i] || at >= dialects[i].weight) {
        at -= h->grammars[i] ? dialects[i].weight : 0;
        i++;
    }
    return i;
}

struct tk_str histories_draw(const struct histories *histories, struct choices *choices,
                             struct tk_arena *arena)
{
    struct draft d = {
        .choices = choices, .arena = arena, .dialect = draw_dialect(histories, choices)};
    struct tk_out out;

    d.grammar = histories->grammars[d.dialect];
    tk_out_init(&out, arena);
    put(&out, "{\"params\":{");
    put_params(&d, &out);
    put(&out, "}");
    if (chance(choices, 40)) {
        put(&out, ",\"tail\":");
        put_str(&out, draw_messages(&d));
    }
    put_str(&out, grammar_draw(d.grammar, "fit", choices, arena));
    put(&out, "}");
    return tk_out_join(&out);
}
