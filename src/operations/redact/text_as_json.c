/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON in a string, such as the arguments of a call: its strings are replaced as those of the document
 * are, its numbers by numbers. What separates them stays, so it is JSON afterwards if it was before,
 * and broken at the same place if it was broken.
 */
#include "operations/redact/redact_inside.h"
#include "value/permute.h"

/* A piece of text between white space, quotes and structure. The longest one that is looked at as a
 * literal or number. */
#define LOOKED_AT 128

static bool ends_word(uint32_t c)
{
    return c <= ' ' || (c < 0x80 && strchr("{}[]:,\"", (int)c));
}

/* Returns the place of the quote that ends a string; the end of the text if none does. */
static uint8_t *string_end(struct tk_spelled text)
{
    while (text.at < text.end) {
        uint32_t c;
        size_t n = tk_spelled_read(text.at, text.end, text.depth, &c);

        if (c == '"')
            return text.at;
        text.at += n;
        if (c == '\\' && text.at < text.end)
            text.at += tk_spelled_read(text.at, text.end, text.depth, &c);
    }
    return text.at;
}

static uint8_t *word_end(struct tk_spelled text)
{
    while (text.at < text.end) {
        uint32_t c;
        size_t n = tk_spelled_read(text.at, text.end, text.depth, &c);

        if (ends_word(c))
            break;
        text.at += n;
    }
    return text.at;
}

static const char *digits(const char *p)
{
    while (*p >= '0' && *p <= '9')
        p++;
    return p;
}

/* Returns true for a number of JSON. */
static bool is_number(const char *p)
{
    p += *p == '-';
    if (digits(p) == p || (*p == '0' && digits(p) > p + 1))
        return false;
    p = digits(p);
    if (*p == '.') {
        if (digits(p + 1) == p + 1)
            return false;
        p = digits(p + 1);
    }
    if (*p == 'e' || *p == 'E') {
        p += 1 + (p[1] == '+' || p[1] == '-');
        if (digits(p) == p)
            return false;
        p = digits(p);
    }
    return *p == '\0';
}

enum word {
    OTHER, /* makes the text broken */
    LITERAL,
    NUMBER,
};

static enum word word_of(struct tk_spelled text)
{
    char word[LOOKED_AT];
    size_t n = 0;

    while (text.at < text.end) {
        uint32_t c;

        text.at += tk_spelled_read(text.at, text.end, text.depth, &c);
        if (n + 1 == sizeof(word) || c == 0 || c >= 0x80)
            return OTHER;
        word[n++] = (char)c;
    }
    word[n] = '\0';
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0 || strcmp(word, "null") == 0)
        return LITERAL;
    return is_number(word) ? NUMBER : OTHER;
}

/* A broken text may have any words. Each has a key of its own, by its index, so that equal ones don't
 * stay equal. */
static void redact_word(const uint64_t key[2], struct tk_spelled word, uint64_t index)
{
    const uint64_t own[2] = {key[0], key[1] ^ (index + 1)};
    enum word is = word_of(word);

    if (is == NUMBER) {
        tk_redact_number(key, word);
    } else if (is == OTHER) {
        do
            tk_permute(own, word);
        while (word_of(word) != OTHER);
    }
}

void tk_redact_json_text(const uint64_t key[2], struct tk_spelled text)
{
    for (uint64_t index = 0; text.at < text.end;) {
        struct tk_spelled piece = text;
        uint32_t c;
        size_t n = tk_spelled_read(text.at, text.end, text.depth, &c);

        if (c == '"') {
            piece.at = text.at + n;
            piece.end = string_end(piece);
            piece.depth++;
            tk_redact_text(key, piece, TK_REDACTED_TEXT);
            text.at = piece.end;
            if (text.at < text.end)
                text.at += tk_spelled_read(text.at, text.end, text.depth, &c);
        } else if (ends_word(c)) {
            text.at += n;
        } else {
            piece.end = word_end(text);
            redact_word(key, piece, index++);
            text.at = piece.end;
        }
    }
}
