/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/report.h"

#include "engine/edit/emit.h"
#include "engine/pairs/names.h"
#include "engine/way_out.h"
#include "shapes/shape.h"
#include "value/cut.h"
#include "wording/fill.h"

/* The place of a finding as the report shows it. */
struct place {
    uint32_t message, part; /* indexes; part == TK_NONE: the message */
    struct tk_str pointer;
};

/* ---- sentences ---- */

static struct tk_str or_else(struct tk_str s, struct tk_str other)
{
    return s.p ? s : other;
}

static struct tk_str number(struct tk_arena *arena, uint32_t n)
{
    return tk_arena_printf(arena, "%u", n);
}

/* Returns the name of a part's tool in the history as it is now. */
static struct tk_str tool_now(const struct tk_judge *j, const struct tk_part *p)
{
    return j->rules->tool ? j->rules->tool(j, p) : tk_tool_label(j->t, p, TK_NONE);
}

/* Returns a tool's name as the provider words it, "`web_search`"; for a result the name in its
 * type. */
static struct tk_str provider_tool(const struct tk_judge *j, const struct tk_part *p)
{
    struct tk_str name;

    if (p->kind != TK_PART_RESULT)
        return tk_part_name(j->t, p);
    name = tk_tool_in_type(tk_result_type(j->t->shape, p, j->t->arena));
    return name.p ? name : tool_now(j, p);
}

static struct tk_str caller_id(const struct tk_judge *j, const struct tk_part *p)
{
    struct tk_val caller = tk_part_val(p, p->caller);

    return tk_text(tk_path_get(caller, &j->t->shape->caller_id), j->t->arena);
}

/* Returns the id to show: the one that was sent if places are of the input, else the present one.
 * `.p == NULL`: it is no string. */
static struct tk_str shown_id(const struct tk_report *report, const struct tk_part *p)
{
    const struct tk_transcript *t = report->judge->t;

    return report->sent ? tk_sent_id(report->sent, (uint32_t)(p - t->parts))
                        : tk_text(tk_part_val(p, p->id), t->arena);
}

/* Returns the tool's name to show, of the history as it was sent or as it is now, like the id. */
static struct tk_str shown_tool(const struct tk_report *report, const struct tk_part *p)
{
    const struct tk_judge *j = report->judge;
    struct tk_part was;

    if (!j->t->shape->names_as_sent)
        return tool_now(j, p);
    if (!report->sent)
        return tk_own_tool(j->t, p);
    was = tk_part_as_sent(report->sent, (uint32_t)(p - j->t->parts));
    return tk_own_tool(j->t, &was);
}

/* The id and the tool's name of what a finding blames; `.p == NULL`: it has none. */
struct names {
    struct tk_str id, tool;
};

static struct names names_of_message(const struct tk_report *report, uint32_t message)
{
    const struct tk_transcript *t = report->judge->t;
    struct tk_message m = t->messages[message];

    if (report->sent && m.sent != TK_NO_NODE) {
        m = (struct tk_message){.doc = t->doc, .node = m.sent};
        tk_shape_read_message(t->shape, &m, t->arena);
    }
    if (!(m.flags & TK_MESSAGE_RESULT))
        return (struct names){{NULL, 0}, {NULL, 0}};
    return (struct names){tk_message_id(t->shape, &m, t->arena),
                          tk_message_tool(t->shape, &m, t->arena)};
}

/* Returns the names of a message or item of a flat list, as it was sent or as it is now. */
static struct names names_of_item(const struct tk_report *report, uint32_t message)
{
    const struct tk_transcript *t = report->judge->t;
    const struct tk_message *m = &t->messages[message];
    struct tk_val item = m->flags & TK_MESSAGE_WHOLE
                             ? tk_part_val(&t->parts[m->first], t->parts[m->first].node)
                             : (struct tk_val){m->doc, m->node};
    struct names names = {{NULL, 0}, {NULL, 0}};

    if (report->sent && m->sent != TK_NO_NODE)
        item = (struct tk_val){t->doc, m->sent};
    t->shape->name_item(item, t->arena, &names.id, &names.tool);
    return names;
}

static struct names names_of(const struct tk_report *report, const struct tk_finding *f)
{
    const struct tk_transcript *t = report->judge->t;
    const struct tk_part *p = f->site.part == TK_NONE ? NULL : &t->parts[f->site.part];

    if (t->shape->name_item && f->site.entry != TK_NONE && (!p || (p->flags & TK_PART_WHOLE)))
        return names_of_item(report, f->site.entry);
    if (p)
        return (struct names){shown_id(report, p), shown_tool(report, p)};
    if (f->site.entry != TK_NONE)
        return names_of_message(report, f->site.entry);
    return (struct names){{NULL, 0}, {NULL, 0}};
}

/* Returns the index that a pointer ends with, "0" in "/messages/3/tool_calls/0". */
static struct tk_str last_index(struct tk_str pointer)
{
    size_t from = pointer.n;

    while (from > 0 && pointer.p[from - 1] != '/')
        from--;
    return (struct tk_str){pointer.p + from, pointer.n - from};
}

static void write_sentences(struct tk_writer *w, const struct tk_report *report,
                            const struct tk_finding *f, const struct tk_part *p,
                            const struct place *at)
{
    const struct tk_judge *j = report->judge;
    static const struct tk_detail nothing = {.words = {TK_STR_INIT(""), TK_STR_INIT("")}};
    const struct tk_rule *rule = &tk_catalogue[f->code];
    const struct tk_detail *detail =
        f->detail == TK_NONE ? &nothing : &j->findings.details[f->detail];
    struct tk_arena *arena = j->t->arena;
    struct names names = names_of(report, f);
    struct tk_slot_value slots[] = {
        {"{id}", or_else(names.id, TK_STR(""))},
        {"{tool}", or_else(names.tool, TK_STR("an unnamed tool"))},
        {"{message}", number(arena, at->message)},
        {"{part}", number(arena, at->part)},
        {"{caller_id}", p ? or_else(caller_id(j, p), TK_STR("")) : TK_STR("")},
        {"{field}", detail->words[0]},
        {"{fields}", detail->words[1]},
        {"{type}", detail->words[0]},
        /* of two words, a member's name comes first */
        {"{role}", detail->words[1].n > 0 ? detail->words[1] : detail->words[0]},
        {"{declared}", detail->words[0]},
        {"{count}", detail->words[0]},
        {"{size}", detail->words[0]},
        {"{column}", detail->words[0]},
        {"{name}", detail->words[0]},
        {"{length}", detail->words[0]},
        {"{call}", last_index(at->pointer)},
        {"{index}", detail->words[1]},
        {"{found}", detail->words[1]},
        {"{offset}", detail->words[1]},
        {"{prefix}", detail->words[0]},
        {"{length}", detail->words[1]},
    };
    size_t n = sizeof(slots) / sizeof(slots[0]);

    tk_write_kv_str(w, "text", tk_fill(arena, rule->text, slots, n));
    /* A finding about the request has no index to fill in for {message}. */
    if (!rule->provider_error || f->other_form ||
        (at->message == TK_NONE && strstr(rule->provider_error, "{message}")) ||
        (at->part == TK_NONE && strstr(rule->provider_error, "{part}")))
        return;
    slots[1].value = f->detail != TK_NONE ? detail->words[0]
                     : p                  ? or_else(provider_tool(j, p), TK_STR(""))
                                          : TK_STR("");
    if (detail->id.p)
        slots[0].value = detail->id;
    tk_write_kv_str(w, "provider_error", tk_fill(arena, rule->provider_error, slots, n));
}

/* ---- findings ---- */

static void write_index(struct tk_writer *w, const char *key, uint32_t n)
{
    tk_write_key(w, key);
    if (n == TK_NONE)
        tk_write_null(w);
    else
        tk_write_uint(w, n);
}

static void write_id_and_tool(struct tk_writer *w, struct tk_str id, struct tk_str tool)
{
    if (id.p)
        tk_write_kv_str(w, "id", tk_cut(id, w->out->arena));
    if (tool.p)
        tk_write_kv_str(w, "tool", tk_cut(tool, w->out->arena));
}

static void write_finding(struct tk_writer *w, const struct tk_report *report,
                          const struct tk_finding *f, const struct place *at)
{
    struct tk_judge *j = report->judge;
    const struct tk_rule *rule = &tk_catalogue[f->code];
    const struct tk_part *p = f->site.part == TK_NONE ? NULL : &j->t->parts[f->site.part];
    struct names names = names_of(report, f);

    tk_write_map(w);
    tk_write_kv_cstr(w, "code", rule->code);
    tk_write_kv_cstr(w, "severity", tk_severity_name((enum tk_severity)f->severity));
    write_index(w, "message_index", at->message);
    write_index(w, "part_index", at->part);
    tk_write_kv_str(w, "pointer", at->pointer);
    if (!p || p->kind == TK_PART_CALL || p->kind == TK_PART_RESULT || (p->flags & TK_PART_WHOLE))
        write_id_and_tool(w, names.id, names.tool);
    write_sentences(w, report, f, p, at);
    if (report->needed) {
        enum tk_action needed = tk_plan_needed(report->needed, f);

        if (needed != TK_ACTION_NONE)
            tk_write_kv_cstr(w, "needed", tk_action_names[needed]);
        tk_write_kv_str(w, "way_out", tk_way_out(report->needed, f, report->before));
    }
    tk_write_end(w);
}

/* Returns the place in the request as it was sent. An added message has the place of the one before it, or of the one after it
 * if it is the first. */
static struct place place_sent(const struct tk_transcript *t, const struct tk_finding *f)
{
    uint32_t message = f->site.entry;
    struct place at = {TK_NONE, TK_NONE, {0}};

    if (f->site.part != TK_NONE && t->parts[f->site.part].from_message != TK_NONE) {
        at.message = t->parts[f->site.part].from_message;
        at.part =
            t->parts[f->site.part].flags & TK_PART_WHOLE ? TK_NONE : tk_part_from(t, f->site.part);
        at.pointer = tk_pointer_from(t, at.message, f->site.part);
        return at;
    }
    while (tk_message_from(t, message) == TK_NONE && t->messages[message].prev != TK_NONE)
        message = t->messages[message].prev;
    while (tk_message_from(t, message) == TK_NONE && t->messages[message].next != TK_NONE)
        message = t->messages[message].next;
    at.message = tk_message_from(t, message);
    at.pointer = tk_pointer_from(t, at.message, TK_NONE);
    return at;
}

/* Returns the place in the history as it is now. at: the indexes of the message and the part; index:
 * the part's in its list. */
static struct place place_now(const struct tk_transcript *t, const struct tk_finding *f,
                              const struct place *at, uint32_t index)
{
    enum tk_place_of of = TK_AT_MESSAGE;

    if (f->site.part != TK_NONE)
        of = tk_place_of_part(t, f->site.entry, f->site.part);
    /* A string that moved is in the list of another message. */
    if (of == TK_AT_PARTS && (t->messages[f->site.entry].flags & TK_MESSAGE_RELISTED ||
                              t->parts[f->site.part].flags & TK_PART_MOVED))
        of = TK_AT_PART;
    if (of == TK_AT_PART && tk_is_plain(t, f->site.entry))
        of = TK_AT_PARTS;
    return (struct place){at->message, of == TK_AT_MESSAGE ? TK_NONE : at->part,
                          tk_place(t, at->message, index, of)};
}

struct listing {
    struct tk_writer *w;
    const struct tk_report *report;
    uint32_t listed;
    struct tk_site_walk walk; /* over the request */
};

static struct place place_of(struct listing *l, const struct tk_finding *f, const struct place *at,
                             uint32_t index)
{
    const struct tk_judge *j = l->report->judge;

    if (f->site.what == TK_SITE_REQUEST)
        return (struct place){TK_NONE, TK_NONE,
                              tk_site_pointer(j->request, &f->site, &l->walk, j->t->arena)};
    return l->report->sent ? place_sent(j->t, f) : place_now(j->t, f, at, index);
}

/* Lists the findings of one site. now: its indexes; index: the part's in its list. */
static void list_chain(struct listing *l, uint32_t head, const struct place *now, uint32_t index)
{
    for (uint32_t i = head; i != TK_NONE; i = l->report->judge->findings.list[i].next) {
        const struct tk_finding *f = &l->report->judge->findings.list[i];
        struct place at;

        if (l->listed == l->report->max || (l->report->sent && f->severity != TK_ERROR))
            continue;
        at = place_of(l, f, now, index);
        write_finding(l->w, l->report, f, &at);
        l->listed++;
    }
}

static void write_counts(struct tk_writer *w, const struct tk_findings *f, bool errors_only)
{
    tk_write_key(w, "counts");
    tk_write_map(w);
    for (int i = 0; i < TK_CODE_COUNT; i++)
        if (f->by_code[i] > 0 && !(errors_only && f->errors_by_code[i] == 0))
            tk_write_kv_int(w, tk_catalogue[i].code, f->by_code[i]);
    tk_write_end(w);
}

void tk_report_findings(struct tk_writer *w, const struct tk_report *report)
{
    const struct tk_findings *f = &report->judge->findings;
    const struct tk_transcript *t = report->judge->t;
    struct listing l = {w, report, 0, {.list = TK_NO_NODE}};
    struct place at = {TK_NONE, TK_NONE, {NULL, 0}};

    tk_write_key(w, "violations");
    tk_write_list(w);
    list_chain(&l, f->request, &at, TK_NONE);
    at.message = 0;
    for (uint32_t m = t->first_message; m != TK_NONE && f->count > 0 && l.listed < report->max;
         m = t->messages[m].next, at.message++) {
        uint32_t calls = 0;

        at.part = TK_NONE;
        list_chain(&l, t->messages[m].finding, &at, TK_NONE);
        at.part = 0;
        for (uint32_t p = t->messages[m].first; p != TK_NONE; p = t->parts[p].next, at.part++)
            list_chain(&l, t->parts[p].finding, &at,
                       t->parts[p].flags & TK_PART_IN_CALLS ? calls++ : at.part);
    }
    tk_write_end(w);
    write_counts(w, f, report->sent != NULL);
    tk_write_kv_int(w, "truncated", (report->sent ? f->errors : f->count) - l.listed);
}

/* ---- edits ---- */

static void write_edit(struct tk_writer *w, const struct tk_transcript *t,
                       const struct tk_edit *edit)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "code", tk_catalogue[edit->code].code);
    tk_write_kv_cstr(w, "action", tk_action_names[edit->action]);
    tk_write_kv_str(w, "pointer", tk_pointer_from(t, edit->site.entry, edit->site.part));
    write_id_and_tool(w, edit->id, edit->tool);
    tk_write_end(w);
}

void tk_report_edits(struct tk_writer *w, const struct tk_edits *edits)
{
    tk_write_key(w, "edits");
    tk_write_list(w);
    for (uint32_t i = 0; i < edits->count; i++)
        write_edit(w, edits->t, &edits->list[i]);
    tk_write_end(w);
    tk_write_key(w, "stats");
    tk_write_map(w);
#define TK_STAT_WRITE(name) tk_write_kv_int(w, #name, edits->stats.name);
    TK_STATS(TK_STAT_WRITE)
#undef TK_STAT_WRITE
    tk_write_end(w);
}
