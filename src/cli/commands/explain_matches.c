/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/explain_matches.h"

#include <stdio.h>

#include "cli/io/reading.h"
#include "cli/show/pretty.h"
#include "cli/show/term.h"
#include "value/writer.h"

/* ---- what a match says ---- */

static struct tk_str member(struct tk_val match, const char *name, struct tk_arena *arena)
{
    struct tk_str text = tk_text(tk_get(match, tk_str_of(name)), arena);

    return text.p ? text : TK_STR("");
}

static void print_item(const struct cli_sink *out, const char *mark, struct tk_str text)
{
    if (text.n == 0)
        return;
    fprintf(out->file, "  %s: ", mark);
    cli_print(out, text);
    fputc('\n', out->file);
}

/* Members of a place after its pointer. */
static const char *const place_members[] = {"message", "block", "id"};

static void print_place(const struct cli_sink *out, struct tk_val place, struct tk_arena *arena)
{
    const char *before = "  place: ";
    struct tk_str pointer = member(place, "pointer", arena);

    if (pointer.n) {
        fputs(before, out->file);
        cli_print(out, pointer);
        before = ", ";
    }
    for (size_t i = 0; i < sizeof(place_members) / sizeof(*place_members); i++) {
        struct tk_val v = tk_get(place, tk_str_of(place_members[i]));

        if (!tk_exists(v))
            continue;
        fprintf(out->file, "%s%s ", before, place_members[i]);
        cli_print(out, tk_is(v, TK_STRING) ? tk_text(v, arena) : tk_span(v));
        before = ", ";
    }
    if (*before == ',')
        fputc('\n', out->file);
}

/* Returns true if repair edits something because of a rule: "report: ..." and "none ..." are no edits. */
static bool is_edit(struct tk_val action, struct tk_arena *arena)
{
    struct tk_str text = tk_text(action, arena);

    return text.n > 0 && !tk_str_starts(text, TK_STR("report")) &&
           !tk_str_starts(text, TK_STR("none"));
}

/* Returns what the user can do. */
static struct tk_str way_out(struct tk_val match, struct tk_arena *arena)
{
    struct tk_val action = tk_get(match, TK_STR("action")),
                  preserve = tk_get(match, TK_STR("preserve"));
    struct tk_str text = tk_text(action, arena), own = TK_STR("report: ");

    if (!tk_is(tk_get(match, TK_STR("judged")), TK_TRUE))
        return text.n > 0
                   ? TK_STR("turnkeeper can't find this fault by itself: make this edit, then send "
                            "the request once more")
                   : TK_STR("turnkeeper can't find this fault, and no edit of the history helps: "
                            "change the request");
    if (is_edit(action, arena))
        return TK_STR(
            "turnkeeper repair makes this edit; store the original, send the repaired copy");
    if (tk_str_starts(text, own))
        return (struct tk_str){text.p + own.n, text.n - own.n};
    return is_edit(preserve, arena)
               ? TK_STR(
                     "turnkeeper repair --policy preserve makes this edit; store the original, send "
                     "the repaired copy")
               : TK_STR("no edit helps: change what is sent, as the fault says");
}

static void print_match(const struct cli_sink *out, struct tk_val match, bool alone,
                        struct tk_arena *arena)
{
    cli_style(out, CLI_BOLD);
    cli_print(out, member(match, "code", arena));
    cli_style(out, CLI_PLAIN);
    fputs(" (", out->file);
    cli_print(out, member(match, "provider", arena));
    fputs(", ", out->file);
    cli_print(out, member(match, "severity", arena));
    fputs(")\n", out->file);
    print_item(out, "fault", member(match, "text", arena));
    print_place(out, tk_get(match, TK_STR("place")), arena);
    if (!alone && tk_is(tk_get(match, TK_STR("judged")), TK_TRUE))
        return;
    print_item(out, "repair", member(match, "action", arena));
    print_item(out, "repair, policy preserve", member(match, "preserve", arena));
    print_item(out, "way out", way_out(match, arena));
}

/* ---- the list ---- */

void cli_matches_init(struct cli_matches *matches, struct tk_val result)
{
    struct tk_val list = tk_get(result, TK_STR("matches"));

    *matches = (struct cli_matches){.count = 0};
    for (struct tk_val m = tk_first(list); tk_exists(m) && matches->count < TK_MATCHES_MAX;
         m = tk_after(list, m))
        matches->list[matches->count++] = m;
}

void cli_matches_prefer(struct cli_matches *matches, const char *provider)
{
    struct cli_matches old = *matches;

    matches->count = 0;
    for (int own = 1; own >= 0; own--)
        for (size_t i = 0; i < old.count; i++)
            if (tk_text_is(tk_get(old.list[i], TK_STR("provider")), tk_str_of(provider)) == own)
                matches->list[matches->count++] = old.list[i];
}

static void print_json(const struct cli_args *args, const struct cli_matches *matches,
                       struct tk_arena *arena)
{
    struct tk_encoding text;
    struct cli_reading reading;

    tk_encode_begin(&text, TK_JSON, arena);
    tk_write_map(&text.w);
    tk_write_key(&text.w, "matches");
    tk_write_list(&text.w);
    for (size_t i = 0; i < matches->count; i++)
        tk_write_val(&text.w, matches->list[i]);
    tk_write_end(&text.w);
    tk_write_end(&text.w);
    cli_reading_init(&reading);
    if (cli_read_json(&reading, tk_encode_end(&text)) == 0)
        cli_print_json(args, tk_root(&reading.doc), &reading.arena);
    cli_reading_done(&reading);
}

void cli_matches_print(const struct cli_args *args, const struct cli_matches *matches, bool alone,
                       struct tk_arena *arena)
{
    struct cli_sink out = cli_sink_open(stdout, args);

    if (cli_given(args, CLI_OPT_JSON)) {
        print_json(args, matches, arena);
        return;
    }
    for (size_t i = 0; i < matches->count; i++) {
        if (i > 0)
            fputc('\n', out.file);
        print_match(&out, matches->list[i], alone, arena);
    }
}
