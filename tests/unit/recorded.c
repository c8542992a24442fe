/* SPDX-License-Identifier: Apache-2.0 */
#include "recorded.h"

#include "cases.h"
#include "value/base64.h"
#include "value/compact.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* Parameters with which a file of tests/streams is opened and ended. */
static const char file_params[] =
    "[{\"stream\":\"s\"},"
    "{\"stream\":\"s\",\"emit\":\"parts\"},"
    "{\"stream\":\"s\",\"emit\":\"events\"},"
    "{\"stream\":\"s\",\"emit\":\"sse\"},"
    "{\"stream\":\"s\",\"emit\":\"sse\",\"provider_input\":\"deltas\"}]";

static void *must(void *p)
{
    if (!p)
        abort();
    return p;
}

/* ---- files ---- */

static const char *path_of(const char *folder, const char *name, struct tk_arena *arena)
{
    const char *top = getenv("top_srcdir");

    return tk_arena_printf(arena, "%s/tests/%s/%s%c", top ? top : ".", folder, name, 0).p;
}

/* ---- cases ---- */

void put_frame(struct tk_out *out, struct tk_val event, struct tk_arena *arena)
{
    struct tk_str type = tk_text(tk_get(event, TK_STR("type")), arena);

    if (type.p && !memchr(type.p, '\n', type.n)) {
        tk_out_put(out, "event: ", 7);
        tk_out_put(out, type.p, type.n);
        tk_out_put(out, "\n", 1);
    }
    tk_out_put(out, "data: ", 6);
    tk_compact_json(out, event, NULL);
    tk_out_put(out, "\n\n", 2);
}

static bool is_call(struct tk_val step, const char *method)
{
    return tk_text_is(tk_get(step, TK_STR("method")), tk_str_of(method)) &&
           !tk_exists(tk_get(tk_get(step, TK_STR("expect")), TK_STR("error"))) &&
           tk_text_is(tk_get(tk_get(step, TK_STR("params")), TK_STR("stream")), TK_STR("s"));
}

/* Puts the bytes that a step feeds. False for a step that feeds none. */
static bool put_feed(struct tk_out *out, struct tk_val step, struct tk_arena *arena,
                     bool *ret_as_events)
{
    struct tk_val params = tk_get(step, TK_STR("params"));
    struct tk_val events = tk_get(params, TK_STR("events"));
    struct tk_str text = tk_text(tk_get(params, TK_STR("data")), arena);
    struct tk_str base64 = tk_text(tk_get(params, TK_STR("data_base64")), arena);

    if (!is_call(step, "stream.feed"))
        return false;
    *ret_as_events = tk_exists(events);
    for (struct tk_val e = tk_first(events); tk_exists(e); e = tk_after(events, e))
        put_frame(out, e, arena);
    if (base64.p && tk_base64_decode(base64, arena, &text) != 0)
        return false;
    tk_out_put(out, text.p, text.n);
    return true;
}

static bool is_of_blocks(struct tk_val open)
{
    struct tk_val provider = tk_get(open, TK_STR("provider"));

    return !tk_exists(tk_get(open, TK_STR("wire"))) &&
           (!tk_exists(provider) || tk_text_is(provider, TK_STR("anthropic")));
}

/* A case that opens one stream, feeds it and ends it. Events are of another size as bytes, so that
 * one of them whose size is limited is no such case. */
static bool read_stream(struct tk_val test, struct tk_arena *arena, struct recorded *ret)
{
    struct tk_val steps = tk_get(test, TK_STR("steps")), step = tk_first(steps);
    bool as_events = false;
    struct tk_out out;

    if (!tk_exists(step) || !is_call(step, "stream.open"))
        return false;
    ret->open = tk_get(step, TK_STR("params"));
    ret->of_blocks = is_of_blocks(ret->open);
    tk_out_init(&out, arena);
    do
        step = tk_after(steps, step);
    while (tk_exists(step) && put_feed(&out, step, arena, &as_events));
    if (!tk_exists(step) || tk_exists(tk_after(steps, step)) || !is_call(step, "stream.end"))
        return false;
    if (as_events && (!ret->of_blocks || tk_exists(tk_get(ret->open, TK_STR("max_buffer")))))
        return false;
    ret->bytes = tk_out_join(&out);
    ret->end = tk_get(step, TK_STR("params"));
    return true;
}

/* A case that is one pair, not refused. */
static bool read_response(struct tk_val test, struct recorded_response *ret)
{
    ret->params = tk_get(test, TK_STR("params"));
    ret->of_blocks = is_of_blocks(ret->params);
    return tk_text_is(tk_get(test, TK_STR("method")), TK_STR("pair")) &&
           !tk_exists(tk_get(tk_get(test, TK_STR("expect")), TK_STR("error")));
}

/* Makes room for n streams and n responses more. */
static void make_room(struct recordings *all, struct tk_arena *arena, size_t n)
{
    all->streams =
        must(tk_arena_grow(arena, all->streams, all->stream_count * sizeof(*all->streams),
                           (all->stream_count + n) * sizeof(*all->streams)));
    all->responses =
        must(tk_arena_grow(arena, all->responses, all->response_count * sizeof(*all->responses),
                           (all->response_count + n) * sizeof(*all->responses)));
}

static void read_cases(struct recordings *all, const char *folder)
{
    struct reading *cases = &all->cases[all->folders];
    struct tk_str text = read_cases_of(folder);
    struct tk_val list;

    reading_init(cases);
    all->texts[all->folders++] = (char *)(uintptr_t)text.p;
    if (reading_json(cases, text) != 0)
        abort();
    list = tk_root(&cases->doc);
    make_room(all, &all->params.arena, tk_count(list));
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        struct tk_str name = tk_text(tk_get(v, TK_STR("name")), &cases->arena);

        all->streams[all->stream_count].name = name;
        all->stream_count += read_stream(v, &cases->arena, &all->streams[all->stream_count]);
        all->responses[all->response_count].name = name;
        all->response_count += read_response(v, &all->responses[all->response_count]);
    }
}

/* Reads the cases of streams: first Anthropic's, then the other folders. */
static void read_folders(struct recordings *all)
{
    DIR *folder = must(opendir(path_of("conformance", "", &all->params.arena)));

    read_cases(all, "stream");
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (!tk_str_starts(tk_str_of(entry->d_name), TK_STR("stream_")))
            continue;
        if (all->folders == RECORDED_FOLDERS)
            abort();
        read_cases(all, entry->d_name);
    }
    closedir(folder);
}

/* ---- tests/streams ---- */

static void add_file(struct recordings *all, const char *name, struct tk_str bytes)
{
    struct tk_val root = tk_root(&all->params.doc), end = tk_first(root);
    struct tk_arena *arena = &all->params.arena;

    make_room(all, arena, tk_count(root) - 1);
    for (struct tk_val open = tk_after(root, end); tk_exists(open); open = tk_after(root, open))
        all->streams[all->stream_count++] =
            (struct recorded){tk_arena_printf(arena, "%s", name), open, bytes, end, true};
}

static void read_files(struct recordings *all)
{
    struct tk_arena *arena = &all->params.arena;
    DIR *folder = must(opendir(path_of("streams", "", arena)));

    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        struct tk_str bytes;

        if (!tk_str_ends(tk_str_of(entry->d_name), TK_STR(".sse")))
            continue;
        bytes = read_file(path_of("streams", entry->d_name, arena));
        add_file(all, entry->d_name, tk_arena_dup(arena, bytes));
        free((void *)(uintptr_t)bytes.p);
    }
    closedir(folder);
}

/* ---- all ---- */

void recordings_init(struct recordings *all)
{
    *all = (struct recordings){.folders = 0};
    reading_init(&all->params);
    if (reading_json(&all->params, tk_str_of(file_params)) != 0)
        abort();
    read_folders(all);
    read_files(all);
}

bool recordings_done(struct recordings *all)
{
    bool clean = reading_done(&all->params);

    for (size_t i = 0; i < all->folders; i++) {
        clean = reading_done(&all->cases[i]) && clean;
        free(all->texts[i]);
    }
    return clean;
}
