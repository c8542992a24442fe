/* SPDX-License-Identifier: Apache-2.0 */
#include "operations/redact/redact_inside.h"
#include "providers/words/words.h"
#include "value/permute.h"
#include "value/unicode.h"

/* Characters of a text that are looked at: more than any word, beginning or end has. */
#define LOOKED_AT 96

/* Most digits of a number at the end that stays. */
#define NUMBER_MAX 3

/* The start of a text as ASCII. Other characters are bytes that no word has. */
struct start {
    char chars[LOOKED_AT];
    uint8_t *at[LOOKED_AT + 1]; /* where each is spelled; at[n]: after the last one */
    size_t n;
    bool whole; /* the text has no more */
};

/* How much stays: characters at the start, and at the end. */
struct frame {
    size_t beginning, end;
    uint8_t *from, *to; /* what is between them */
};

static void look(struct start *s, struct tk_spelled text)
{
    for (s->n = 0; s->n < LOOKED_AT && text.at < text.end; s->n++) {
        uint32_t c;

        s->at[s->n] = text.at;
        text.at += tk_spelled_read(text.at, text.end, text.depth, &c);
        s->chars[s->n] = c < 0x80 ? (char)c : '\x80';
    }
    s->at[s->n] = text.at;
    s->whole = text.at == text.end;
}

/* Looks at the last characters of a text that is longer than its start. */
static void look_at_end(struct start *s, struct tk_spelled text)
{
    struct tk_spelled ahead = {s->at[s->n], text.end, text.depth};
    uint32_t c;

    while (ahead.at < ahead.end) {
        ahead.at += tk_spelled_read(ahead.at, ahead.end, text.depth, &c);
        text.at += tk_spelled_read(text.at, text.end, text.depth, &c);
    }
    look(s, text);
}

/* Returns the length of the numbers at the end, "_2" or "_2_3": repair makes ids that differ by such
 * a number from another one, and looks if the history has them already. */
static size_t numbers_length(struct tk_str text)
{
    size_t n = 0, digits = 0;

    while (n + digits < text.n) {
        char c = text.p[text.n - n - digits - 1];

        if (c >= '0' && c <= '9' && digits < NUMBER_MAX) {
            digits++;
        } else if (c == '_' && digits > 0) {
            n += digits + 1;
            digits = 0;
        } else {
            break;
        }
    }
    return n;
}

/* Returns the length of the beginning that rules look for, with the white space before it; 0: the text
 * has none. */
static size_t beginning_of(struct tk_str text)
{
    size_t blanks = 0, length;
    struct tk_str rest = text;

    while ((length = tk_white_space_at(rest)) > 0) {
        blanks += length;
        rest = (struct tk_str){text.p + blanks, text.n - blanks};
    }
    for (const struct tk_str *p = tk_word_beginnings; p->p; p++)
        if (tk_str_starts(rest, *p))
            return blanks + p->n;
    return 0;
}

static size_t end_of(struct tk_str text)
{
    for (const struct tk_str *p = tk_word_ends; p->p; p++)
        if (tk_str_ends(text, *p))
            return p->n;
    return numbers_length(text);
}

/* Only what may be a type is looked at up to its end, however long it is. */
static struct frame frame_of(const struct start *s, struct tk_spelled text, enum tk_redacted_as as)
{
    struct tk_str chars = {s->chars, s->n};
    struct frame f = {.beginning = beginning_of(chars), .to = text.end};
    struct start tail;

    f.from = s->at[f.beginning];
    if (s->whole) {
        chars = (struct tk_str){s->chars + f.beginning, s->n - f.beginning};
        f.end = end_of(chars);
        f.to = s->at[s->n - f.end];
    } else if (as == TK_REDACTED_WORD) {
        tail = *s;
        look_at_end(&tail, text);
        f.end = end_of((struct tk_str){tail.chars, tail.n});
        f.to = tail.at[tail.n - f.end];
    }
    return f;
}

/* Returns the length of a date at the end of a type, "_20250305"; 0: there is none. */
static size_t date_length(const struct start *s)
{
    static const char form[] = "_20DDDDDD";
    const size_t n = sizeof(form) - 1;

    if (!s->whole || s->n <= n)
        return 0;
    for (size_t i = 0; i < n; i++) {
        char c = s->chars[s->n - n + i];

        if (form[i] == 'D' ? c < '0' || c > '9' : c != form[i])
            return 0;
    }
    return n;
}

/* Returns true for a word, also one with a beginning and an end. */
static bool is_framed_word(struct tk_str text)
{
    size_t beginning = beginning_of(text), end;

    if (tk_find_known_word(text))
        return true;
    text = (struct tk_str){text.p + beginning, text.n - beginning};
    end = end_of(text);
    text.n -= end;
    return beginning + end > 0 && (text.n == 0 || tk_find_known_word(text));
}

/* Returns true for a word of the protocol, also with a beginning, an end or a date. */
static bool is_word(const struct start *s)
{
    return s->whole && (is_framed_word((struct tk_str){s->chars, s->n}) ||
                        is_framed_word((struct tk_str){s->chars, s->n - date_length(s)}));
}

/*
 * Replaces what is between the beginning and the end. What comes out may happen to have another
 * beginning or end, or to be a word: it is then replaced once more. The texts of one frame are
 * permuted until one of them is reached again, so none is reached from two.
 */
static void replace(const uint64_t key[2], struct tk_spelled text, struct start *s,
                    enum tk_redacted_as as)
{
    const struct frame f = frame_of(s, text, as);
    struct frame found;

    do {
        tk_permute(key, (struct tk_spelled){f.from, f.to, text.depth});
        look(s, text);
        found = frame_of(s, text, as);
    } while (f.from < f.to && (found.beginning != f.beginning || found.end != f.end ||
                               (as == TK_REDACTED_WORD && is_word(s))));
}

/* Replaces a type that has a date, which stays: "acme_20250305". */
static bool replace_dated(const uint64_t key[2], struct tk_spelled text, const struct start *s)
{
    size_t n = date_length(s);
    struct start undated = *s;

    if (n == 0)
        return false;
    text.end = s->at[s->n - n];
    look(&undated, text);
    replace(key, text, &undated, TK_REDACTED_WORD);
    return true;
}

void tk_redact_text(const uint64_t key[2], struct tk_spelled text, enum tk_redacted_as as)
{
    struct start s;

    if (as == TK_REDACTED_MODEL) {
        tk_redact_model_name(key, text);
        return;
    }
    if (as == TK_REDACTED_JSON) {
        tk_redact_json_text(key, text);
        return;
    }
    look(&s, text);
    if (as == TK_REDACTED_WORD && (is_word(&s) || replace_dated(key, text, &s)))
        return;
    if (tk_str_starts((struct tk_str){s.chars, s.n}, TK_STR("data:")) &&
        tk_redact_data_url(key, text))
        return;
    if (!tk_redact_media(key, text))
        replace(key, text, &s, as);
}
