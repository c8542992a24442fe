/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/rules.h"

#include <errno.h>

#include "engine/protect.h"
#include "providers/anthropic/betas/values.h"
#include "providers/anthropic/request.h"
#include "providers/anthropic/state.h"
#include "request/change.h"

/* ---- conditions ---- */

/* True if the history ends with a user turn right after the newest assistant turn, whose last
 * message has a result: the tool loop isn't finished. */
static bool is_open_loop(const struct tk_transcript *t, const struct tk_turn *newest)
{
    uint32_t last = t->last_message;

    if (last == TK_NONE || t->messages[newest->last].next == TK_NONE ||
        t->messages[last].turn != t->messages[t->messages[newest->last].next].turn ||
        t->messages[last].role != TK_ROLE_USER)
        return false;
    for (uint32_t i = t->messages[last].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_result(&t->parts[i], false))
            return true;
    return false;
}

/* True if the message began with thinking when it was sent. */
static bool began_with_thinking(const struct tk_transcript *t, uint32_t message)
{
    struct tk_val content =
        tk_get((struct tk_val){t->doc, t->messages[message].sent}, TK_STR("content"));
    struct tk_val first = tk_is(content, TK_ARRAY) ? tk_first(content) : TK_NO_VAL;
    struct tk_val type = tk_get(first, TK_STR("type"));

    return tk_text_is(type, TK_STR("thinking")) || tk_text_is(type, TK_STR("redacted_thinking"));
}

/* Returns the turn's first message as it was sent: edits may have dropped messages at its start. */
static uint32_t first_sent(const struct tk_transcript *t, const struct tk_turn *turn)
{
    uint32_t m = turn->first;

    while (m > 0 && m < t->input_messages && t->messages[m - 1].role == TK_ROLE_ASSISTANT &&
           (t->messages[m - 1].flags & TK_MESSAGE_DROPPED))
        m--;
    return m;
}

/* True if the provider would refuse thinking for this request. */
static bool lost_leading_thinking(const struct tk_repair *r)
{
    const struct tk_transcript *t = r->judge.t;
    const struct tk_turn *newest = tk_newest_turn(t);
    uint32_t first, part;

    if (!newest || r->edits.count == 0 || t->lone_turn || !tk_judges_thinking(&r->judge) ||
        !(tk_request_flags(r->judge.request) & TK_REQUEST_THINKS_BY_BUDGET) ||
        !is_open_loop(t, newest))
        return false;
    first = first_sent(t, newest);
    part = tk_turn_first(t, newest);
    return first < t->input_messages && began_with_thinking(t, first) &&
           (part == TK_NONE || !tk_is_thinking(&t->parts[part]));
}

static bool meets_unbound(struct tk_repair *r)
{
    return tk_own_policy(&r->judge)->prefix_mismatch == TK_MISMATCH_DROP_BLOCK &&
           (tk_request_flags(r->judge.request) & TK_REQUEST_THINKS) &&
           tk_has_unbound(&r->judge, &r->edits);
}

/* ---- the edits ---- */

/* Returns {member: text}, encoded. */
static struct tk_str object_of(const struct tk_transcript *t, const char *member, const char *text)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_map(&out.w);
    tk_write_kv_cstr(&out.w, member, text);
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

/* Notes a change of `thinking`, which becomes change.whole. */
static int change_thinking(struct tk_repair *r, struct tk_request_change change)
{
    struct tk_request_view *after = tk_arena_alloc(r->judge.t->arena, sizeof(*after));
    struct tk_anthropic_request *own = tk_arena_alloc(r->judge.t->arena, sizeof(*own));
    const struct tk_doc *doc =
        after && own && change.whole.p ? tk_fragment(&r->edits, change.whole) : NULL;

    if (!doc)
        return -ENOMEM;
    *own = *tk_anthropic_request(r->judge.request);
    tk_anthropic_read_thinking(own, tk_root(doc));
    *after = *r->judge.request;
    after->own = own;
    change.member = TK_STR("thinking");
    change.after = after;
    return tk_request_change_add(&tk_anthropic(&r->judge)->changes, r->judge.t->arena, change);
}

static int switch_off(struct tk_repair *r)
{
    struct tk_str disabled = object_of(r->judge.t, "type", "disabled");

    return change_thinking(r, (struct tk_request_change){
                                  .pointer = TK_STR("/thinking"),
                                  .value = disabled,
                                  .whole = disabled,
                                  .replaces = true,
                              });
}

/* Returns the request's `thinking` with a value of `block_binding`, encoded. */
static struct tk_str with_binding(struct tk_repair *r, struct tk_str binding)
{
    const struct tk_doc *doc = binding.p ? tk_fragment(&r->edits, binding) : NULL;
    const struct tk_transcript *t = r->judge.t;
    struct tk_encoding out;

    if (!doc)
        return (struct tk_str){0};
    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_with_member(&out.w, tk_request_at(r->judge.request, TK_REQUEST_THINKING),
                         TK_STR("block_binding"), tk_root(doc));
    return tk_encode_end(&out);
}

static int ask_to_drop(struct tk_repair *r)
{
    const char *member = r->judge.target.endpoint == TK_ENDPOINT_BEDROCK
                             ? "mismatch_behavior"
                             : "prefix_mismatch_behavior";
    struct tk_str binding = object_of(r->judge.t, member, "drop_block");
    struct tk_val before = tk_anthropic_request(r->judge.request)->binding;

    return change_thinking(
        r, (struct tk_request_change){
               .pointer = TK_STR("/thinking/block_binding"),
               .value = binding,
               .whole = with_binding(r, binding),
               .beta = tk_beta_values[TK_BETA_BLOCK_BINDING],
               .replaces = tk_exists(before),
               .holds = tk_text_is(tk_get(before, tk_str_of(member)), TK_STR("drop_block")),
           });
}

/* Judges again, for the request as it will be: without thinking no turn has to begin with some. */
static int judge_changed(struct tk_repair *r)
{
    int err;

    r->judge.request = tk_request_after(tk_anthropic(&r->judge)->changes, r->judge.request);
    err = tk_judge(&r->judge);
    if (err == 0)
        err = tk_judge_binding(&r->judge);
    return err == 0 && r->plan.guard ? tk_judge_unbound(&r->judge, &r->edits) : err;
}

int tk_fix_settings(struct tk_repair *r, const struct tk_step *step)
{
    (void)step;
    if (lost_leading_thinking(r)) {
        int err = switch_off(r);

        return err == 0 && r->changes_request ? judge_changed(r) : err;
    }
    return meets_unbound(r) ? ask_to_drop(r) : 0;
}
