/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges text (CATALOGUE 3.4). The provider refuses empty text blocks, though models write them. It
 * refuses white space only in a message that shows nothing else, and at the end of the last
 * assistant message. A blank text between two signed thinking blocks is useful, as it keeps them
 * apart: it is a warning only.
 */
#include "providers/anthropic/request.h"
#include "providers/anthropic/rules.h"

#include "providers/anthropic/cache/markers.h"
#include "shapes/blocks.h"
#include "shapes/shape.h"
#include "value/unicode.h"

enum {
    M_TYPE,
    M_TEXT,
    M_MARKER,
    M_COUNT
};

static unsigned blank_text(struct tk_val text)
{
    if (!tk_has_text(text))
        return TK_BLANK_EMPTY;
    return tk_text_is_blank(text) ? TK_BLANK_SPACE : 0;
}

unsigned tk_blank_block(struct tk_val v)
{
    static const struct tk_str names[M_COUNT] = {
        [M_TYPE] = TK_STR_INIT("type"),
        [M_TEXT] = TK_STR_INIT("text"),
        [M_MARKER] = TK_STR_INIT("cache_control"),
    };
    struct tk_val b[M_COUNT];
    unsigned blank;

    tk_pick(v, names, M_COUNT, b);
    if (!tk_text_is(b[M_TYPE], TK_STR("text")))
        return 0;
    blank = blank_text(b[M_TEXT]);
    return (blank & TK_BLANK_EMPTY) && tk_is_given(b[M_MARKER]) ? blank | TK_BLANK_MARKED : blank;
}

struct tk_val tk_blocks_inside(const struct tk_part *p)
{
    struct tk_val content = tk_part_val(p, p->payload);

    return p->block == TK_BLOCK_TOOL_RESULT && tk_is(content, TK_ARRAY) ? content : TK_NO_VAL;
}

static unsigned blank_among(struct tk_val blocks)
{
    unsigned blank = 0;

    for (struct tk_val v = tk_first(blocks); tk_exists(v); v = tk_after(blocks, v))
        blank |= tk_blank_block(v);
    return blank;
}

/* The severity of each fault of a block. */
struct severities {
    enum tk_severity empty, space;
};

/* Adds a finding for each fault of a part; message TK_NONE: of the request. */
static int blame(struct tk_judge *j, unsigned blank, struct severities of, uint32_t message,
                 uint32_t part)
{
    int r = 0;

    if (blank & TK_BLANK_EMPTY)
        r = tk_find(&j->findings, j->t, TK_CODE_TEXT_EMPTY, of.empty, tk_site_of(message, part));
    if (r == 0 && (blank & TK_BLANK_SPACE))
        r = tk_find(&j->findings, j->t, TK_CODE_TEXT_WHITESPACE_ONLY, of.space,
                    tk_site_of(message, part));
    if (r == 0 && (blank & TK_BLANK_MARKED))
        r = tk_find(&j->findings, j->t, TK_CODE_CACHE_CONTROL_EMPTY_TEXT, TK_ERROR,
                    tk_site_of(message, part));
    return r;
}

/* Returns the faults of a part: those of a text, or of the blocks in a result. */
static unsigned blank_part(const struct tk_transcript *t, uint32_t part)
{
    const struct tk_part *p = &t->parts[part];
    unsigned blank;

    if (p->kind != TK_PART_TEXT)
        return blank_among(tk_blocks_inside(p));
    blank = blank_text(tk_part_val(p, p->payload));
    if ((blank & TK_BLANK_EMPTY) && t->shape->wire && tk_marker_of(t, part).p)
        blank |= TK_BLANK_MARKED;
    return blank;
}

/* The visible parts of a message, apart from white space. */
struct shown {
    bool anything;
    uint32_t
        end; /* the white space from here on is the end of the last assistant message; TK_NONE */
};

/* Looks for what a message shows. Thinking isn't visible, nor is what an adapter leaves out. */
static struct shown what_shows(const struct tk_transcript *t, uint32_t message)
{
    bool last = message == t->last_message && t->messages[message].role == TK_ROLE_ASSISTANT &&
                !t->lone_turn;
    struct shown shown = {false, TK_NONE};

    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        const struct tk_part *p = &t->parts[i];

        if (p->flags & TK_PART_INVISIBLE)
            continue;
        if (p->kind == TK_PART_TEXT && blank_text(tk_part_val(p, p->payload))) {
            shown.end = last && shown.end == TK_NONE ? i : shown.end;
            continue;
        }
        shown.anything = shown.anything || !tk_is_thinking(p);
        shown.end = TK_NONE;
    }
    return shown;
}

static int judge_message(struct tk_judge *j, uint32_t message)
{
    struct tk_transcript *t = j->t;
    struct shown shown = {false, TK_NONE};
    bool looked = false, ends = false;
    int r = 0;

    for (uint32_t i = t->messages[message].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
        unsigned blank = blank_part(t, i);
        struct severities of = {TK_ERROR, TK_ERROR};

        if (blank && !looked) {
            shown = what_shows(t, message);
            looked = true;
        }
        ends = ends || (looked && i == shown.end);
        if (!blank)
            continue;
        if (t->parts[i].kind == TK_PART_TEXT && tk_is_separator(t, i, NULL))
            of = (struct severities){TK_WARNING, TK_WARNING};
        else if (shown.anything && !ends)
            of.space = TK_WARNING;
        r = blame(j, blank, of, message, i);
    }
    return r;
}

/* Judges the request's system prompt: a list of blocks, or a string. */
static int judge_system(struct tk_judge *j)
{
    struct tk_val system = tk_request_at(j->request, TK_REQUEST_SYSTEM);
    struct severities of = {TK_ERROR, TK_ERROR};
    unsigned blank = 0;

    if (tk_has_text(system) && tk_text_is_blank(system))
        blank = TK_BLANK_SPACE;
    for (struct tk_val v = tk_first(system); tk_is(system, TK_ARRAY) && tk_exists(v);
         v = tk_after(system, v)) {
        unsigned faults = tk_blank_block(v);

        blank |= faults;
        if (!faults)
            of.space = TK_WARNING;
    }
    return blank ? blame(j, blank, of, TK_NONE, TK_NONE) : 0;
}

/* Returns the turn's last part that reaches the wire, or TK_NONE. */
static uint32_t last_visible(const struct tk_transcript *t, const struct tk_turn *turn)
{
    uint32_t last = TK_NONE;

    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE; i = tk_turn_next(t, turn, i))
        if (!(t->parts[i].flags & TK_PART_INVISIBLE))
            last = i;
    return last;
}

static int judge_end(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    const struct tk_turn *turn = t->turn_count > 0 ? &t->turns[t->turn_count - 1] : NULL;
    uint32_t last;
    struct tk_str text;

    if (!turn || turn->role != TK_ROLE_ASSISTANT || t->lone_turn ||
        tk_adapter_of(t->shape)->trims_end)
        return 0;
    last = last_visible(t, turn);
    if (last == TK_NONE || t->parts[last].kind != TK_PART_TEXT)
        return 0;
    text = tk_text(tk_part_val(&t->parts[last], t->parts[last].payload), t->arena);
    if (tk_is_blank(text) || tk_trim_end(text).n == text.n)
        return 0;
    return tk_find_part(&j->findings, t, TK_CODE_FINAL_ASSISTANT_TRAILING_WHITESPACE, last);
}

int tk_judge_text(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = judge_system(j);

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        r = judge_message(j, m);
    return r < 0 ? r : judge_end(j);
}
