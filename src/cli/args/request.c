/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/args/request.h"

#include "cli/io/reading.h"
#include "shapes/shape.h"
#include "value/unicode.h"
#include "value/writer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define ARGUMENT_MAX ((size_t)1 << 30)
/* Longest path of a parameter, "splice/options/on_assistant_conflict" and more. */
#define PATH_MAX_SIZE 64

/* Writes the path of an option's parameter in the command's `params` to buf. */
static struct tk_str path_of(const struct cli_args *args, const struct cli_option *option,
                             char buf[PATH_MAX_SIZE])
{
    bool inside = option->step && args->command == &cli_commands[CLI_PREPARE];
    int n = snprintf(buf, PATH_MAX_SIZE, "%s%s%s", inside ? option->step : "", inside ? "/" : "",
                     option->param);

    return (struct tk_str){buf, (size_t)n};
}

/* Reads a whole file, or stdin if name is NULL. Returns 0, or the status of a reported failure. */
static int read_file(const char *name, struct cli_buf *ret)
{
    int fd = name ? open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO;
    int r;

    if (fd < 0)
        return cli_fail("%s: %m", name);
    r = cli_buf_read_all(ret, fd, ARGUMENT_MAX);
    if (name)
        close(fd);
    return r < 0 ? cli_fail("%s: %s", name ? name : "stdin", strerror(-r)) : 0;
}

int cli_json_argument(const char *argument, bool stdin_too, struct cli_buf *ret_json)
{
    if (stdin_too && strcmp(argument, "-") == 0)
        return read_file(NULL, ret_json);
    if (argument[0] == '@')
        return read_file(argument + 1, ret_json);
    return cli_buf_add(ret_json, argument, strlen(argument)) < 0 ? cli_fail("out of memory") : 0;
}

/* Writes ENDPOINT[:MODEL] as the object that the protocol expects, with --model and --server. */
static void write_target(struct tk_writer *w, const struct cli_args *args, const char *target)
{
    const char *model = args->value[CLI_OPT_MODEL], *server = args->value[CLI_OPT_SERVER];
    const char *colon = strchr(target, ':');

    tk_write_map(w);
    tk_write_kv_str(w, "endpoint",
                    (struct tk_str){target, colon ? (size_t)(colon - target) : strlen(target)});
    if (colon)
        model = colon + 1;
    if (model)
        tk_write_kv_cstr(w, "model", model);
    if (server)
        tk_write_kv_cstr(w, "server", server);
    tk_write_end(w);
}

/* Returns the part of an option's JSON to send: all of it, or only a request body's messages. */
static struct tk_val part_to_send(const struct cli_option *option, struct tk_val root)
{
    const struct tk_shape *shape;

    if (option->encoding == CLI_AS_MESSAGES && !tk_is(root, TK_ARRAY))
        return tk_find_messages(root, &shape);
    return root;
}

/* Writes JSON unchanged. Checks it first: text that isn't one JSON value could break the
 * request. */
static int write_checked(struct tk_writer *w, const struct cli_args *args,
                         const struct cli_option *option, struct tk_str json)
{
    struct cli_reading reading;
    struct tk_val part;
    int r;

    cli_reading_init(&reading);
    r = cli_read_json(&reading, json);
    part = r == 0 ? part_to_send(option, tk_root(&reading.doc)) : TK_NO_VAL;
    if (r > 0)
        r = cli_usage_error(args->command, "--%s: %s at byte %zu", option->name, reading.error.what,
                            reading.error.offset + 1);
    else if (r < 0)
        r = cli_fail("out of memory");
    else if (!tk_exists(part))
        r = cli_usage_error(args->command,
                            "--%s: neither a list of messages nor a request body, which has "
                            "\"messages\"",
                            option->name);
    else /* without the white space around it; the arena outlives the buffer */
        tk_write_raw(w, tk_arena_dup(w->out->arena, tk_span(part)));
    cli_reading_done(&reading);
    return r;
}

static int write_json(struct tk_writer *w, const struct cli_args *args,
                      const struct cli_option *option, const char *value)
{
    struct cli_buf json = {0};
    int r = option->encoding == CLI_AS_MESSAGES ? read_file(value, &json)
                                                : cli_json_argument(value, false, &json);

    if (r == 0)
        r = write_checked(w, args, option, cli_buf_str(&json));
    cli_buf_done(&json);
    return r;
}

/* Writes A,B as the list that the protocol expects. */
static void write_names(struct tk_writer *w, const char *names)
{
    tk_write_list(w);
    while (*names) {
        size_t n = strcspn(names, ",");

        if (n > 0)
            tk_write_str(w, (struct tk_str){names, n});
        names += n + (names[n] == ',');
    }
    tk_write_end(w);
}

/* Writes an option's plain argument as a value of the request. */
static void write_plain(struct tk_writer *w, const struct cli_args *args,
                        const struct cli_option *option, const char *value)
{
    switch (option->encoding) {
    case CLI_AS_NUMBER:
        tk_write_uint(w, cli_number(args, (enum cli_option_id)(option - cli_options), 0));
        break;
    case CLI_AS_FALSE:
    case CLI_AS_TRUE:
        tk_write_bool(w, option->encoding == CLI_AS_TRUE);
        break;
    case CLI_AS_TARGET:
        write_target(w, args, value);
        break;
    case CLI_AS_NAMES:
        write_names(w, value);
        break;
    default:
        tk_write_cstr(w, value);
        break;
    }
}

static int write_option(struct tk_writer *w, const struct cli_args *args,
                        const struct cli_option *option, struct tk_str key)
{
    const char *value = args->value[option - cli_options];
    bool is_json = value[0] == '{' || value[0] == '[' || value[0] == '@';

    if (option->encoding != CLI_AS_MESSAGES && tk_utf8_valid(value, strlen(value)) != strlen(value))
        return cli_usage_error(args->command, "--%s: not UTF-8", option->name);
    tk_write_key_str(w, key);
    if (option->encoding == CLI_AS_JSON || option->encoding == CLI_AS_MESSAGES ||
        (is_json && option->encoding > CLI_AS_JSON))
        return write_json(w, args, option, value);
    write_plain(w, args, option, value);
    return 0;
}

/* Returns true for an option that is sent as a member of --target's object. */
static bool is_of_target(const struct cli_args *args, int option)
{
    return (option == CLI_OPT_MODEL || option == CLI_OPT_SERVER) && cli_given(args, CLI_OPT_TARGET);
}

/* Returns true if the option has a parameter of its own: --model and --server don't if --target has the
 * object that they belong to, --at only where the whole document is sent. */
static bool is_sent(const struct cli_args *args, int option)
{
    if (is_of_target(args, option))
        return false;
    if (option == CLI_OPT_AT && args->command != &cli_commands[CLI_REDACT])
        return false;
    return cli_options[option].encoding != CLI_NOT_SENT && args->value[option];
}

/* Returns the first option on the command line whose parameter's path begins with `prefix`, or
 * CLI_OPTION_COUNT. */
static int first_below(const struct cli_args *args, struct tk_str prefix)
{
    char buf[PATH_MAX_SIZE];
    int i = 0;

    while (i < CLI_OPTION_COUNT &&
           !(is_sent(args, i) && tk_str_starts(path_of(args, &cli_options[i], buf), prefix)))
        i++;
    return i;
}

/* Writes the members of the object under the path `prefix` ("", "splice/", "splice/options/"). */
static int write_below(struct tk_writer *w, const struct cli_args *args, struct tk_str prefix)
{
    int r = 0;

    for (int i = first_below(args, prefix); i < CLI_OPTION_COUNT && r == 0; i++) {
        char buf[PATH_MAX_SIZE];
        struct tk_str path, key, inner;
        const char *slash;

        if (!is_sent(args, i))
            continue;
        path = path_of(args, &cli_options[i], buf);
        if (!tk_str_starts(path, prefix))
            continue;
        key = (struct tk_str){path.p + prefix.n, path.n - prefix.n};
        slash = memchr(key.p, '/', key.n);
        if (!slash) {
            r = write_option(w, args, &cli_options[i], key);
            continue;
        }
        inner = (struct tk_str){path.p, (size_t)(slash + 1 - path.p)};
        if (first_below(args, inner) != i)
            continue;
        tk_write_key_str(w, (struct tk_str){key.p, (size_t)(slash - key.p)});
        tk_write_map(w);
        r = write_below(w, args, inner);
        if (r == 0)
            tk_write_end(w);
    }
    return r;
}

/* Writes the parameters that the options give as one JSON object. */
static int write_params(struct tk_out *out, const struct cli_args *args)
{
    struct tk_writer w;
    int r;

    tk_writer_init(&w, TK_JSON, out);
    tk_write_map(&w);
    r = write_below(&w, args, TK_STR(""));
    if (r == 0)
        tk_write_end(&w);
    return r;
}

int cli_request_tail(const struct cli_args *args, const char *fixed, struct cli_buf *ret_tail)
{
    struct tk_arena arena;
    struct tk_out out;
    struct tk_str params;
    int r;

    tk_arena_init(&arena, tk_libc_allocator);
    tk_out_init(&out, &arena);
    r = write_params(&out, args);
    if (r == 0) {
        params = tk_out_join(&out);
        if (fixed &&
            (cli_buf_add(ret_tail, ",", 1) < 0 || cli_buf_add(ret_tail, fixed, strlen(fixed)) < 0))
            r = -ENOMEM;
        if (r == 0 && params.n > 2) /* not "{}": a comma replaces the opening bracket */
            r = cli_buf_add(ret_tail, ",", 1);
        if (r == 0 && !tk_arena_failed(&arena))
            r = cli_buf_add(ret_tail, params.p + 1, params.n - 1);
        if (r == 0)
            r = cli_buf_add(ret_tail, "}", 1);
        if (r < 0 || tk_arena_failed(&arena))
            r = cli_fail("out of memory");
    }
    tk_arena_done(&arena);
    return r;
}

struct tk_str cli_request_wrap(struct cli_buf *buf, const char *method, const char *param,
                               struct tk_str tail, size_t *ret_head)
{
    char head[CLI_BUF_HEAD];
    int n = snprintf(head, sizeof(head),
                     "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{\"%s\":",
                     CLI_REQUEST_ID, method, param);
    uint8_t *start = cli_buf_at(buf) - n;

    assert(buf->room - buf->n >= tail.n);
    memcpy(start, head, (size_t)n);
    memcpy(cli_buf_at(buf) + buf->n, tail.p, tail.n);
    *ret_head = (size_t)n;
    return (struct tk_str){(const char *)start, (size_t)n + buf->n + tail.n};
}

int cli_request_plain(struct cli_buf *ret_request, struct tk_str method, struct tk_str params)
{
    struct tk_arena arena;
    struct tk_encoding out;
    struct tk_str text;
    int r;

    tk_arena_init(&arena, tk_libc_allocator);
    tk_encode_begin(&out, TK_JSON, &arena);
    tk_write_map(&out.w);
    tk_write_kv_cstr(&out.w, "jsonrpc", "2.0");
    tk_write_kv_int(&out.w, "id", CLI_REQUEST_ID);
    tk_write_kv_str(&out.w, "method", method);
    if (params.n) {
        tk_write_key(&out.w, "params");
        tk_write_raw(&out.w, params);
    }
    tk_write_end(&out.w);
    text = tk_encode_end(&out);
    r = tk_arena_failed(&arena) ? -ENOMEM : cli_buf_add(ret_request, text.p, text.n);
    tk_arena_done(&arena);
    return r;
}

/* Returns the given option whose parameter, or member of --target, a pointer leads into, and the rest of
 * the pointer; NULL: none. The one of the longest path is meant. */
static const struct cli_option *find_option(const struct cli_args *args, struct tk_str pointer,
                                            struct tk_str *ret_rest)
{
    const struct cli_option *found = NULL;
    size_t longest = 0;

    if (tk_str_starts(pointer, TK_STR("/params/")))
        pointer = (struct tk_str){pointer.p + 8, pointer.n - 8};
    for (int i = 0; i < CLI_OPTION_COUNT; i++) {
        const struct cli_option *o = &cli_options[i];
        char buf[PATH_MAX_SIZE];
        bool given = o->param && args->value[i] && (is_sent(args, i) || is_of_target(args, i));
        struct tk_str path = given ? path_of(args, o, buf) : TK_STR("");

        if (path.n <= longest || !tk_str_starts(pointer, path) ||
            (pointer.n > path.n && pointer.p[path.n] != '/'))
            continue;
        *ret_rest = (struct tk_str){pointer.p + path.n, pointer.n - path.n};
        longest = path.n;
        found = o;
    }
    return found;
}

struct tk_str cli_request_blame(const struct cli_args *args, struct tk_str pointer,
                                struct tk_str message, struct tk_arena *arena)
{
    struct tk_str rest;
    const struct cli_option *o = find_option(args, pointer, &rest);

    if (!o)
        rest = pointer;
    return tk_arena_printf(arena, "%s%s%.*s: %.*s", o ? "--" : "", o ? o->name : "", (int)rest.n,
                           rest.p, (int)message.n, message.p);
}

int cli_request_refused(const struct cli_args *args, struct tk_str pointer, struct tk_str message)
{
    struct tk_str rest;
    const struct cli_option *o = find_option(args, pointer, &rest);

    if (o)
        return cli_usage_error(args->command, "--%s%.*s: %.*s", o->name, (int)rest.n, rest.p,
                               (int)message.n, message.p);
    return cli_fail("%.*s: %.*s", (int)pointer.n, pointer.p, (int)message.n, message.p);
}
