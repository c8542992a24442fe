/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/args/suggest.h"

#include <string.h>

/* longest word that is compared; all names in the tables are shorter */
#define WORD_MAX 32

static unsigned smallest(unsigned a, unsigned b, unsigned c)
{
    unsigned ab = a < b ? a : b;

    return ab < c ? ab : c;
}

/* Counts the letters to insert, drop, replace or swap with their neighbour to turn the n typed
 * letters into `name`. */
static unsigned distance(const char *typed, size_t n, const char *name)
{
    size_t m = strlen(name);
    unsigned rows[WORD_MAX + 1][WORD_MAX + 1];

    if (n > WORD_MAX || m > WORD_MAX)
        return WORD_MAX;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                rows[i][j] = (unsigned)(i + j);
                continue;
            }
            rows[i][j] = smallest(rows[i - 1][j] + 1, rows[i][j - 1] + 1,
                                  rows[i - 1][j - 1] + (typed[i - 1] != name[j - 1]));
            if (i > 1 && j > 1 && typed[i - 1] == name[j - 2] && typed[i - 2] == name[j - 1])
                rows[i][j] = smallest(rows[i][j], rows[i - 2][j - 2] + 1, WORD_MAX);
        }
    return rows[n][m];
}

struct nearest {
    const char *typed;
    size_t n;
    const char *name;
    unsigned distance;
};

/* Keeps the name if it is the nearest so far. A third of its letters may differ; a name that begins
 * with the typed letters is always near. */
static void consider(struct nearest *best, const char *name)
{
    unsigned d = distance(best->typed, best->n, name);

    if (best->n > 1 && strncmp(best->typed, name, best->n) == 0)
        d = 1;
    if (d < best->distance && d <= (best->n + 2) / 3) {
        best->name = name;
        best->distance = d;
    }
}

const char *cli_suggest_command(const char *typed)
{
    struct nearest best = {typed, strlen(typed), NULL, WORD_MAX};

    for (int i = 0; i < CLI_COMMAND_COUNT; i++)
        consider(&best, cli_commands[i].name);
    return best.name;
}

const char *cli_suggest_option(const char *typed, const struct cli_command *command)
{
    unsigned bit = command ? 1u << (command - cli_commands) : ~0u;
    struct nearest best = {typed, strcspn(typed, "="), NULL, WORD_MAX};

    for (int i = 0; i < CLI_OPTION_COUNT; i++)
        if (cli_options[i].commands & bit)
            consider(&best, cli_options[i].name);
    return best.name;
}
