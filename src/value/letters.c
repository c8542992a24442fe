/* SPDX-License-Identifier: Apache-2.0 */
#include "value/letters.h"

#include <stddef.h>

/* First and last character of each set above ASCII, in ascending order. No range includes white
 * space, and none crosses a length of UTF-8 (U+0800, U+10000). */
static const struct {
    uint32_t first, last;
} ranges[] = {
    {0xA1, 0xBF},       /* signs of Latin-1 */
    {0xC0, 0xFF},       /* its letters */
    {0x100, 0x24F},     /* more Latin */
    {0x250, 0x36F},     /* phonetic letters, accents */
    {0x370, 0x3FF},     /* Greek */
    {0x400, 0x52F},     /* Cyrillic */
    {0x530, 0x58F},     /* Armenian */
    {0x590, 0x5FF},     /* Hebrew */
    {0x600, 0x7FF},     /* Arabic and others */
    {0x800, 0x8FF},     /* Samaritan to Arabic */
    {0x900, 0x97F},     /* Devanagari */
    {0x980, 0xDFF},     /* other scripts of India */
    {0xE00, 0xE7F},     /* Thai */
    {0xE80, 0x167F},    /* Lao to Canadian syllables */
    {0x1681, 0x1FFF},   /* Ogham to Greek with accents */
    {0x200B, 0x2027},   /* punctuation */
    {0x202A, 0x202E},   /* directions */
    {0x2030, 0x205E},   /* punctuation */
    {0x2060, 0x2FFF},   /* symbols */
    {0x3001, 0x303F},   /* punctuation of Chinese and Japanese */
    {0x3040, 0x309F},   /* Hiragana */
    {0x30A0, 0x30FF},   /* Katakana */
    {0x3100, 0x33FF},   /* Bopomofo to square forms */
    {0x3400, 0x4DBF},   /* rare Han */
    {0x4DC0, 0x4DFF},   /* hexagrams */
    {0x4E00, 0x9FFF},   /* Han */
    {0xA000, 0xABFF},   /* Yi to Meetei */
    {0xAC00, 0xD7A3},   /* Hangul */
    {0xD7A4, 0xD7FF},   /* parts of Hangul */
    {0xE000, 0xF8FF},   /* private use */
    {0xF900, 0xFEFE},   /* forms for compatibility */
    {0xFF00, 0xFFEF},   /* wide and narrow forms */
    {0x10000, 0x1EFFF}, /* historic scripts, mathematics */
    {0x1F000, 0x1FFFF}, /* pictures */
    {0x20000, 0x3FFFF}, /* more Han */
    {0x40000, 0x10FFFF},
};

static struct tk_letters ascii(uint32_t c)
{
    if (c >= 'a' && c <= 'z')
        return (struct tk_letters){'a', 26};
    if (c >= 'A' && c <= 'Z')
        return (struct tk_letters){'A', 26};
    if (c >= '0' && c <= '9')
        return (struct tk_letters){'0', 10};
    return (struct tk_letters){c, 0};
}

struct tk_letters tk_letters_of(uint32_t c)
{
    size_t low = 0, high = sizeof(ranges) / sizeof(ranges[0]);

    if (c < 0x80)
        return ascii(c);
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (c > ranges[middle].last)
            low = middle + 1;
        else if (c < ranges[middle].first)
            high = middle;
        else
            return (struct tk_letters){ranges[middle].first,
                                       ranges[middle].last - ranges[middle].first + 1};
    }
    return (struct tk_letters){c, 0};
}
