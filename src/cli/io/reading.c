/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/reading.h"

#include <pthread.h>
#include <sys/random.h>

#define MAX_DEPTH  256
#define MAX_VALUES (1u << 20)

/* One key for all cores of the process: redact replaces equal strings of all lines by equal ones. */
static uint64_t key[2];
static bool key_is_secret;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void draw_key(void)
{
    /* Early at boot there may be no randomness. With a fixed key a hostile file can only make the
     * program slow. */
    key_is_secret = getrandom(key, sizeof(key), GRND_NONBLOCK) == sizeof(key);
    if (!key_is_secret)
        key[0] = key[1] = 0x9e3779b97f4a7c15u;
}

void cli_secret_key(uint64_t ret_key[2])
{
    pthread_once(&key_once, draw_key);
    ret_key[0] = key[0];
    ret_key[1] = key[1];
}

bool cli_key_is_secret(void)
{
    pthread_once(&key_once, draw_key);
    return key_is_secret;
}

void cli_reading_init(struct cli_reading *reading)
{
    *reading = (struct cli_reading){.limits = {.max_depth = MAX_DEPTH, .max_values = MAX_VALUES}};
    cli_secret_key(reading->limits.hash_key);
    tk_doc_init(&reading->doc, tk_libc_allocator);
    tk_arena_init(&reading->arena, tk_libc_allocator);
}

void cli_reading_done(struct cli_reading *reading)
{
    tk_doc_done(&reading->doc);
    tk_arena_done(&reading->arena);
}

int cli_read_json(struct cli_reading *reading, struct tk_str text)
{
    tk_arena_reset(&reading->arena);
    return tk_json_read(&reading->doc, text.p, text.n, &reading->limits, &reading->arena,
                        &reading->error);
}

bool cli_is_blank_line(struct tk_str line)
{
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] != ' ' && line.p[i] != '\t' && line.p[i] != '\r' && line.p[i] != '\n')
            return false;
    return true;
}
