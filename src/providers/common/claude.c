/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/common/claude.h"

#include "providers/common/models.h"

/* ---- the table ---- */

#define VERSION(major, minor) (100 * (major) + (minor))
#define LATEST                VERSION(99, 99)

struct row {
    struct tk_str family; /* in lower case; `.p == NULL`: every family */
    uint16_t from, upto;  /* versions, both included */
    uint8_t facts;
};

/*
 * The first row that fits a model decides. A new model that differs from the models of its version
 * is a row above theirs; one that doesn't differ is in the row already.
 */
/* clang-format off */
static const struct row rows[] = {
    /* docs "Mid-conversation system messages": accepts the message and loses its text */
    {TK_STR_INIT("sonnet"), VERSION(5, 0), VERSION(5, 0),
     TK_MODEL_TAKES_NO_PREFILL | TK_MODEL_TAKES_NO_SYSTEM | TK_MODEL_THINKS_FREELY},
    /* the same page: 4.8 is the first that reads them */
    {{NULL, 0}, VERSION(4, 8), LATEST,
     TK_MODEL_TAKES_NO_PREFILL | TK_MODEL_THINKS_FREELY},
    /* docs "Extended thinking": adaptive alone from 4.7 on */
    {{NULL, 0}, VERSION(4, 7), VERSION(4, 7),
     TK_MODEL_TAKES_NO_PREFILL | TK_MODEL_TAKES_NO_SYSTEM | TK_MODEL_THINKS_FREELY},
    /* docs "API errors", llxprt-code#3695, hermes-agent#50055: no prefill from 4.6 on;
     * docs "Vision": 600 images from 4.6 on, 100 with the smaller context before */
    {{NULL, 0}, VERSION(4, 6), VERSION(4, 6),
     TK_MODEL_TAKES_NO_PREFILL | TK_MODEL_TAKES_NO_SYSTEM},
    {{NULL, 0}, VERSION(0, 0), VERSION(4, 5),
     TK_MODEL_TAKES_NO_SYSTEM | TK_MODEL_TAKES_FEW_IMAGES},
};
/* clang-format on */

/* ---- names ---- */

static bool is_letter(char c)
{
    return tk_lower(c) >= 'a' && tk_lower(c) <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct tk_str without(struct tk_str s, size_t n)
{
    return (struct tk_str){s.p + n, s.n - n};
}

/* Takes a separator off the start of a name. */
static bool take_separator(struct tk_str *s, bool or_dot)
{
    if (s->n == 0 || (s->p[0] != '-' && !(or_dot && s->p[0] == '.')))
        return false;
    *s = without(*s, 1);
    return true;
}

/* Takes one or two digits off, if they are a whole word: "20250929" is a date. */
static bool take_number(struct tk_str *s, uint8_t *ret)
{
    size_t n = 0;
    uint8_t number = 0;

    for (; n < s->n && n < 3 && is_digit(s->p[n]); n++)
        number = (uint8_t)(10 * number + (s->p[n] - '0'));
    if (n == 0 || n > 2 || (n < s->n && is_letter(s->p[n])))
        return false;
    *ret = number;
    *s = without(*s, n);
    return true;
}

/* Takes "4-5", "4.5" or "4" off. */
static bool take_version(struct tk_str *s, struct tk_model *m)
{
    struct tk_str rest;

    if (!take_number(s, &m->major))
        return false;
    rest = *s;
    m->minor = 0;
    if (take_separator(&rest, true) && take_number(&rest, &m->minor))
        *s = rest;
    return true;
}

/* Takes a family off: letters that no digit follows. */
static bool take_family(struct tk_str *s, struct tk_model *m)
{
    size_t n = 0;

    while (n < s->n && is_letter(s->p[n]))
        n++;
    if (n == 0 || (n < s->n && is_digit(s->p[n])))
        return false;
    m->family = (struct tk_str){s->p, n};
    *s = without(*s, n);
    return true;
}

/* Reads "sonnet-4-5" and "3-5-sonnet". */
static bool read_name(struct tk_str s, struct tk_model *m)
{
    struct tk_str rest = s;

    if (take_family(&rest, m) && take_separator(&rest, false) && take_version(&rest, m))
        return true;
    rest = s;
    return take_version(&rest, m) && take_separator(&rest, false) && take_family(&rest, m);
}

static bool fits(const struct row *row, const struct tk_model *m)
{
    uint16_t version = (uint16_t)VERSION(m->major, m->minor);

    return version >= row->from && version <= row->upto &&
           (!row->family.p ||
            (row->family.n == m->family.n && tk_word_is_at(m->family, 0, row->family)));
}

static uint8_t facts_of(const struct tk_model *m)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (fits(&rows[i], m))
            return rows[i].facts;
    return 0;
}

/* Models of other vendors whose servers copy this API: facts by a piece of the name, in lower case. */
static const struct {
    struct tk_str piece;
    uint8_t facts;
} others[] = {
    /* decolua/9router#2397, esengine/DeepSeek-Reasonix#8902 */
    {TK_STR_INIT("deepseek-reasoner"), TK_MODEL_WANTS_THINKING},
    {TK_STR_INIT("deepseek-v4"), TK_MODEL_WANTS_THINKING},
};

/* Returns the facts of the models whose piece a name begins with. */
static uint8_t facts_of_others(struct tk_str s)
{
    uint8_t facts = 0;

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        facts |= tk_word_is_at(s, 0, others[i].piece) ? others[i].facts : 0;
    return facts;
}

struct tk_model tk_model_of(struct tk_str name)
{
    static const struct tk_str brand = TK_STR_INIT("claude-");
    uint8_t facts = 0;

    for (struct tk_str s = name; s.n > brand.n; s = without(s, 1)) {
        struct tk_model m = {0};

        if (tk_word_is_at(s, 0, brand) && read_name(without(s, brand.n), &m)) {
            m.facts = facts_of(&m);
            return m;
        }
        facts |= facts_of_others(s);
    }
    return (struct tk_model){.facts = facts};
}
