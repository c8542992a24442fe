/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/config.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/http_address.h"
#include "daemon/place.h"
#include "net/log.h"

/* Limits of the configuration file and its values. */
#define FILE_MAX    ((size_t)1 << 20)
#define WORKERS_MAX 256
#define IDS_MAX     4096

struct config_key;

/* Reads a value into `place`. Returns NULL, or a text that says what the value must be. */
typedef const char *reader(const struct config_key *key, const json_t *value, void *place);

/* One row per key. Rows of limits are made from tk_limit_rows. */
struct config_key {
    const char *name;
    reader *read;
    size_t offset; /* in struct tk_settings */
    bool fixed;    /* can't change while the daemon runs */
    const char *value, *help;
    const struct tk_limit_row *limit;
};

static const char no_memory[] = "(no memory)";

static const char *read_path(const struct config_key *key, const json_t *value, void *place)
{
    const size_t most = sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1;
    const char *path = json_string_value(value);
    char *copy;

    (void)key;
    if (!path || path[0] != '/' || json_string_length(value) > most)
        return "must be an absolute path of at most 107 bytes";
    copy = strdup(path);
    if (!copy)
        return no_memory;
    free(*(char **)place);
    *(char **)place = copy;
    return NULL;
}

static const char *read_address(const struct config_key *key, const json_t *value, void *place)
{
    const char *text = json_string_value(value);
    struct tk_http_address address;
    char *copy;

    (void)key;
    if (!text || !tk_http_address_read(text, &address))
        return "must be an address such as \"127.0.0.1:9464\", \"[::1]:9464\" or \"unix:/path\"";
    copy = strdup(text);
    if (!copy)
        return no_memory;
    free(*(char **)place);
    *(char **)place = copy;
    return NULL;
}

static const char *read_bool(const struct config_key *key, const json_t *value, void *place)
{
    (void)key;
    if (!json_is_boolean(value))
        return "must be true or false";
    *(bool *)place = json_is_true(value);
    return NULL;
}

static const char *read_group(const struct config_key *key, const json_t *value, void *place)
{
    const char *group = json_string_value(value);

    (void)key;
    errno = 0;
    if (!group || !getgrnam(group))
        return errno == ENOMEM ? no_memory : "must be the name of a group that exists";
    *(char **)place = strdup(group);
    return *(char **)place ? NULL : no_memory;
}

static const char *read_mode(const struct config_key *key, const json_t *value, void *place)
{
    const char *text = json_string_value(value);
    char *end;
    unsigned long mode;

    (void)key;
    if (!text || strspn(text, "01234567") != strlen(text) || strlen(text) < 3)
        return "must be an octal mode in quotes, such as \"0660\"";
    mode = strtoul(text, &end, 8);
    if (mode > 0777 || (mode & 0600) != 0600)
        return "must be an octal mode from \"0600\" to \"0777\" that lets the owner in";
    *(mode_t *)place = (mode_t)mode;
    return NULL;
}

static const char *read_level(const struct config_key *key, const json_t *value, void *place)
{
    const char *text = json_string_value(value);

    (void)key;
    for (int i = 0; text && i < TK_LOG_LEVELS; i++) {
        if (strcmp(text, tk_log_level_names[i]) == 0) {
            *(int *)place = i;
            return NULL;
        }
    }
    return "must be error, warning, notice, info or debug";
}

static const char *read_log_repairs(const struct config_key *key, const json_t *value, void *place)
{
    const char *text = json_string_value(value);

    (void)key;
    for (int i = 0; text && i < TK_LOG_REPAIRS_COUNT; i++) {
        if (strcmp(text, tk_log_repairs_names[i]) == 0) {
            *(int *)place = i;
            return NULL;
        }
    }
    return "must be none, changed or all";
}

static const char *read_workers(const struct config_key *key, const json_t *value, void *place)
{
    json_int_t n = json_integer_value(value);

    (void)key;
    if (!json_is_integer(value) || n < 1 || n > WORKERS_MAX)
        return "must be a number from 1 to 256";
    *(int64_t *)place = n;
    return NULL;
}

static int compare_ids(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static const char *read_ids(const struct config_key *key, const json_t *value, void *place)
{
    struct tk_id_list *list = place;
    size_t n = json_array_size(value);

    (void)key;
    if (!json_is_array(value) || n > IDS_MAX)
        return "must be a list of at most 4096 numbers";
    list->ids = calloc(n + 1, sizeof(*list->ids));
    if (!list->ids)
        return no_memory;
    for (size_t i = 0; i < n; i++) {
        const json_t *id = json_array_get(value, i);

        if (!json_is_integer(id) || json_integer_value(id) < 0 ||
            json_integer_value(id) >= UINT32_MAX)
            return "must be a list of ids, numbers from 0 to 4294967294";
        list->ids[i] = (uint32_t)json_integer_value(id);
    }
    list->set = true;
    list->count = n;
    qsort(list->ids, n, sizeof(*list->ids), compare_ids);
    return NULL;
}

static const char *read_count(const struct config_key *key, const json_t *value, void *place)
{
    json_int_t n = json_integer_value(value);

    if (!json_is_integer(value) || n < key->limit->min || n > key->limit->max)
        return "must be a whole number";
    *(int64_t *)place = n;
    return NULL;
}

static const char *read_seconds(const struct config_key *key, const json_t *value, void *place)
{
    double seconds = json_number_value(value);

    if (!json_is_number(value) || seconds < tk_seconds(key->limit->min) ||
        seconds > tk_seconds(key->limit->max))
        return "must be a number of seconds";
    *(int64_t *)place = (int64_t)(seconds * (double)TK_SECOND + 0.5);
    return NULL;
}

#define AT(member) offsetof(struct tk_settings, member)

static const struct config_key keys[] = {
    {"socket", read_path, AT(socket), true, "PATH", "where clients connect", NULL},
    {"control", read_path, AT(control), true, "PATH", "where monitoring connects", NULL},
    {"workers", read_workers, AT(workers), true, "N", "threads that work on requests", NULL},
    {"log_level", read_level, AT(log_level), false, "LEVEL",
     "error, warning, notice, info or debug", NULL},
    {"log_repairs", read_log_repairs, AT(log_repairs), false, "WHICH",
     "requests that the log has a line about: none, changed or all [none]", NULL},
    {"socket_mode", read_mode, AT(socket_mode), true, "\"0660\"", "mode of both sockets", NULL},
    {"socket_group", read_group, AT(socket_group), true, "NAME",
     "group of both sockets [turnkeeper, if there is one]", NULL},
    {"http", read_address, AT(http), true, "ADDR", "where monitoring asks by HTTP [nowhere]", NULL},
    {"http_public", read_bool, AT(http_public), true, "BOOL",
     "lets http be an address that other machines reach [false]", NULL},
    {"allow_uids", read_ids, AT(allow_uids), false, "[UID...]",
     "users that may use the main socket [all]", NULL},
    {"allow_gids", read_ids, AT(allow_gids), false, "[GID...]",
     "groups that may use the main socket [all]", NULL},
};
#define KEY_COUNT (sizeof(keys) / sizeof(keys[0]))

static reader *const limit_readers[] = {
    [TK_UNIT_COUNT] = read_count,
    [TK_UNIT_BYTES] = read_count,
    [TK_UNIT_SECONDS] = read_seconds,
};

static bool find_key(const char *name, struct config_key *ret_key)
{
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (strcmp(keys[i].name, name) == 0) {
            *ret_key = keys[i];
            return true;
        }
    }
    for (size_t i = 0; i < TK_LIMIT_COUNT; i++) {
        const struct tk_limit_row *row = &tk_limit_rows[i];

        if (strcmp(row->name, name) != 0)
            continue;
        *ret_key = (struct config_key){
            .name = row->name,
            .read = limit_readers[row->unit],
            .offset = AT(limits) + row->offset,
            .help = row->help,
            .limit = row,
        };
        return true;
    }
    return false;
}

__attribute__((format(printf, 2, 3))) static int bad(struct tk_config_error *error,
                                                     const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
    for (char *c = error->text; *c; c++) {
        if (*c == '"') /* the log puts the text between these */
            *c = '\'';
    }
    return TK_CONFIG_BAD;
}

/* Returns -ENOMEM. where: what couldn't be read, as in other errors. */
static int lacks_memory(struct tk_config_error *error, const char *where)
{
    (void)bad(error, "%s: no memory", where);
    return -ENOMEM;
}

/* A file that can't be opened for want of memory or descriptors isn't wrong. */
static int cannot_open(struct tk_config_error *error, const char *path, int reason)
{
    int r = bad(error, "%s: %s", path, strerror(reason));

    return reason == ENOMEM || reason == EMFILE || reason == ENFILE ? -reason : r;
}

/* jansson has many errors for missing memory, most of which blame the text. So its allocator notes
 * it; one thread reads configurations. */
static bool starved;

static void *allocate(size_t n)
{
    void *p = malloc(n);

    if (!p)
        starved = true;
    return p;
}

/* Writes the range of a limit's values, in its unit. */
static void put_range(const struct tk_limit_row *row, char *to, size_t size)
{
    to[0] = '\0';
    if (!row)
        return;
    if (row->unit == TK_UNIT_SECONDS)
        (void)snprintf(to, size, " from %g to %g", tk_seconds(row->min), tk_seconds(row->max));
    else
        (void)snprintf(to, size, " from %lld to %lld", (long long)row->min, (long long)row->max);
}

/* Reads one value. where: the start of error texts, FILE:LINE:COLUMN or the option's name. */
static int read_key(struct tk_settings *s, const char *name, const json_t *value, const char *where,
                    struct tk_config_error *error)
{
    const char *problem;
    char range[64];
    struct config_key key;

    if (!find_key(name, &key))
        return bad(error, "%s: %.64s: unknown key", where, name);
    problem = key.read(&key, value, (char *)s + key.offset);
    if (problem == no_memory)
        return lacks_memory(error, where);
    put_range(key.limit, range, sizeof(range));
    return problem ? bad(error, "%s: %s: %s%s", where, name, problem, range) : 0;
}

static int read_object(struct tk_settings *s, const char *path, const char *text, size_t n,
                       json_t *root, struct tk_config_error *error)
{
    const char *name;
    json_t *value;

    if (!json_is_object(root))
        return bad(error, "%s:1:1: the configuration must be an object", path);
    json_object_foreach(root, name, value)
    {
        struct tk_config_place place = tk_config_place_of_key(text, n, name);
        char where[256];
        int r;

        (void)snprintf(where, sizeof(where), "%s:%zu:%zu", path, place.line, place.column);
        r = read_key(s, name, value, where, error);
        if (r != 0)
            return r;
    }
    return 0;
}

static int read_text(struct tk_settings *s, const char *path, const char *text, size_t n,
                     struct tk_config_error *error)
{
    json_error_t problem;
    json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &problem);
    int r;

    if (!root && starved)
        return lacks_memory(error, path);
    if (!root)
        return bad(error, "%s:%d:%d: %s", path, problem.line, problem.column, problem.text);
    r = read_object(s, path, text, n, root, error);
    json_decref(root);
    return r;
}

static const char *path_of(const struct tk_overrides *overrides)
{
    return overrides->config ? overrides->config : TK_CONFIG_FILE;
}

void tk_config_show(const struct tk_overrides *overrides, const struct tk_settings *settings,
                    char to[TK_CONFIG_SHOWN_MAX])
{
    const char *quote = settings->from_file ? "\"" : "";

    (void)snprintf(to, TK_CONFIG_SHOWN_MAX, "%s%.500s%s", quote,
                   settings->from_file ? path_of(overrides) : "none", quote);
}

/*
 * Opens a regular file. Opening or reading anything else may wait forever, and a reload must not stop
 * the main thread. Returns 0; -EINVAL for what isn't a regular file; or another negative errno.
 */
static int open_regular(const char *path, FILE **ret_file)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat about;
    int r;

    if (fd < 0)
        return errno == ENXIO ? -EINVAL : -errno; /* a socket, or a device without a driver */
    r = fstat(fd, &about) != 0 ? -errno : 0;
    if (r == 0 && !S_ISREG(about.st_mode))
        r = -EINVAL;
    if (r == 0) {
        *ret_file = fdopen(fd, "r");
        r = *ret_file ? 0 : -errno;
    }
    if (r < 0)
        (void)close(fd);
    return r;
}

static int read_file(struct tk_settings *s, const struct tk_overrides *o,
                     struct tk_config_error *error)
{
    const char *path = path_of(o);
    FILE *file = NULL;
    char *text;
    size_t n;
    int r;

    r = open_regular(path, &file);
    if (r == -ENOENT && !o->config)
        return 0;
    if (r == -EINVAL)
        return bad(error, "%s: isn't a regular file", path);
    if (r < 0)
        return cannot_open(error, path, -r);
    s->from_file = true;
    text = malloc(FILE_MAX + 1);
    n = text ? fread(text, 1, FILE_MAX + 1, file) : 0;
    if (!text) {
        r = lacks_memory(error, path);
    } else if (ferror(file)) {
        r = bad(error, "%s: can't be read", path);
    } else if (n > FILE_MAX) {
        r = bad(error, "%s: larger than %zu bytes", path, FILE_MAX);
    } else {
        r = read_text(s, path, text, n, error);
    }
    free(text);
    (void)fclose(file);
    return r;
}

/* Converts an option's text to the type of the key's value. */
static int read_option(struct tk_settings *s, const char *option, const char *name,
                       const char *text, struct tk_config_error *error)
{
    char *end;
    json_t *value;
    long n;
    int r;

    if (!text)
        return 0;
    n = strtol(text, &end, 10);
    value = strcmp(name, "workers") == 0 && *end == '\0' && end != text ? json_integer(n)
                                                                        : json_string(text);
    if (!value && starved)
        return lacks_memory(error, option);
    r = read_key(s, name, value, option, error);
    json_decref(value);
    return r;
}

/* SOCKET.sock -> SOCKET.control.sock */
static int derive_control(struct tk_settings *s, struct tk_config_error *error)
{
    static const char tail[] = ".sock", new_tail[] = ".control.sock";
    const size_t most = sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1;
    size_t n = strlen(s->socket);

    if (n >= strlen(tail) && strcmp(s->socket + n - strlen(tail), tail) == 0)
        n -= strlen(tail);
    if (n + strlen(new_tail) > most)
        return bad(error, "%s: socket: too long to append %s; set \"control\" as well", s->socket,
                   new_tail);
    if (asprintf(&s->control, "%.*s%s", (int)n, s->socket, new_tail) < 0) {
        s->control = NULL;
        return -ENOMEM;
    }
    return 0;
}

/* HTTP has no users: what isn't loopback is for everybody who reaches this machine. */
static int check_http(const struct tk_settings *s, const struct tk_overrides *o,
                      struct tk_config_error *error)
{
    struct tk_http_address address;

    if (!s->http || s->http_public || !tk_http_address_read(s->http, &address) || address.loopback)
        return 0;
    return bad(error,
               "%s: http: %s isn't a loopback address; set http_public to true if other machines "
               "may read the counters",
               o->http ? "--http" : path_of(o), s->http);
}

static int complete(struct tk_settings *s, const struct tk_overrides *o,
                    struct tk_config_error *error)
{
    int r = 0;

    tk_settings_complete(s);
    if (!s->socket)
        s->socket = strdup(TK_DEFAULT_SOCKET);
    if (!s->socket)
        return -ENOMEM;
    if (!s->control)
        r = derive_control(s, error);
    if (r == 0 && strcmp(s->socket, s->control) == 0)
        r = bad(error, "%s: control: must differ from socket", s->control);
    return r == 0 ? check_http(s, o, error) : r;
}

int tk_config_load(const struct tk_overrides *overrides, struct tk_settings **ret_settings,
                   struct tk_config_error *ret_error)
{
    const struct tk_overrides *o = overrides;
    struct tk_settings *s = tk_settings_new();
    int r = s ? 0 : -ENOMEM;

    (void)bad(ret_error, "no memory");
    json_set_alloc_funcs(allocate, free);
    starved = false;
    if (r == 0)
        r = read_file(s, o, ret_error);
    if (r == 0)
        r = read_option(s, "--socket", "socket", o->socket, ret_error);
    if (r == 0)
        r = read_option(s, "--control", "control", o->control, ret_error);
    if (r == 0)
        r = read_option(s, "--workers", "workers", o->workers, ret_error);
    if (r == 0)
        r = read_option(s, "--log-level", "log_level", o->log_level, ret_error);
    if (r == 0)
        r = read_option(s, "--http", "http", o->http, ret_error);
    if (r == 0)
        r = complete(s, o, ret_error);
    if (r != 0)
        tk_settings_unref(s);
    else
        *ret_settings = s;
    return r;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Replaces a text by that of the present settings. 1 if it differed, 0, or -ENOMEM. */
static int keep_text(char **text, const char *present)
{
    char *copy = NULL;

    if (same_text(*text, present))
        return 0;
    if (present) {
        copy = strdup(present);
        if (!copy)
            return -ENOMEM;
    }
    free(*text);
    *text = copy;
    return 1;
}

static void add_name(char *names, size_t size, const char *name)
{
    size_t n = strlen(names);

    (void)snprintf(names + n, size - n, "%s%s", n > 0 ? " " : "", name);
}

int tk_config_keep_fixed(struct tk_settings *settings, const struct tk_settings *present,
                         char *names, size_t size)
{
    const struct {
        const char *name;
        int differs;
    } rows[] = {
        {"socket", keep_text(&settings->socket, present->socket)},
        {"control", keep_text(&settings->control, present->control)},
        {"socket_group", keep_text(&settings->socket_group, present->socket_group)},
        {"http", keep_text(&settings->http, present->http)},
        {"http_public", settings->http_public != present->http_public},
        {"socket_mode", settings->socket_mode != present->socket_mode},
        {"workers", settings->workers != present->workers},
    };

    names[0] = '\0';
    settings->http_public = present->http_public;
    settings->socket_mode = present->socket_mode;
    settings->workers = present->workers;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].differs < 0)
            return rows[i].differs;
        if (rows[i].differs)
            add_name(names, size, rows[i].name);
    }
    return 0;
}

static void print_limit(FILE *to, const struct tk_limit_row *row)
{
    static const char *const values[] = {"N", "BYTES", "SECONDS"};
    int64_t scale = row->unit == TK_UNIT_SECONDS ? TK_SECOND : 1;

    (void)fprintf(to, "  %-26s %-9s %s", row->name, values[row->unit], row->help);
    if (row->def > 0)
        (void)fprintf(to, " [%lld]", (long long)(row->def / scale));
    (void)fputc('\n', to);
}

void tk_config_help(FILE *to)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        (void)fprintf(to, "  %-26s %-9s %s\n", keys[i].name, keys[i].value, keys[i].help);
    for (size_t i = 0; i < TK_LIMIT_COUNT; i++)
        print_limit(to, &tk_limit_rows[i]);
}
