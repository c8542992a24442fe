/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes as choices: a conversation, its seals, what became of it on its way and a policy. Whatever
 * they are, repair with the seals is idempotent, what it calls safe validates, and a message that
 * is restored and nothing else has the bytes of the blocks that were sealed.
 */
#include "operation.h"

#include <stdarg.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    TURNS_MAX = 4,
    BLOCKS_MAX = 12,
    WAYS_MAX = 5,
};

/* ---- choices ---- */

struct choices {
    const uint8_t *p;
    size_t n;
};

/* The next choice of 0 to n - 1; 0 when there are no more. */
static unsigned choose(struct choices *c, unsigned n)
{
    if (c->n == 0)
        return 0;
    c->n--;
    return *c->p++ % n;
}

/* ---- blocks ---- */

enum kind {
    TEXT,
    THINKING,
    REDACTED,
    CALL,
    SERVER_CALL,
    SERVER_RESULT,
    BLANK,
    KINDS
};

struct block {
    enum kind kind;
    unsigned number;
    bool edited, resigned, marked;
};

struct turn {
    struct block blocks[BLOCKS_MAX];
    unsigned count;
};

struct text {
    char p[1 << 16];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *t, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(t->p + t->n, sizeof(t->p) - t->n, format, args);
    va_end(args);
    MUST(n >= 0 && (size_t)n < sizeof(t->p) - t->n);
    t->n += (size_t)n;
}

static void say_block(struct text *t, const struct block *b)
{
    const char *more = b->edited ? " edited" : "";
    unsigned n = b->number;

    switch (b->kind) {
    case THINKING:
        say(t, "{\"type\":\"thinking\",\"thinking\":\"%s%s\",\"signature\":\"%s%03u\"",
            n % 3 ? "hm" : "", more, n % 5 ? "c2ln" : "!", n + (b->resigned ? 500 : 0));
        break;
    case REDACTED:
        say(t, "{\"type\":\"redacted_thinking\",\"data\":\"%s\"",
            n % 6 == 0  ? ""
            : b->edited ? "ZWRpdGVk"
                        : "ZW5j");
        break;
    case CALL:
        say(t, "{\"type\":\"tool_use\",\"id\":\"toolu_%u\",\"name\":\"f\",\"input\":{\"q\":\"%s\"}",
            n, more);
        break;
    case SERVER_CALL:
        say(t,
            "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_%u\",\"name\":\"web_search\",\"input\":{}",
            n);
        break;
    case SERVER_RESULT:
        say(t,
            "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_%u\",\"content\":[]",
            n);
        break;
    default:
        say(t, "{\"type\":\"text\",\"text\":\"%s%s\"", b->kind == BLANK ? " " : "said", more);
        break;
    }
    say(t, "%s}", b->marked ? ",\"cache_control\":{\"type\":\"ephemeral\"}" : "");
}

static void say_content(struct text *t, const struct turn *turn)
{
    say(t, "[");
    for (unsigned i = 0; i < turn->count; i++) {
        say(t, "%s", i > 0 ? "," : "");
        say_block(t, &turn->blocks[i]);
    }
    say(t, "]");
}

/* ---- a conversation ---- */

struct conversation {
    struct turn turns[TURNS_MAX];
    unsigned count;
    unsigned first; /* turns before it were dropped */
};

static void add(struct turn *turn, enum kind kind, unsigned number)
{
    if (turn->count < BLOCKS_MAX)
        turn->blocks[turn->count++] = (struct block){.kind = kind, .number = number};
}

/* No turn ends in thinking when it comes from the provider. */
static void end(struct turn *turn, unsigned number)
{
    struct block *last = &turn->blocks[turn->count - 1];

    if (last->kind == THINKING || last->kind == REDACTED)
        *last = (struct block){.kind = TEXT, .number = number};
}

static void make(struct choices *c, struct conversation *made)
{
    unsigned number = 1;

    *made = (struct conversation){.count = 1 + choose(c, TURNS_MAX)};
    for (unsigned i = 0; i < made->count; i++) {
        struct turn *turn = &made->turns[i];

        for (unsigned n = 1 + choose(c, 6); n > 0; n--, number++) {
            enum kind kind = (enum kind)choose(c, KINDS);

            add(turn, kind, number);
            if (kind == SERVER_CALL)
                add(turn, SERVER_RESULT, number);
        }
        end(turn, number++);
    }
}

static void swap(struct block *a, struct block *b)
{
    struct block t = *a;

    *a = *b;
    *b = t;
}

static void take_out(struct turn *turn, unsigned at)
{
    memmove(turn->blocks + at, turn->blocks + at + 1,
            (turn->count - at - 1) * sizeof(turn->blocks[0]));
    turn->count--;
}

/* One thing that a store or a client does. */
static void damage(struct choices *c, struct conversation *v)
{
    struct turn *turn = &v->turns[choose(c, v->count)], *other = &v->turns[choose(c, v->count)];
    struct block *b, *a;

    if (turn->count == 0)
        return;
    b = &turn->blocks[choose(c, turn->count)];
    a = &turn->blocks[choose(c, turn->count)];
    switch (choose(c, 9)) {
    case 0:
        swap(a, b);
        break;
    case 1:
        take_out(turn, (unsigned)(b - turn->blocks));
        break;
    case 2:
        b->edited = true;
        break;
    case 3:
        b->resigned = true;
        break;
    case 4:
        b->marked = true;
        break;
    case 5:
        add(turn, b->kind, b->number);
        break;
    case 6:
        add(other, b->kind, b->number);
        break;
    case 7:
        add(turn, (enum kind)choose(c, KINDS), 100 + choose(c, 50));
        break;
    default:
        v->first = choose(c, v->count);
        break;
    }
}

static void say_answers(struct text *t, const struct turn *turn)
{
    unsigned n = 0;

    say(t, ",{\"role\":\"user\",\"content\":[");
    for (unsigned i = 0; i < turn->count; i++)
        if (turn->blocks[i].kind == CALL)
            say(t, "%s{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_%u\",\"content\":\"r\"}",
                n++ > 0 ? "," : "", turn->blocks[i].number);
    say(t, "%s]}", n > 0 ? "" : "{\"type\":\"text\",\"text\":\"go on\"}");
}

static void say_messages(struct text *t, const struct conversation *v,
                         const struct conversation *was)
{
    say(t, "[{\"role\":\"user\",\"content\":\"q\"}");
    for (unsigned i = v->first; i < v->count; i++) {
        say(t, ",{\"role\":\"assistant\",\"content\":");
        say_content(t, &v->turns[i]);
        say(t, "}");
        say_answers(t, &was->turns[i]);
    }
    say(t, "]");
}

/* ---- the parameters ---- */

/* The seal that `seal` gives. */
static void say_seal(struct choices *c, struct text *t, const struct turn *turn)
{
    static struct text params;
    struct operation op;
    struct tk_str seal;

    params.n = 0;
    say(&params, "{\"content\":");
    say_content(&params, turn);
    say(&params, "%s}", choose(c, 3) ? ",\"blocks\":true" : "");
    operation_call(&op, "seal", params.p, params.n);
    MUST(tk_exists(operation_result(&op, "seal")));
    seal = tk_span(operation_result(&op, "seal"));
    say(t, "{\"seal\":%.*s%s}", (int)seal.n, seal.p, choose(c, 8) ? "" : ",\"restore\":false");
    operation_done(&op);
}

static void say_policy(struct choices *c, struct text *t)
{
    static const struct {
        const char *key, *values[7];
    } keys[] = {
        {"thinking", {"restore", "restore", "demote", "drop", "report"}},
        {"dead_thinking", {"", "", "demote", "drop", "report"}},
        {"unsigned_thinking", {"", "demote", "drop"}},
        {"signature_form", {"", "", "base64"}},
        {"rebuilt_rule", {"", "", "grouped"}},
        {"emptied_turn", {"", "", "placeholder"}},
        {"prior_thinking", {"", "", "", "prune"}},
        {"prefix_mismatch", {"", "", "strip", "error", "off"}},
        {"route", {"", "", "", "", "third_party", "deepseek", "kimi"}},
    };

    say(t, "{\"base\":\"%s\"", choose(c, 2) ? "conservative" : "preserve");
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const char *value = keys[i].values[choose(c, 7)];

        if (value && value[0] != '\0')
            say(t, ",\"%s\":\"%s\"", keys[i].key, value);
    }
    say(t, "}");
}

/* All but the messages. */
static void say_rest(struct choices *c, struct text *t, const struct conversation *was)
{
    const char *separator = "";

    say(t, ",\"return\":\"messages\",\"provenance\":\"%s\",\"policy\":",
        choose(c, 4) ? "wire" : "rebuilt");
    say_policy(c, t);
    say(t, ",\"seals\":[");
    for (unsigned i = 0; i < was->count; i++)
        if (choose(c, 8) < 7) {
            say(t, "%s", separator);
            say_seal(c, t, &was->turns[i]);
            separator = ",";
        }
    say(t, "]");
}

/* ---- what holds ---- */

static void repair(struct operation *op, struct tk_str messages, const struct text *rest,
                   bool guard)
{
    static struct text params;

    params.n = 0;
    say(&params, "{\"messages\":%.*s%s,\"guard\":%s}", (int)messages.n, messages.p, rest->p,
        guard ? "true" : "false");
    operation_call(op, "repair", params.p, params.n);
}

/* validate takes neither `return` nor `guard`. */
static bool is_valid(struct tk_str messages, const struct text *rest)
{
    static struct text params;
    struct operation op;
    bool valid;

    params.n = 0;
    say(&params, "{\"messages\":%.*s%s}", (int)messages.n, messages.p,
        rest->p + strlen(",\"return\":\"messages\""));
    operation_call(&op, "validate", params.p, params.n);
    MUST(tk_exists(operation_result(&op, "valid")));
    valid = tk_is(operation_result(&op, "valid"), TK_TRUE);
    operation_done(&op);
    return valid;
}

static bool is_only(const struct operation *op, const char *action)
{
    struct tk_val edits = operation_result(op, "edits");

    for (struct tk_val v = tk_first(edits); tk_exists(v); v = tk_after(edits, v))
        if (!tk_text_is(tk_get(v, TK_STR("action")), tk_str_of(action)))
            return false;
    return true;
}

/* True if all blocks of the messages occur, in these bytes, in what was sent. */
static bool has_bytes(const struct operation *op, struct tk_str sent, const struct text *rest)
{
    struct tk_val messages = operation_result(op, "messages");

    for (struct tk_val m = tk_first(messages); tk_exists(m); m = tk_after(messages, m)) {
        struct tk_val content = tk_get(m, TK_STR("content"));

        for (struct tk_val v = tk_first(content); tk_exists(v); v = tk_after(content, v)) {
            struct tk_str span = tk_span(v);
            char block[512];

            MUST(span.n < sizeof(block));
            memcpy(block, span.p, span.n);
            block[span.n] = '\0';
            if (!strstr(sent.p, block) && !strstr(rest->p, block))
                return false;
        }
    }
    return true;
}

/* A property that is broken is reported with the parameters: the bytes of the input say nothing. */
static void hold(bool holds, const char *property, struct tk_str sent, const struct text *rest,
                 bool guard)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz_seals: not %s: {\"messages\":%.*s%s,\"guard\":%s}\n", property,
            (int)sent.n, sent.p, rest->p, guard ? "true" : "false");
    abort();
}

static void check(struct tk_str sent, const struct text *rest, bool guard)
{
    struct operation op, again;
    struct tk_val messages;
    struct tk_str after;

    repair(&op, sent, rest, guard);
    messages = operation_result(&op, "messages");
    after = tk_exists(messages) ? tk_span(messages) : sent;
    hold(guard || tk_exists(operation_result(&op, "safe")), "answered", sent, rest, guard);
    if (tk_exists(operation_result(&op, "safe"))) {
        hold(tk_is(operation_result(&op, "safe"), TK_TRUE) == is_valid(after, rest), "valid", sent,
             rest, guard);
        repair(&again, after, rest, guard);
        hold(tk_is(operation_result(&again, "changed"), TK_FALSE), "idempotent", sent, rest, guard);
        operation_done(&again);
        hold(!is_only(&op, "restore") || has_bytes(&op, sent, rest), "the bytes sent", sent, rest,
             guard);
    }
    operation_done(&op);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct text messages, rest;
    struct choices c = {data, size};
    struct conversation was, is;

    make(&c, &was);
    is = was;
    for (unsigned n = choose(&c, WAYS_MAX); n > 0; n--)
        damage(&c, &is);
    messages.n = rest.n = 0;
    say_messages(&messages, &is, &was);
    say_rest(&c, &rest, &was);
    check((struct tk_str){messages.p, messages.n}, &rest, false);
    check((struct tk_str){messages.p, messages.n}, &rest, true);
    return 0;
}
