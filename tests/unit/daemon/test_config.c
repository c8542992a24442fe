/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration: every key's borders, and what is said about a bad one. */
#include "daemon/config.h"
#include "daemon/place.h"
#include "net/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../tap.h"

/* A file with this text; the path is the test's own and gone at its end. */
struct file {
    char path[64];
};

static struct file write_file(const char *text)
{
    struct file f = {"/tmp/tkconfXXXXXX"};
    int fd = mkstemp(f.path);

    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    return f;
}

static int load(const char *text, struct tk_settings **ret_settings, struct tk_config_error *error)
{
    struct file f = write_file(text);
    struct tk_overrides overrides = {.config = f.path};
    int r = tk_config_load(&overrides, ret_settings, error);
    size_t n = strlen(f.path);

    if (r != 0 && strncmp(error->text, f.path, n) == 0)
        memmove(error->text, error->text + n, strlen(error->text + n) + 1);
    unlink(f.path);
    return r;
}

static struct tk_settings *good(const char *text)
{
    struct tk_config_error error;
    struct tk_settings *s = NULL;

    if (load(text, &s, &error) != 0)
        CU_FAIL_FATAL(error.text);
    return s;
}

/* Checks that the file is refused, with this text after its name. */
static void bad(const char *text, const char *complaint)
{
    struct tk_config_error error;
    struct tk_settings *s = NULL;

    CU_ASSERT_EQUAL(load(text, &s, &error), TK_CONFIG_BAD);
    if (strncmp(error.text, complaint, strlen(complaint)) != 0)
        printf("# wanted \"%s\", got \"%s\"\n", complaint, error.text);
    CU_ASSERT_EQUAL(strncmp(error.text, complaint, strlen(complaint)), 0);
    CU_ASSERT_PTR_NULL(s);
    tk_settings_unref(s);
}

static void test_defaults(void)
{
    struct tk_settings *s = good("{}");

    /* A default of 0 is made from others. */
    for (size_t i = 0; i < TK_LIMIT_COUNT; i++)
        CU_ASSERT(tk_limit_rows[i].def == 0 ||
                  tk_limit_get(&s->limits, (enum tk_limit)i) == tk_limit_rows[i].def);
    CU_ASSERT_EQUAL(s->limits.max_inflight_bytes_per_uid, s->limits.max_inflight_bytes / 2);
    CU_ASSERT_STRING_EQUAL(s->socket, "/run/turnkeeper/turnkeeper.sock");
    CU_ASSERT_STRING_EQUAL(s->control, "/run/turnkeeper/turnkeeper.control.sock");
    CU_ASSERT_EQUAL(s->socket_mode, 0660);
    CU_ASSERT_EQUAL(s->log_level, TK_LOG_INFO);
    CU_ASSERT_EQUAL(s->log_repairs, TK_LOG_REPAIRS_NONE);
    CU_ASSERT(!s->allow_uids.set && !s->allow_gids.set);
    tk_settings_unref(s);
}

static void test_all_keys(void)
{
    struct tk_settings *s = good(
        "{\"socket\": \"/a/b.sock\", \"control\": \"/a/c\", \"workers\": 7,"
        " \"log_level\": \"debug\", \"socket_mode\": \"0600\", \"socket_group\": \"root\","
        " \"log_repairs\": \"changed\", \"allow_uids\": [5, 0, 1000], \"allow_gids\": [], \"max_frame\": 4096,"
        " \"idle_timeout\": 1.5, \"drain_timeout\": 0}");

    CU_ASSERT_STRING_EQUAL(s->socket, "/a/b.sock");
    CU_ASSERT_STRING_EQUAL(s->control, "/a/c");
    CU_ASSERT_EQUAL(s->workers, 7);
    CU_ASSERT_EQUAL(s->log_level, TK_LOG_DEBUG);
    CU_ASSERT_EQUAL(s->log_repairs, TK_LOG_REPAIRS_CHANGED);
    CU_ASSERT_EQUAL(s->socket_mode, 0600);
    CU_ASSERT_STRING_EQUAL(s->socket_group, "root");
    CU_ASSERT(tk_id_list_has(&s->allow_uids, 0) && tk_id_list_has(&s->allow_uids, 1000));
    CU_ASSERT(!tk_id_list_has(&s->allow_uids, 6));
    CU_ASSERT(s->allow_gids.set && !tk_id_list_has(&s->allow_gids, 0));
    CU_ASSERT_EQUAL(s->limits.max_frame, 4096);
    CU_ASSERT_EQUAL(s->limits.idle_timeout, 1500 * TK_MILLISECOND);
    CU_ASSERT_EQUAL(s->limits.drain_timeout, 0);
    tk_settings_unref(s);
}

/* Least and most of each limit are good, one less and one more aren't. */
static void test_every_limits_range(void)
{
    char text[128], complaint[128];

    for (size_t i = 0; i < TK_LIMIT_COUNT; i++) {
        const struct tk_limit_row *row = &tk_limit_rows[i];
        bool seconds = row->unit == TK_UNIT_SECONDS;
        double scale = seconds ? (double)TK_SECOND : 1;
        const int64_t values[] = {row->min, row->max, row->def > 0 ? row->def : row->min};

        for (size_t j = 0; j < 3; j++) {
            snprintf(text, sizeof(text), "{\"%s\": %.15g}", row->name, (double)values[j] / scale);
            tk_settings_unref(good(text));
        }
        snprintf(complaint, sizeof(complaint), ":1:2: %s: must be a %s", row->name,
                 seconds ? "number of seconds from " : "whole number from ");
        snprintf(text, sizeof(text), "{\"%s\": %.15g}", row->name, ((double)row->min - 1) / scale);
        bad(text, complaint);
        snprintf(text, sizeof(text), "{\"%s\": %.15g}", row->name,
                 ((double)row->max + 1e9) / scale);
        bad(text, complaint);
        snprintf(text, sizeof(text), "{\"%s\": \"1\"}", row->name);
        bad(text, complaint);
    }
}

static void test_bad_values(void)
{
    static const struct {
        const char *text, *complaint;
    } rows[] = {
        {"{\"socket\": 1}", ":1:2: socket: must be an absolute path"},
        {"{\"socket\": \"a\"}", ":1:2: socket: must be an absolute path"},
        {"{\"socket\": \"/a\\u0000b\"}", ":1:"},
        {"{\"workers\": 0}", ":1:2: workers: must be a number from 1 to 256"},
        {"{\"workers\": 257}", ":1:2: workers: "},
        {"{\"workers\": 1.0}", ":1:2: workers: "},
        {"{\"workers\": null}", ":1:2: workers: "},
        {"{\"log_level\": \"loud\"}", ":1:2: log_level: must be error, "},
        {"{\"log_level\": 1}", ":1:2: log_level: "},
        {"{\"log_repairs\": \"some\"}", ":1:2: log_repairs: must be none, changed or all"},
        {"{\"log_repairs\": true}", ":1:2: log_repairs: must be none, changed or all"},
        {"{\"socket_mode\": 660}", ":1:2: socket_mode: must be an octal mode"},
        {"{\"socket_mode\": \"0860\"}", ":1:2: socket_mode: "},
        {"{\"socket_mode\": \"1777\"}", ":1:2: socket_mode: "},
        {"{\"socket_mode\": \"0060\"}", ":1:2: socket_mode: "},
        {"{\"socket_mode\": \"\"}", ":1:2: socket_mode: "},
        {"{\"socket_group\": \"\"}", ":1:2: socket_group: "},
        {"{\"socket_group\": \"no such group\"}", ":1:2: socket_group: must be the name of a"},
        {"{\"allow_uids\": 5}", ":1:2: allow_uids: must be a list"},
        {"{\"allow_uids\": [-1]}", ":1:2: allow_uids: must be a list of ids"},
        {"{\"allow_uids\": [4294967295]}", ":1:2: allow_uids: "},
        {"{\"allow_gids\": [1, \"2\"]}", ":1:2: allow_gids: "},
        {"{\"max_frame\": true}", ":1:2: max_frame: "},
        {"{\"max_frame\": 1e3}", ":1:2: max_frame: must be a whole number from 1 to 1073741824"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        bad(rows[i].text, rows[i].complaint);
}

static void test_places(void)
{
    bad("{\n  \"workers\": 1,\n    \"max_frames\": 2\n}", ":3:5: max_frames: unknown key");
    bad("{\"log_level\": \"info\",\n\"socket_mode\": \"socket\", \"socket\": 7}",
        ":2:1: socket_mode: ");
    bad("{\"allow_uids\": [1, 2], \"x\": {\"max_frame\": 1}, \"max_frame\": 0}", ":1:24: x: ");
    bad("{\"a\\\"b\": 1}", ":1:1: a'b: unknown key");
    bad("{\n\"max_frame\": 0,\n\"max_frame\": 1}", ":3:");
    bad("[]", ":1:1: the configuration must be an object");
    bad("", ":1:");
    bad("{\"max_frame\": 1", ":1:");
    bad("{} x", ":1:");
    bad("{\"max_frame\": 1, // no\n}", ":1:");
}

static void check_place(const char *text, const char *key, size_t line, size_t column)
{
    struct tk_config_place place = tk_config_place_of_key(text, strlen(text), key);

    CU_ASSERT_EQUAL(place.line, line);
    CU_ASSERT_EQUAL(place.column, column);
}

static void test_place_of_key(void)
{
    check_place("{\"a\":\"b\",\"b\":1}", "b", 1, 10);
    check_place("{\"a\":{\"b\":1},\n \"b\" : 1}", "b", 2, 2);
    check_place("{\"a\":[\"b\"],\"\\\"b\":0,\n\n\"b\"\n:1}", "b", 3, 1);
    check_place("{\"a\":1}", "b", 1, 1);
    check_place("", "b", 1, 1);
}

static void test_the_command_line_wins(void)
{
    struct file f = write_file("{\"socket\": \"/a.sock\", \"control\": \"/c\", \"workers\": 1}");
    struct tk_overrides overrides = {.config = f.path,
                                     .socket = "/b.sock",
                                     .control = "/d.sock",
                                     .workers = "3",
                                     .log_level = "error"};
    struct tk_config_error error;
    struct tk_settings *s = NULL;

    CU_ASSERT_EQUAL_FATAL(tk_config_load(&overrides, &s, &error), 0);
    CU_ASSERT_STRING_EQUAL(s->socket, "/b.sock");
    CU_ASSERT_STRING_EQUAL(s->control, "/d.sock");
    CU_ASSERT_EQUAL(s->workers, 3);
    CU_ASSERT_EQUAL(s->log_level, TK_LOG_ERROR);
    tk_settings_unref(s);
    overrides.workers = "3x";
    CU_ASSERT_EQUAL(tk_config_load(&overrides, &s, &error), TK_CONFIG_BAD);
    CU_ASSERT_EQUAL(strncmp(error.text, "--workers: ", 11), 0);
    unlink(f.path);
}

static void test_a_missing_file(void)
{
    struct tk_overrides overrides = {.config = "/no/such/file"};
    struct tk_config_error error;
    struct tk_settings *s = NULL;

    CU_ASSERT_EQUAL(tk_config_load(&overrides, &s, &error), TK_CONFIG_BAD);
    CU_ASSERT_STRING_EQUAL(error.text, "/no/such/file: No such file or directory");
    if (access(TK_CONFIG_FILE, F_OK) == 0)
        return; /* there is a real one here */
    overrides.config = NULL;
    CU_ASSERT_EQUAL(tk_config_load(&overrides, &s, &error), 0);
    tk_settings_unref(s);
}

static void check_control(const char *socket, const char *control)
{
    struct tk_overrides overrides = {.socket = socket};
    struct file f = write_file("{}");
    struct tk_config_error error;
    struct tk_settings *s = NULL;

    overrides.config = f.path;
    CU_ASSERT_EQUAL_FATAL(tk_config_load(&overrides, &s, &error), 0);
    CU_ASSERT_STRING_EQUAL(s->control, control);
    tk_settings_unref(s);
    unlink(f.path);
}

static void test_the_control_path(void)
{
    char path[108];

    check_control("/x/y.sock", "/x/y.control.sock");
    check_control("/x/y", "/x/y.control.sock");
    check_control("/x/.sock", "/x/.control.sock");
    check_control("/x/y.sock.d", "/x/y.sock.d.control.sock");
    bad("{\"socket\": \"/a\", \"control\": \"/a\"}", "/a: control: must differ");
    memset(path, 'x', sizeof(path) - 1);
    path[0] = '/';
    path[sizeof(path) - 1] = '\0';
    CU_ASSERT_EQUAL(tk_config_load(&(struct tk_overrides){.socket = path, .config = "/dev/null"},
                                   &(struct tk_settings *){NULL}, &(struct tk_config_error){""}),
                    TK_CONFIG_BAD);
}

static void test_keep_fixed(void)
{
    struct tk_settings *old =
        good("{\"workers\": 1, \"socket_group\": \"root\", \"max_frame\": 5}");
    struct tk_settings *s = good("{\"socket\": \"/n\", \"workers\": 2, \"max_frame\": 6}");
    char names[128];

    CU_ASSERT_EQUAL(tk_config_keep_fixed(s, old, names, sizeof(names)), 0);
    CU_ASSERT_STRING_EQUAL(names, "socket control socket_group workers");
    CU_ASSERT_STRING_EQUAL(s->socket, old->socket);
    CU_ASSERT_STRING_EQUAL(s->socket_group, "root");
    CU_ASSERT_EQUAL(s->workers, 1);
    CU_ASSERT_EQUAL(s->limits.max_frame, 6);
    CU_ASSERT_EQUAL(tk_config_keep_fixed(s, old, names, sizeof(names)), 0);
    CU_ASSERT_STRING_EQUAL(names, "");
    tk_settings_unref(old);
    tk_settings_unref(s);
}

static void test_copies(void)
{
    struct tk_settings *s = good("{\"allow_uids\": [3, 1], \"socket_group\": \"root\"}");
    struct tk_settings *copy = tk_settings_copy(s);

    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    tk_settings_unref(s);
    CU_ASSERT(tk_id_list_has(&copy->allow_uids, 3));
    CU_ASSERT_STRING_EQUAL(copy->socket_group, "root");
    CU_ASSERT_STRING_EQUAL(copy->socket, TK_DEFAULT_SOCKET);
    tk_settings_unref(tk_settings_ref(copy));
    tk_settings_unref(copy);
    tk_settings_unref(NULL);
}

TAP_MAIN("config", TAP_TEST(test_defaults), TAP_TEST(test_all_keys),
         TAP_TEST(test_every_limits_range), TAP_TEST(test_bad_values), TAP_TEST(test_places),
         TAP_TEST(test_place_of_key), TAP_TEST(test_the_command_line_wins),
         TAP_TEST(test_a_missing_file), TAP_TEST(test_the_control_path), TAP_TEST(test_keep_fixed),
         TAP_TEST(test_copies))
