/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Anthropic's rules, by the folders of their areas. checks.c has the checks in their order. Rows of fixes.c name the
 * functions that decide about a finding (`want`) and that make the edit (`act`); engine/fix.h says what they
 * are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_RULES_H
#define TK_PROVIDERS_ANTHROPIC_RULES_H

#include "engine/edit/edit.h"
#include "engine/fix.h"
#include "engine/judge.h"
#include "engine/pairs/links.h"
#include "engine/pairs/new_id.h"
#include "engine/plan.h"
#include "engine/repair.h"
#include "providers/anthropic/seals/seals.h"
#include "providers/common/image_header.h"
#include "shapes/blocks.h"
#include "shapes/shape.h"
#include "value/doc.h"

/* ---- betas ---- */

/*
 * Features in beta (CATALOGUE 3.10, 3.11): the provider refuses their blocks and members unless the
 * request names the beta in its header `anthropic-beta`.
 */

/* Finds blocks and members that the header doesn't allow. Returns 0 or -ENOMEM. */
int tk_judge_betas(struct tk_judge *j);

/*
 * Edits blocks and members of features in beta that the header doesn't allow. That happens when a
 * history moves to a client that doesn't ask for the beta. Most edits are made only by the policy
 * `preserve`; others would rather have the caller add the beta.
 */

/* Wants an advisor's call dropped and its result turned into text. */
struct tk_decision tk_want_no_advice(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Wants the block dropped. */
struct tk_decision tk_want_out(struct tk_plan *p, const struct tk_finding *f,
                               const struct tk_policy *policy);

/* Wants a fallback block dropped, unless it parts thinking: the blocks would become neighbours. */
struct tk_decision tk_want_no_fallback(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);

/* Wants the message dropped if it holds nothing but settings. */
struct tk_decision tk_want_no_output_config(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy);

/* Wants the member `clear_at` removed. */
struct tk_decision tk_want_no_clear_at(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);

/* Removes the member `clear_at`. */
int tk_fix_clear_at(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants a compaction block rewritten as a text of the user if no order of what was said changes, or
 * dropped if it has no summary. */
struct tk_decision tk_want_summary(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);

/* Makes that edit. */
int tk_fix_summary(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- blocks ---- */

/*
 * Blocks with wrong members (CATALOGUE 3.3). Libraries that put streamed messages together leave
 * members on blocks that the provider is known to refuse: offenders. The rule finds them, the fix
 * takes them out.
 */

struct tk_offender {
    struct tk_path path; /* path from the block: one step */
    uint16_t block;      /* block type in which it is refused; TK_BLOCK_NONE: in every type */
};

extern const struct tk_offender tk_offenders[];
extern const size_t tk_offender_count;

/* Returns true if the block has a member, other than null, that the table of blocks doesn't list
 * for its type. */
bool tk_has_foreign_member(const struct tk_part *p);

/* Returns true if blocks of that type must not have the member. */
static inline bool tk_offends(const struct tk_offender *o, uint16_t block)
{
    return o->block == TK_BLOCK_NONE || o->block == block;
}

/* Finds blocks that lack a required member or have a foreign one, and blocks of unknown types.
 * Returns 0, -ENOMEM or -ECANCELED. */
int tk_judge_block_shape(struct tk_judge *j);

/* Edits blocks that lack a required member or have one that the provider refuses. */

/* Wants a block that lacks a required member dropped, unless it has an unknown one: it may be newer
 * than this build's table. */
struct tk_decision tk_want_block_gone(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy);

/* Removes the known offenders from the block. */
int tk_fix_extra_inputs(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Wants a block replaced by the text that it says, or dropped if it says nothing. Wants no edit if
 * it has an unknown member. */
struct tk_decision tk_want_block_as_text(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);

/* Makes that edit. */
int tk_fix_block_as_text(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- cache ---- */

/* Cache markers, `cache_control` on a block (CATALOGUE 3.8): the provider caches the prompt up to
 * each of them. It takes four in a request, and refuses the request if there are more. */

/* Most markers that a request may have. */
#define TK_CACHE_MARKERS 4

struct tk_cache {
    uint32_t count;        /* markers of the whole request */
    uint32_t in_messages;  /* markers in messages: only those can be edited */
    uint32_t five_minutes; /* first part with a marker of five minutes, or TK_NONE */
};

/* The last search for a part that takes the marker of a removed one: where it began, and what it found. */
struct tk_carrier {
    uint32_t from, part;
};

/*
 * Return true if the cache keeps the marked prompt that long: five minutes unless `ttl` says "1h".
 */
bool tk_lives_five_minutes(struct tk_val marker);
bool tk_lives_an_hour(struct tk_val marker);

/* Counts the cache markers, and finds those that the provider would refuse. Returns 0 or -ENOMEM.
 */
int tk_judge_cache(struct tk_judge *j);

/*
 * Takes off cache markers that the provider would refuse. A marker only makes later requests
 * cheaper, so dropping one loses nothing that anybody said.
 */

/* Wants markers taken off, unless there are too many outside the messages alone. */
struct tk_decision tk_want_fewer_markers(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);

/* Takes the first markers off until four are left: the last ones cover the longest prompt. Makes no
 * edit if the protected turn holds so many that this isn't enough. */
int tk_fix_too_many_markers(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Takes a part's own marker off. */
int tk_fix_marker_off(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants the last block's marker taken off, under `preserve`: the request's own marker marks it. */
struct tk_decision tk_want_one_lifetime(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);

/* Wants the part's markers rewritten; no edit for markers outside the messages. */
struct tk_decision tk_want_marker_order(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);

/* Shortens to five minutes each marker of an hour that follows one of five minutes. */
int tk_fix_marker_order(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- citations ---- */

/* Citations (CATALOGUE 3.8): a text block may name the search hit or the document that it quotes.
 * The provider checks that the source is in the request, and that its own index came back. */

/* Returns true for a citation of a search hit without `encrypted_index`, which only the provider
 * can make. */
bool tk_citation_lacks_index(struct tk_val citation);

/* Returns true if the document block allows citations of itself. */
bool tk_gives_citations(struct tk_val document);

/* Removes the citations of a text for which is_dead() returns true, and the whole member if none is
 * left. The text stays. Adds a line to the report if anything was removed. Returns 0 or -ENOMEM. */
int tk_drop_citations(struct tk_edits *e, uint32_t part, uint16_t code,
                      bool (*is_dead)(void *arg, struct tk_val citation), void *arg);

/* Finds citations without index or source, and documents that differ in giving citations. Returns 0
 * or -ENOMEM. */
int tk_judge_citations(struct tk_judge *j);

/*
 * Edits citations that the provider would refuse. The quoted text is the answer and stays; only the
 * reference goes.
 */

/* Removes the text's citations of search hits that lack the provider's index. */
int tk_fix_bare_citations(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants citations allowed, unless no document may allow them and the policy leaves that as it is. (If
 * it doesn't, the other rule's edits come first, and nothing is left to edit here.) */
struct tk_decision tk_want_document_citations(struct tk_plan *p, const struct tk_finding *f,
                                              const struct tk_policy *policy);

/* Allows citations of a document, as the request's other documents do: the provider wants all or
 * none. */
int tk_fix_document_citations(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants citations forbidden, for a request whose answer has to have a form. Only `preserve` edits:
 * the client may rather want the citations. */
struct tk_decision tk_want_no_citations(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);

/* Forbids citations of a document, or of all documents of a result. */
int tk_fix_citing_document(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/*
 * Citations of search results that the repair itself removed. Findings see the input, where the
 * source was present, so this edit follows the others and has no row in fixes.c. Its lines in the
 * report have the code citation_dangling.
 */

/* Notes the content of a provider-executed result of the input that is about to lose its structure: citations may
 * refer to it. Returns 0 or -ENOMEM. */
int tk_keep_gone(struct tk_edits *e, uint32_t part);

/* Removes citations of search hits whose result was removed; the cited text stays (RULES.md 6.5).
 * Signed turns keep theirs. Returns 0 or -ENOMEM. */
int tk_mend_citations(struct tk_edits *e);

/* ---- client_pairs ---- */

/*
 * Client pairs (CATALOGUE 3.2). The model calls a tool that the client runs in the assistant's
 * turn. The client sends the result in the user's turn right after it, before everything else:
 *
 *     assistant: read_file(...) toolu_1, list(...) toolu_2
 *     user:      result of toolu_1, result of toolu_2, "and be quick"
 *
 * The provider refuses a call without a result, a result without a call, a result after a text and
 * an id that two calls of a turn have. In two turns it takes the same id, since results answer the
 * turn before them. A misplaced result (wrong role, or another turn between) claims the
 * newest unanswered call of its id, so that one mistake gives one finding. If several calls of a
 * turn have one id, the results of that id answer them in order.
 */

/* The calls of an id. */
struct tk_client_calls {
    uint32_t first; /* the first one, the client's or the provider's; TK_NONE: there is none */
    uint32_t server_turn; /* turn of the first provider-executed one; TK_NONE */
};

struct tk_client_pairs {
    struct tk_pairs pairs;         /* a scope is an assistant turn with the user turn after it */
    struct tk_client_calls *calls; /* by key; keys that no call has may be missing */
    uint32_t call_count, call_capacity;
    struct tk_map asked; /* ai-sdk: ids of the calls of asked_turn that wait for approval */
    uint32_t
        asked_turn; /* assistant turn that is followed only by messages of role `tool`; TK_NONE */
};

/* A check: judges all calls and results of the client. */
int tk_judge_client_pairs(struct tk_judge *j);

/* Returns the result that answers or claims a call, or the call that a result answers or claims;
 * TK_NONE: none, or an edit added the part. */
uint32_t tk_client_partner(const struct tk_judge *j, uint32_t part);

/* Returns the name of a part's tool in the history as it is now; of a client's result that of the first call of
 * its id before it. `.p == NULL`: nothing tells it. */
struct tk_str tk_client_tool(const struct tk_judge *j, const struct tk_part *p);

/*
 * Edits client pairs: the model calls a tool, the client runs it and sends the result in the next
 * user message, where results come first. An interrupted agent, a truncated store or a merge of two
 * histories breaks that, and the provider refuses the whole request.
 */

/* Wants an error result inserted for an unanswered call, unless the policy is to report it. */
struct tk_decision tk_want_answer(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);

/* Wants a result without a call turned into text, unless the policy is to report it. */
struct tk_decision tk_want_stray(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);

/* Wants a result in an assistant message moved to where its call's results belong, or turned into
 * text if it has no call. */
struct tk_decision tk_want_inside(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);

/* Wants a repeated call dropped if it is a copy of the other in the same turn; else wants a new id
 * for it. */
struct tk_decision tk_want_repeated(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy);

/* Wants a call in a user message moved to an assistant message of its own if that keeps the turns
 * in order (`preserve`); else wants it dropped. */
struct tk_decision tk_want_call_in_user(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);

/* Inserts the result "Not executed." where results of the call belong. */
int tk_fix_answer(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Turns the result into text, or moves it to where results of its call belong. */
int tk_fix_stray(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Moves the result before the other parts of its message, unless earlier edits left it there
 * already. */
int tk_fix_not_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Drops the copy, or gives the call and its result a new id. */
int tk_fix_repeated(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Splits the message at its calls, or drops the call. */
int tk_fix_call_in_user(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- compaction ---- */

/*
 * Compaction blocks (CATALOGUE 3.11): the provider sums up a long history in one block, and what
 * precedes that block needn't be sent any more.
 */

/* Finds compaction blocks that are empty, and signed ones that don't begin the history. Notes the
 * newest signed one for the fixes. Returns 0 or -ENOMEM. */
int tk_judge_compaction(struct tk_judge *j);

/* Finds edits of `context_management` that are out of order, or compact too early. Returns 0 or
 * -ENOMEM. */
int tk_judge_context_edits(struct tk_judge *j);

/*
 * Edits compaction blocks. A client that appends to its store instead of replacing it sends the
 * summary in the middle of the history that it sums up; the provider wants the summary first.
 */

/* Sets the content of an empty block to null, which the provider accepts. */
int tk_fix_empty_compaction(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants everything before the newest block dropped, if the policy is `preserve` and no message
 * there has to be kept. Wants no edit for older blocks. */
struct tk_decision tk_want_compaction_first(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy);
/* Returns true unless a part of the protected turn precedes the newest compaction block. */
bool tk_may_put_compaction_first(const struct tk_plan *p, const struct tk_finding *f);

/* Drops the messages and blocks before the block. */
int tk_fix_compaction_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- container ---- */

/*
 * The container (CATALOGUE 3.9): the machine in which the provider runs the model's code. A request
 * that goes on with running code must name it, and only a request that can run code may.
 *
 *     "container": "container_1"      or {"id": "container_1", "skills": [...]}
 */

/* Finds faults of `container`, and calls that running code made if it is missing. Runs after
 * tk_judge_tools(). Returns 0 or -ENOMEM. */
int tk_judge_container(struct tk_judge *j);

/* ---- ids ---- */

/*
 * The form of ids (CATALOGUE 3.1, 3.6). Histories that were made with another provider, or by a
 * counter, hold ids that Anthropic refuses: "functions.Bash:0", "call_1" for a server tool.
 */

/* The form of ids for tools of the provider. */
extern const struct tk_id_form tk_server_id_form;

/* Returns true for calls and results of MCP tools, whose ids have another form. */
bool tk_is_mcp(const struct tk_transcript *t, const struct tk_part *p);

/* Finds ids that the provider would refuse. Returns 0 or -ENOMEM. */
int tk_judge_ids(struct tk_judge *j);

/*
 * Rewrites ids that the provider would refuse: histories that began with another provider have ids
 * of another form.
 */

/* Gives a client call and its result the same new id. */
int tk_fix_client_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Gives a provider-executed call or result its new id, and remembers it for callers. */
int tk_fix_server_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Rewrites the callers that name an id which got a new one this round. Returns 0 or -ENOMEM. */
int tk_rename_callers(struct tk_plan *p);
/* Gives a call or result an id and adds the line of the report. A removed part is left out. Returns
 * 0 or -ENOMEM. */
int tk_fix_id(struct tk_plan *p, uint32_t part, uint16_t code, struct tk_str id);

/* ---- limits ---- */

/*
 * Limits (CATALOGUE 3.7): how large a request may be, and how much of a kind it may hold. A
 * conversation reaches them by growing: an agent that looks at its screen sends a picture with every
 * step, and all of them again with every request.
 *
 *                                      first party   Vertex    Bedrock
 *     bytes of the request             32 MiB        32 MiB    20 MiB
 *     characters of an image's base64  10 MiB        5 MiB     5 MiB
 *     images of a request              600; models below 4.6: 100
 *     messages                         100,000
 */

/* Those contents of the messages that have a limit, as of the last judging. */
struct tk_limited {
    uint32_t images; /* in messages and in the client's results */
    uint64_t bytes;  /* of the request; 0: it was sent without its body */
    bool judged;     /* a judging went before: the messages may have changed since they came */
};

/* Return the most that the target takes. */
uint64_t tk_most_bytes(const struct tk_judge *j);
uint32_t tk_most_image_bytes(const struct tk_judge *j);
uint32_t tk_most_images(const struct tk_judge *j);

/* Finds what is over its limit in the request as a whole. Runs after the images were counted.
 * Returns 0 or -ENOMEM. */
int tk_judge_limits(struct tk_judge *j);

/*
 * Makes a request smaller where it holds too much: its oldest images and documents become a text
 * such as "[image removed]". The model has seen them when they were new, and what it said about them
 * stays.
 */

/* Want the oldest media replaced by text, if that is enough. Only `preserve` edits a request that
 * has too many bytes. */
struct tk_decision tk_want_fewer_bytes(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
struct tk_decision tk_want_fewer_images(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);

/* Make these edits: no more than are needed. */
int tk_fix_too_many_bytes(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_too_many_images(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- mcp_servers ---- */

/*
 * MCP servers (CATALOGUE 3.9): the provider calls their tools itself. A request lists the servers,
 * and a set in `tools` names the server whose tools it offers:
 *
 *     "mcp_servers": [{"type": "url", "name": "s", "url": "https://..."}],
 *     "tools": [{"type": "mcp_toolset", "mcp_server_name": "s"}]
 */

/* Finds servers without exactly one set, and sets without a server. Runs after tk_judge_tools().
 * Returns 0 or -ENOMEM. */
int tk_judge_mcp_servers(struct tk_judge *j);

/* ---- media ---- */

/*
 * Media: images and documents, in messages and in the client's results (CATALOGUE 3.7). An image in
 * base64 must be what it declares, and no larger than the provider takes:
 *
 *     {"type": "image",
 *      "source": {"type": "base64", "media_type": "image/jpeg", "data": "iVBORw0KGgo..."}}
 *                                                 ^^^^^^^^^^^^          ^^^^^^^^^^^
 *                                                 says JPEG,            but this is PNG
 */

/* With more images than this in a request, the provider takes only smaller ones. */
#define TK_MANY_IMAGES 20u

/* Faults of an image; bits. */
enum {
    TK_IMAGE_UNSUPPORTED = 1 << 0, /* declares a media type other than the four known ones */
    TK_IMAGE_MISMATCH = 1 << 1,    /* declares another media type than its data shows */
    TK_IMAGE_UNREADABLE = 1 << 2,  /* declares a known type, but its data is no image */
    TK_IMAGE_TOO_LARGE = 1 << 3,
    TK_IMAGE_TOO_LARGE_OF_MANY = 1 << 4, /* too large only because the request has many */
    TK_IMAGE_TOO_LONG = 1 << 5,          /* its data has more characters than the target takes */
};

struct tk_image_look {
    unsigned faults;
    enum tk_image_kind kind;  /* kind that its data shows */
    struct tk_val media_type; /* media type that it declares */
};

/* Returns the source of a block if it is base64, or TK_NO_VAL. */
struct tk_val tk_base64_source(struct tk_val block);

/* Returns what is known of an image block. Nothing is known of one whose source isn't base64. */
struct tk_image_look tk_look_at_image(const struct tk_judge *j, struct tk_val block);

static inline bool tk_is_image(struct tk_val block)
{
    return tk_text_is(tk_get(block, TK_STR("type")), TK_STR("image"));
}

static inline bool tk_is_document(struct tk_val block)
{
    return tk_text_is(tk_get(block, TK_STR("type")), TK_STR("document"));
}

/* Returns the list of blocks in a client's result, or TK_NO_VAL. */
struct tk_val tk_result_blocks(const struct tk_part *p);

/* Finds images and documents that the provider would refuse, and counts the images. Returns 0,
 * -ENOMEM or -ECANCELED. */
int tk_judge_media(struct tk_judge *j);

/*
 * Edits images that the provider would refuse. Screenshots in tool results are the usual case:
 * saved as PNG, declared as JPEG, or too large.
 */

/* Wants the media type rewritten if the data shows what the image is; else wants the image replaced
 * by text. Images in a result are always a rewrite of the result. */
struct tk_decision tk_want_image(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);

/* Makes that edit for an image, or for all images of a result that have the fault. */
int tk_fix_image(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- provider_pairs ---- */

/* A check: judges all provider-executed parts. provider_pairs/groups.h has the model. */
int tk_judge_provider_pairs(struct tk_judge *j);

/* Returns the other half of a part's provider-executed pair; TK_NONE: there is none. */
uint32_t tk_other_half(const struct tk_judge *j, uint32_t part);

/* Returns true for a provider-executed call that is in flight at the end of the history. */
bool tk_is_in_flight(const struct tk_judge *j, uint32_t part);

/* Returns the name of a part's tool in the history as it was sent; of a result that of its call. A provider's
 * result outside assistant messages has its own name. `.p == NULL`: nothing tells it. */
struct tk_str tk_sent_tool(const struct tk_judge *j, const struct tk_part *part);

/*
 * Edits provider-executed pairs: calls of tools that the provider runs itself (web search, code
 * execution, MCP), and their results. Both are in the assistant's turn, and the provider refuses
 * the history if one comes back without the other. A result flattened to text keeps what the tool
 * found; a call alone says nothing, so it is dropped.
 */

/* Wants a result in a user message moved to its call, under `preserve`, if the call is in the turn
 * before and that turn isn't signed. Else wants a call dropped and a result turned into text. */
struct tk_decision tk_want_outside(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);

/* Wants the parts of a repeated id that keep.c doesn't keep dropped (calls) or turned into text
 * (results). */
struct tk_decision tk_want_duplicate(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Wants an error result inserted for the call if the policy says so and the call can be sent with
 * it; else wants the call dropped. Wants no edit if its result is about to move to it. */
struct tk_decision tk_want_orphan_call(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);

/* Wants the result dropped or turned into text, as the policy says. */
struct tk_decision tk_want_orphan_result(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);

/* Wants the result moved after its call, or the pair flattened, as the policy says. */
struct tk_decision tk_want_before_call(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);

/* Wants the pair rewritten so that it can be sent, if the policy and mend.c can do it without loss;
 * else wants the pair flattened. */
struct tk_decision tk_want_valid_pair(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy);

/* Makes the decided edit of a call or result. */
int tk_fix_pair(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Makes that edit, and flattens the parts of older turns that have to give way to this id. */
int tk_fix_duplicate(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Removes the caller of a part. */
int tk_fix_caller(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- seals ---- */

/* Judges turns by the seals that came with the request: the step before fix.c; see seals.h. */

/* Matches the seals to the messages, and finds the turns that differ from what was received.
 * Returns 0 or -ENOMEM. */
int tk_judge_seals(struct tk_judge *j);

/* Returns the code of the finding for a verdict other than intact and unknown. */
uint16_t tk_sealed_code(enum tk_verdict verdict);

/*
 * Edits turns that differ from their seals: they are restored from the seals' blocks, or their
 * thinking, whose signatures are dead, is demoted or dropped. The step after find.c; see seals.h. A
 * turn's edits are made together, so its rows in fixes.c have no `act`; engine/fix.h says what
 * `want` is.
 */

/* Edits all turns that differ from their seals, newest first. Returns 0 or -ENOMEM. */
int tk_mend_sealed(struct tk_plan *p);

/* Wants the turn restored if the policy says so and the seals can; else wants its thinking demoted
 * or dropped if its signatures are dead. */
struct tk_decision tk_want_sealed(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);

/* ---- structure ---- */

/* Turns without content, which the provider refuses (CATALOGUE 3.3); see empty.c. */

/* Finds turns without content, and content of a wrong type. Returns 0 or -ENOMEM. */
int tk_judge_emptiness(struct tk_judge *j);

/*
 * Edits content that is missing or of a wrong type. Stores write `null` or a bare block where a list
 * belongs; the provider refuses the whole request then.
 */

/* Wants an object that is a block of this dialect wrapped into a list, and absent content or null filled or dropped as an empty
 * message; wants no edit for any other value. */
struct tk_decision tk_want_content(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);

/* Wraps content that is one block into a list; otherwise treats the message as empty. */
int tk_fix_content(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/*
 * Edits members of messages that SDKs and stores added to what the provider knows (ids, timestamps,
 * text in the form of another provider); it refuses unknown members. Also decides about empty
 * messages, which a member of their own may keep.
 */

/* Wants the message rewritten if one of its extra members may go: an empty one, bookkeeping, a number
 * or boolean; unless they are all that the message says, words in the form of another provider, and,
 * if policy.extra_members is `drop`, any other. */
struct tk_decision tk_want_no_extras(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Removes those members. */
int tk_fix_extras(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants an empty user message filled, unless a member keeps it. */
struct tk_decision tk_want_filled(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);

/* Wants an empty message dropped, unless a member keeps it. */
struct tk_decision tk_want_gone(struct tk_plan *p, const struct tk_finding *f,
                                const struct tk_policy *policy);

/*
 * Edits system messages in a wrong place, with a wrong block, or without content. The provider
 * accepts one only after a message of the user or a result of a server tool, and only before the
 * assistant speaks.
 */

/* Wants the block moved to the message before the system messages, if that is the user's. */
struct tk_decision tk_want_block_out(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Wants the system messages moved after the user's last message that follows them, if there is one
 * before the assistant's next. */
struct tk_decision tk_want_slide(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);

/* Drops the message, unless it is kept or separates another assistant message from the protected
 * turn. */
int tk_fix_drop_message(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Drops an empty system message, or writes "(empty)" if its place must not close. */
int tk_fix_empty_system(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Moves the block to the end of that user message. */
int tk_fix_block_out(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Moves all system messages of the run in their order, except for directives, which may be
 * anywhere. */
int tk_fix_slide(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/*
 * Roles and order of messages (CATALOGUE 3.3). The provider knows three roles, and accepts a system
 * message only after a message of the user or a result of a server tool.
 */

/* Finds an empty list of messages, unknown roles, members that the provider doesn't know, and
 * system messages in a wrong place or with wrong content. Returns 0 or -ENOMEM. */
int tk_judge_structure(struct tk_judge *j);

/* Returns true if a message sets options (`content: []` with `output_config`) and says nothing.
 * Such a message may be anywhere. */
bool tk_is_directive(const struct tk_transcript *t, uint32_t message);

/* ---- target ---- */

/*
 * Judges by target (CATALOGUE 3.1 to 3.3). Servers that imitate the Messages API are stricter about
 * the order of roles than the API itself; Bedrock wants the result of a tool search in the turn of
 * its call; some models don't continue an answer that the client began, or read no system messages
 * in the list.
 */

/* Finds those faults. Pairs must have been judged before. Returns 0, -ENOMEM or -ECANCELED. */
int tk_judge_target(struct tk_judge *j);

/*
 * Edits what the target refuses.
 */

/* Wants a user message before the history. Only `preserve` makes up what the user said. */
struct tk_decision tk_want_user_first(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy);

/* Adds the user message ".". */
int tk_fix_user_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants a user message after the history, under `preserve`; not while the last turn waits for
 * results or ends in thinking, which other rules see to. */
struct tk_decision tk_want_user_last(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Adds the user message "Continue.". */
int tk_fix_user_last(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants the message merged into the one before it. */
struct tk_decision tk_want_merge(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);

/* Merges a message whose results are out of place, since a merge puts them first. For all others
 * engine/merge_messages.c does it after the other edits. */
int tk_fix_merge(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants a system message rewritten as a user message once it has only text left that no other rule
 * edits, or dropped if it has no content. */
struct tk_decision tk_want_as_user(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);

/* Makes that edit: "<system>TEXT</system>". */
int tk_fix_as_user(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- text ---- */

/* Blank texts (CATALOGUE 3.4). Models stream empty text blocks, and SDKs store them; the provider
 * refuses them in the next request. find.c finds them, fix.c takes them out. */

/* Faults of a block of text; bits. */
enum {
    TK_BLANK_EMPTY = 1,  /* "", or no text at all */
    TK_BLANK_SPACE = 2,  /* white space only */
    TK_BLANK_MARKED = 4, /* empty, with a cache marker */
};

/* Returns the faults of the wire's block `v`; 0 for a text with content and for any other block. */
unsigned tk_blank_block(struct tk_val v);

/* Returns the list of blocks in a client's result on the wire; TK_NO_VAL for any other part. */
struct tk_val tk_blocks_inside(const struct tk_part *p);

/* Returns true if the value exists and isn't null: the provider takes null for absent. */
static inline bool tk_is_given(struct tk_val v)
{
    return tk_exists(v) && !tk_is(v, TK_NULL);
}

/* Finds blank texts, in messages, results and the system prompt, and white space at the end of a
 * last assistant turn. Returns 0 or -ENOMEM. */
int tk_judge_text(struct tk_judge *j);

/*
 * Edits blank texts, and white space at the end of the last assistant turn, which the provider
 * refuses as a prefill. A blank text between two signed thinking blocks stays: without it the
 * provider would take the two for one.
 */

/* Wants a blank text dropped, and blank blocks inside a result removed. Of a separator of signed
 * thinking only a cache marker goes. Wants no edit under `report`. */
struct tk_decision tk_want_no_blank(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy);

/* Makes that edit, and hands the cache marker of a dropped text to the block before it. */
int tk_fix_blank(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Trims white space at the end of the text. */
int tk_fix_trailing_space(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- thinking ---- */

/*
 * Binding (OPERATIONS.md C.6): newer models bind signed thinking to all that precedes it in the
 * request, and refuse or drop it after another prefix. A seal with a prefix tells whether the
 * prefix still is what it was. Without one, an edit of repair before the thinking counts as a
 * difference (thinking/changed_prefix.h).
 */

/*
 * Compares sealed turns with the prefixes of their seals and finds those that differ. It adds
 * findings and removes none. Linear, except that tools are hashed again after a deferred one was
 * mentioned. Returns 0, -ENOMEM or -ECANCELED.
 */
int tk_judge_binding(struct tk_judge *j);

/* Drops the thinking of turns whose prefix differs, and of the turns after them and after edits:
 * all the edits of a stage. Returns 0 or -ENOMEM. */
int tk_strip_unbound(struct tk_plan *p);

/* If the policy is `error`: blames the first thinking after an edit that no seal's prefix vouches
 * for. Returns 0 or -ENOMEM. */
int tk_judge_unbound(struct tk_judge *j, const struct tk_edits *e);

/* Returns true if the request has thinking that is bound to another prefix. */
bool tk_has_unbound(struct tk_judge *j, const struct tk_edits *e);

/*
 * Thinking blocks (CATALOGUE 3.5): a model's reasoning, which the provider signs and later accepts
 * only as it was sent, with the turn that it belongs to.
 */

/* Finds thinking that the provider would refuse: unsigned, cut, in a user message, out of order, or
 * at the end of a turn. Returns 0 or -ENOMEM. */
int tk_judge_thinking(struct tk_judge *j);

/*
 * Thinking and how the request asks for it (CATALOGUE 3.5). `thinking` is on with a budget of
 * tokens (`enabled`, up to 4.6), on as the model sees fit (`adaptive`), or `disabled`. With a budget
 * the assistant's turns have to begin with thinking; without thinking the last message must have
 * none.
 */

/* Finds turns that don't fit the request's member `thinking`. Returns 0 or -ENOMEM. */
int tk_judge_thinking_mode(struct tk_judge *j);

/* Finds turns with a client's call whose thinking is missing, if the model of a compatible server
 * wants it back. An error if the request has thinking on; nothing if it is off. Returns 0 or -ENOMEM.
 */
int tk_judge_missing_thinking(struct tk_judge *j);

/* Returns the message that begins the open tool loop with thinking, as a budget needs it; TK_NONE: no loop is open, or its
 * newest turn begins with thinking. */
uint32_t tk_opening_of_loop(const struct tk_judge *j);

/* Returns true if the request stays sound when the message loses its thinking. Of a turn of several messages none may, where
 * a budget or a model wants thinking in its turns. */
bool tk_may_lose_thinking(const struct tk_judge *j, uint32_t message);

/*
 * Edits thinking blocks: a model's reasoning, which the provider signs. A signature can't be made
 * again, so thinking that lost it, or its place, can only become plain text (demoted) or go.
 */

/* Drops a thinking block, or demotes it to text if it says something and the action isn't
 * TK_ACTION_DROP. Returns 0 or -ENOMEM. */
int tk_let_go(struct tk_plan *p, uint32_t part, uint16_t code, enum tk_action action);

/* Wants unsigned thinking dropped or demoted, as the policy says. */
struct tk_decision tk_want_unsigned(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy);

/*
 * Wants thinking in doubtful order left, dropped or demoted, as the policy says of dead thinking.
 */
struct tk_decision tk_want_unordered(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Wants thinking in a user message demoted, or dropped if it says nothing. */
struct tk_decision tk_want_in_user(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);

/* Drops or demotes the block. */
int tk_fix_dead_block(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/*
 * Drops or demotes all thinking of the turn, except in messages that a seal proves to be in order.
 */
int tk_fix_dead_turn(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Drops or demotes the block; in the newest turn all thinking of the turn, since the rest wouldn't
 * be what the provider sent. */
int tk_fix_malformed(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Drops or demotes all thinking of the message: the request switches thinking off. */
int tk_fix_unwanted(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Adds an empty text to a thinking block that has none. */
int tk_fix_missing_text(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Adds the text that marks an interrupted turn after the thinking that ends it. */
int tk_fix_final_thinking(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Edits of the request's `thinking` that the outcome of a repair makes necessary. */

/*
 * The last step of a repair. It makes at most one edit:
 *
 *     /thinking                 thinking must lead the turn of an open tool loop, and edits took it
 *                               from there: it is switched off (OPERATIONS.md C.7 O4)
 *     /thinking/block_binding   the provider is asked to drop thinking that it can't verify (C.6 M3)
 *
 * Returns 0 or -ENOMEM.
 */
int tk_fix_settings(struct tk_repair *r, const struct tk_step *step);

/* ---- tool_results ---- */

/*
 * The shape of the client's calls and results (CATALOGUE 3.6). What a result may hold depends on
 * what else is in it and on who called:
 *
 *     an error                      text only
 *     search results                nothing else
 *     tool references               nothing else
 *     a call with `toolset_name`    text, images, one browser state; the result names the toolset
 *     a call that code made         text only
 */

/* Longest name of a tool in a history, in characters. */
#define TK_TOOL_NAME_MAX 200u

/* Kinds of blocks in a result; bits. */
enum {
    TK_HOLDS_TEXT = 1 << 0,
    TK_HOLDS_IMAGE = 1 << 1,
    TK_HOLDS_DOCUMENT = 1 << 2,
    TK_HOLDS_SEARCH_RESULT = 1 << 3,
    TK_HOLDS_TOOL_REFERENCE = 1 << 4,
    TK_HOLDS_BROWSER_STATE = 1 << 5,
    TK_HOLDS_UNKNOWN = 1 << 6, /* an object of another type */
    TK_HOLDS_NO_BLOCK = 1 << 7,
};

unsigned tk_result_block_of(struct tk_val block);

/* Returns the toolset that a call or result names; `.p == NULL`: none. */
struct tk_str tk_toolset_of(const struct tk_transcript *t, const struct tk_part *p);

/* Kinds that a result must not hold if its call names a toolset, or if code made the call. Of
 * browser states the first one may stay. */
#define TK_NOT_IN_TOOLSETS                                                                         \
    (TK_HOLDS_DOCUMENT | TK_HOLDS_SEARCH_RESULT | TK_HOLDS_TOOL_REFERENCE | TK_HOLDS_UNKNOWN |     \
     TK_HOLDS_NO_BLOCK)
#define TK_NOT_FOR_CODE (TK_NOT_IN_TOOLSETS | TK_HOLDS_IMAGE | TK_HOLDS_BROWSER_STATE)

/* Finds calls and results of the client whose members the provider would refuse. Notes whether a
 * result refers to tools. Returns 0, -ENOMEM or -ECANCELED. */
int tk_judge_tool_shape(struct tk_judge *j);

/*
 * Edits the client's calls. Models now and then write an input that isn't JSON, and clients store
 * it as the text it was; the provider takes objects only, and names of 1 to 200 characters.
 */

/* Gives the call the name "unknown_tool" in place of an empty one, or shortens a long one, with a
 * digest that tells it from others. */
int tk_fix_tool_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Makes the input an object: the one whose JSON text it is, or one that wraps it. */
int tk_fix_tool_input(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/*
 * Edits the client's results. The provider restricts what a result may hold: an error only text,
 * search results nothing else, a toolset only what that toolset returns. Tools don't know this, so
 * what doesn't fit moves next to the result or becomes text.
 */

/* Replaces content of a wrong type by its JSON as text. */
int tk_fix_result_content(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Sets the result's toolset to the call's, or removes it if the call has none. */
int tk_fix_toolset_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Replaces the blocks that the result must not hold by text. */
int tk_fix_result_blocks(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Wants blocks moved after the results of the user turn; wants no edit for a result in another
 * role's message. */
struct tk_decision tk_want_unload(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);

/* Moves the blocks out of the result. */
int tk_fix_unload(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Moves other blocks out of a result with search results; texts go into the first hit. */
int tk_fix_search_mixed(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- tools ---- */

/*
 * Tools of a request (CATALOGUE 3.9): the list `tools`, which of them the model is told to call
 * (`tool_choice`), and parts of the history that use a tool by its name:
 *
 *     a call of the provider's that isn't finished    its tool must still be offered
 *     "tool_reference" in a result                    the search for tools found this one
 *     "tool_addition", "tool_removal"                 a message that changes what is offered
 */

/* Reads which tools the request offers, and finds faults of the list and of `tool_choice`. Returns 0
 * or -ENOMEM. */
int tk_judge_tools(struct tk_judge *j);

/* Finds parts that use a tool which isn't offered. Runs after tk_judge_tools(). Returns 0, -ENOMEM
 * or -ECANCELED. */
int tk_judge_tool_uses(struct tk_judge *j);

/* ---- for the fixes ---- */

/* Returns the list in a result that may refer to tools, or TK_NO_VAL: the content of the client's
 * result, or what the provider's search for tools found. */
struct tk_val tk_tool_references(const struct tk_part *result);

/* Returns true if a block refers to a tool that isn't offered. */
bool tk_is_unknown_reference(const struct tk_judge *j, struct tk_val block);

/*
 * Edits parts that use a tool which the request doesn't offer. Tools change between requests; the
 * history then still refers to those that are gone.
 */

/* Puts the tool's name as text in the place of each reference in the client's result; takes the
 * references out of a result of the provider's search for tools. */
int tk_fix_references(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fit.c: the member `fit` of the row. */
extern const struct tk_fit_rules tk_anthropic_fit;

#endif
