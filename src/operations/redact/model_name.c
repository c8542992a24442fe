/* SPDX-License-Identifier: Apache-2.0 */
#include "operations/redact/redact_inside.h"
#include "providers/words/words.h"
#include "value/letters.h"
#include "value/permute.h"

/* A run of letters and digits up to this length stays: "gpt", "4o", "k2". So does a date. */
#define SHORT 3

/*
 * A longer value, in bytes as they are spelled, is no model's name (Bedrock's, which may be ARNs, are
 * the longest), and looking for words in megabytes would hold a worker for seconds.
 */
#define LONGEST 2048

static const char date[] = "20DDDDDD";
enum {
    DATE = sizeof(date) - 1,
};

/* Letters and digits that no other character interrupts, and no known word. */
struct name_run {
    struct tk_spelled text;
    size_t n;
    size_t dated; /* so many of its first characters are those of a date, "20250929" */
};

static void end_run(const uint64_t key[2], struct name_run *run)
{
    if (run->n > SHORT && !(run->n == DATE && run->dated == DATE))
        tk_permute(key, run->text);
    run->n = 0;
}

static void add_to_run(struct name_run *run, struct tk_spelled text, size_t n, uint32_t c)
{
    if (run->n++ == 0) {
        run->text = text;
        run->dated = 0;
    }
    run->text.end = text.at + n;
    if (run->dated + 1 == run->n && run->n <= DATE &&
        (date[run->dated] == 'D' ? c >= '0' && c <= '9' : c == (uint8_t)date[run->dated]))
        run->dated++;
}

/* Returns the bytes that spell a known word at the start of a text, in any case; 0: there is none. */
static size_t known_word(struct tk_spelled text)
{
    for (const struct tk_str *word = tk_model_words; word->p; word++) {
        const uint8_t *at = text.at;
        size_t i = 0;

        for (uint32_t c; i < word->n && at < text.end; i++) {
            size_t n = tk_spelled_read(at, text.end, text.depth, &c);

            if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != (uint8_t)word->p[i])
                break;
            at += n;
        }
        if (i == word->n)
            return (size_t)(at - text.at);
    }
    return 0;
}

/* Returns true if a text begins with these ASCII characters, in any case; *ret: what follows. */
static bool begins_with(struct tk_spelled text, const char *start, struct tk_spelled *ret)
{
    for (uint32_t c; *start; start++) {
        if (text.at == text.end)
            return false;
        text.at += tk_spelled_read(text.at, text.end, text.depth, &c);
        if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != (uint8_t)*start)
            return false;
    }
    *ret = text;
    return true;
}

/* Returns what follows the next colon; empty: there is none. */
static struct tk_spelled after_colon(struct tk_spelled text)
{
    uint32_t c = 0;

    while (text.at < text.end && c != ':')
        text.at += tk_spelled_read(text.at, text.end, text.depth, &c);
    return text;
}

/*
 * Returns what a person chose of the name of a fine-tuned model, however short its parts are; empty: it
 * isn't one.
 *
 *     ft:gpt-4o-mini-2024-07-18:organisation:suffix:id
 *     davinci:ft-organisation-2022-01-01
 */
static struct tk_spelled chosen_part(struct tk_spelled name)
{
    struct tk_spelled rest;

    if (begins_with(name, "ft:", &rest))
        return after_colon(rest);
    rest = after_colon(name);
    return begins_with(rest, "ft-", &name) ? name
                                           : (struct tk_spelled){name.end, name.end, name.depth};
}

void tk_redact_model_name(const uint64_t key[2], struct tk_spelled text)
{
    struct name_run run = {.n = 0};
    struct tk_spelled chosen = chosen_part(text);

    if (text.end - text.at > LONGEST) {
        tk_permute(key, text);
        return;
    }
    tk_permute(key, chosen);
    text.end = chosen.at;
    while (text.at < text.end) {
        size_t n = known_word(text);
        uint32_t c;

        if (n > 0) {
            end_run(key, &run);
        } else {
            n = tk_spelled_read(text.at, text.end, text.depth, &c);
            if (tk_letters_of(c).count > 1)
                add_to_run(&run, text, n, c);
            else
                end_run(key, &run);
        }
        text.at += n;
    }
    end_run(key, &run);
}
