/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/explain_file.h"

#include <stdio.h>

#include "cli/commands/documents.h"
#include "cli/io/json_lines.h"
#include "value/writer.h"

struct refusal {
    struct tk_val matches;
    struct tk_str pointer; /* where the best match points; empty: it doesn't say */
    int64_t message;       /* the index of that message; -1: it doesn't say */
    bool judged;           /* a rule of this build looks for one of the faults */
    struct tk_str best;    /* code of the best match */
};

static int nothing_to_start(struct cli_run *run)
{
    (void)run;
    return 0;
}

static bool has_code(const struct refusal *refusal, struct tk_val finding, struct tk_arena *arena)
{
    struct tk_str code = tk_text(tk_get(finding, TK_STR("code")), arena);

    for (struct tk_val m = tk_first(refusal->matches); tk_exists(m);
         m = tk_after(refusal->matches, m))
        if (tk_text_is(tk_get(m, TK_STR("code")), code))
            return true;
    return false;
}

/* Returns true if one of the two places is the other, or inside of it. */
static bool is_near(const struct refusal *refusal, struct tk_val finding, struct tk_arena *arena)
{
    struct tk_str a = tk_text(tk_get(finding, TK_STR("pointer")), arena), b = refusal->pointer,
                  shorter;

    if (a.n == 0 || b.n == 0)
        return false;
    shorter = a.n < b.n ? a : b;
    if (memcmp(a.p, b.p, shorter.n) != 0)
        return false;
    return a.n == b.n || (a.n > b.n ? a : b).p[shorter.n] == '/';
}

/* Findings of a document by how they fit. */
struct fit {
    uint64_t by_code, by_both, by_place;
};

static struct fit count(const struct refusal *refusal, struct tk_val findings,
                        struct tk_arena *arena)
{
    struct fit fit = {0};

    for (struct tk_val f = tk_first(findings); tk_exists(f); f = tk_after(findings, f)) {
        bool code = has_code(refusal, f, arena), near = is_near(refusal, f, arena);

        fit.by_code += code;
        fit.by_both += code && near;
        fit.by_place += near && !code;
    }
    return fit;
}

/* ---- for people ---- */

static void print_fitting(struct cli_run *run, const struct cli_document *document,
                          const struct refusal *refusal, struct tk_val findings, bool by_code)
{
    struct tk_arena *arena = &run->reply.reading.arena;

    for (struct tk_val f = tk_first(findings); tk_exists(f); f = tk_after(findings, f))
        if (by_code ? has_code(refusal, f, arena) : is_near(refusal, f, arena))
            cli_report_finding(&run->out, &document->place, f,
                               cli_given(run->args, CLI_OPT_VERBOSE), arena);
}

/* Prints why nothing fits, or what to think of what does. */
static void print_note(struct cli_run *run, const struct cli_document *document,
                       const struct refusal *refusal, const struct fit *fit)
{
    const struct cli_place *place = &document->place;
    int64_t messages = 0;
    int n = (int)refusal->pointer.n;

    (void)tk_int64(tk_get(run->reply.result, TK_STR("message_count")), &messages);
    if (refusal->message >= messages)
        cli_report_note(&run->out, place,
                        "the words point at message %lld, and there are %lld messages: this isn't "
                        "what was sent",
                        (long long)refusal->message, (long long)messages);
    else if (fit->by_code > 0 && fit->by_both == 0 && n > 0)
        cli_report_note(&run->out, place,
                        "the words point at %.*s, which has no such fault: this isn't exactly what "
                        "was sent",
                        n, refusal->pointer.p);
    else if (fit->by_code == 0 && fit->by_place > 0)
        cli_report_note(&run->out, place,
                        "the words point at %.*s, where another rule finds a fault: repair that "
                        "first",
                        n, refusal->pointer.p);
    else if (fit->by_code == 0 && !refusal->judged)
        cli_report_note(&run->out, place, "turnkeeper can't find this fault in a history");
    else if (fit->by_code == 0)
        cli_report_note(&run->out, place,
                        "nothing fits: this isn't what was sent, or more must be known to judge it "
                        "(turnkeeper rules %.*s)",
                        (int)refusal->best.n, refusal->best.p);
}

/* ---- for programs ---- */

static void write_fitting(struct tk_writer *w, const char *key, const struct refusal *refusal,
                          struct tk_val findings, bool by_code, struct tk_arena *arena)
{
    tk_write_key(w, key);
    tk_write_list(w);
    for (struct tk_val f = tk_first(findings); tk_exists(f); f = tk_after(findings, f)) {
        bool code = has_code(refusal, f, arena);

        if (by_code ? code : !code && is_near(refusal, f, arena))
            tk_write_val(w, f);
    }
    tk_write_end(w);
}

/* Prints {"file", "line"?, "fits": [...], "at_place": [...]} on one line. */
static void print_json(struct cli_run *run, const struct cli_document *document,
                       const struct refusal *refusal, struct tk_val findings)
{
    struct tk_arena *arena = &run->reply.reading.arena;
    struct tk_encoding line;
    struct tk_str text;

    tk_encode_begin(&line, TK_JSON, arena);
    tk_write_map(&line.w);
    tk_write_kv_cstr(&line.w, "file", document->place.file);
    if (document->place.line)
        tk_write_kv_int(&line.w, "line", (int64_t)document->place.line);
    write_fitting(&line.w, "fits", refusal, findings, true, arena);
    write_fitting(&line.w, "at_place", refusal, findings, false, arena);
    tk_write_end(&line.w);
    text = tk_encode_end(&line);
    cli_print_text(stdout, run->out.terminal, text);
    fputc('\n', stdout);
}

static int answer(struct cli_run *run, const struct cli_document *document)
{
    const struct refusal *refusal = run->self;
    struct tk_val findings = tk_get(run->reply.result, TK_STR("violations"));
    struct fit fit = count(refusal, findings, &run->reply.reading.arena);

    if (cli_given(run->args, CLI_OPT_JSON)) {
        print_json(run, document, refusal, findings);
        return 0;
    }
    print_fitting(run, document, refusal, findings, fit.by_code > 0);
    print_note(run, document, refusal, &fit);
    return 0;
}

static int skip(struct cli_run *run, const struct cli_record *record, const struct cli_fault *fault)
{
    if (cli_given(run->args, CLI_OPT_JSON) && fault)
        cli_json_skipped(run, record, fault);
    return 0;
}

static int nothing_to_finish(struct cli_run *run, bool ended)
{
    (void)run;
    (void)ended;
    return 0;
}

int cli_explain_file(const struct cli_args *args, struct tk_val matches, struct tk_arena *arena)
{
    static const struct cli_document_ops ops = {
        .method = "validate",
        .fixed = "\"max_violations\":10000",
        .start = nothing_to_start,
        .answer = answer,
        .skip = skip,
        .finish = nothing_to_finish,
    };
    struct tk_val best = tk_first(matches), place = tk_get(best, TK_STR("place"));
    struct refusal refusal = {
        .matches = matches,
        .pointer = tk_text(tk_get(place, TK_STR("pointer")), arena),
        .message = -1,
        .best = tk_text(tk_get(best, TK_STR("code")), arena),
    };
    struct cli_args of_file = *args;

    (void)tk_int64(tk_get(place, TK_STR("message")), &refusal.message);
    for (struct tk_val m = tk_first(matches); tk_exists(m); m = tk_after(matches, m))
        refusal.judged = refusal.judged || tk_is(tk_get(m, TK_STR("judged")), TK_TRUE);
    of_file.operands = args->operands + 1;
    of_file.operand_count = args->operand_count - 1;
    return cli_documents_run(&of_file, &ops, true, &refusal);
}
