/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strtod() and printf() take the decimal point from the locale, so they never get one: a number is
 * digits and a power of ten, and "12.5e3" becomes "125e2".
 */
#include "value/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DIGITS_MAX 17 /* enough for any double */

/* A number above 0 as digits d[0].d[1]d[2]... x 10^exponent, correctly rounded to n digits. */
struct decimal {
    char digits[DIGITS_MAX + 1];
    int n;
    int exponent; /* of the first digit */
};

static struct decimal decimal_of(double d, int n)
{
    struct decimal decimal = {.n = 0};
    char text[48];
    const char *p = text;

    snprintf(text, sizeof(text), "%.*e", n - 1, d);
    for (; *p != 'e'; p++)
        if (*p >= '0' && *p <= '9')
            decimal.digits[decimal.n++] = *p;
    decimal.exponent = (int)strtol(p + 1, NULL, 10);
    while (decimal.n > 1 && decimal.digits[decimal.n - 1] == '0')
        decimal.n--;
    return decimal;
}

static bool reads_back(const struct decimal *decimal, double d)
{
    char text[48];

    snprintf(text, sizeof(text), "%.*se%d", decimal->n, decimal->digits,
             decimal->exponent - decimal->n + 1);
    return !(strtod(text, NULL) < d) && !(strtod(text, NULL) > d);
}

static struct decimal shortest(double d)
{
    /* A normal double reproduces any decimal of up to DBL_DIG digits, a subnormal one may not. */
    int n = d < DBL_MIN ? 1 : DBL_DIG;
    struct decimal decimal = decimal_of(d, n);

    while (n < DIGITS_MAX && !reads_back(&decimal, d))
        decimal = decimal_of(d, ++n);
    return decimal;
}

size_t tk_real_text(double d, char text[static TK_REAL_TEXT_MAX])
{
    const char *sign = signbit(d) ? "-" : "";
    struct decimal x = shortest(fabs(d));
    int n;

    if (x.exponent < -5 || x.exponent > 16)
        n = snprintf(text, TK_REAL_TEXT_MAX, "%s%c%s%.*se%d", sign, x.digits[0], x.n > 1 ? "." : "",
                     x.n - 1, x.digits + 1, x.exponent);
    else if (x.exponent < 0)
        n = snprintf(text, TK_REAL_TEXT_MAX, "%s0.%.*s%.*s", sign, -x.exponent - 1, "00000", x.n,
                     x.digits);
    else if (x.n <= x.exponent + 1)
        n = snprintf(text, TK_REAL_TEXT_MAX, "%s%.*s%.*s.0", sign, x.n, x.digits,
                     x.exponent + 1 - x.n, "0000000000000000");
    else
        n = snprintf(text, TK_REAL_TEXT_MAX, "%s%.*s.%.*s", sign, x.exponent + 1, x.digits,
                     x.n - x.exponent - 1, x.digits + x.exponent + 1);
    return (size_t)n;
}

bool tk_int64_of(struct tk_str lexeme, int64_t *ret)
{
    bool negative = lexeme.p[0] == '-';
    int64_t value = 0;

    for (size_t i = negative; i < lexeme.n; i++) {
        int digit = lexeme.p[i] - '0';

        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, negative ? -digit : digit, &value))
            return false;
    }
    *ret = value;
    return true;
}

bool tk_uint64_of(struct tk_str lexeme, uint64_t *ret)
{
    uint64_t value = 0;

    for (size_t i = 0; i < lexeme.n; i++) {
        int digit = lexeme.p[i] - '0';

        if (digit < 0 || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, digit, &value))
            return false;
    }
    *ret = value;
    return true;
}

/* Returns the number after an 'e', limited so that it can't overflow: no number in a document has
 * enough digits to make up for a larger exponent. */
static int64_t exponent_of(const char *p, const char *end)
{
    const int64_t far = (int64_t)1 << 40;
    bool negative = p < end && *p == '-';
    int64_t exponent = 0;

    if (negative || (p < end && *p == '+'))
        p++;
    for (; p < end && exponent < far; p++)
        exponent = exponent * 10 + (*p - '0');
    return negative ? -exponent : exponent;
}

bool tk_real_of(struct tk_str lexeme, struct tk_arena *arena, double *ret)
{
    const char *p = lexeme.p, *end = lexeme.p + lexeme.n, *point = NULL;
    size_t room = lexeme.n + 24;
    char *text = tk_arena_alloc(arena, room), *to = text;
    int64_t exponent = 0;

    if (!text)
        return false;
    for (; p < end && (*p | 0x20) != 'e'; p++) {
        if (*p == '.')
            point = p;
        else
            *to++ = *p;
    }
    if (point)
        exponent = -(p - point - 1);
    if (p < end)
        exponent += exponent_of(p + 1, end);
    snprintf(to, room - (size_t)(to - text), "e%lld", (long long)exponent);
    *ret = strtod(text, NULL);
    if (isinf(*ret))
        *ret = copysign(DBL_MAX, *ret);
    return true;
}
