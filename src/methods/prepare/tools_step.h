/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tools step, for tools and prepare: merges tools and beta values from checked parameters.
 *
 *     tk_tools_step_merge(&m, rq, ...);          merges the caller's additions into the request's
 *     tk_tools_step_betas(&m, &view, messages);  reads the caller's beta values and checks them
 *     tk_tools_step_complete(&m, &view);         adds the values that the request lacks
 *
 * If the body is edited after the second call, call tk_tools_step_see() before the third; if the history is, also
 * tk_tools_step_see_messages().
 */
#ifndef TK_METHODS_PREPARE_TOOLS_STEP_H
#define TK_METHODS_PREPARE_TOOLS_STEP_H

#include "methods/core/request.h"
#include "operations/tools/beta.h"
#include "operations/tools/tools.h"
#include "value/splice.h"

struct tk_tools_step {
    struct tk_request *rq;
    struct tk_tools_input in;
    struct tk_tools tools;                    /* has the refusal if a call returned TK_REFUSED */
    struct tk_beta_scan in_body, in_messages; /* facts, as of tk_tools_step_betas() */
    struct tk_betas betas;
    struct tk_val body_betas; /* Bedrock: the body's own member, or absent */
    bool sets_betas;          /* Bedrock: that member must be changed */
};

/* Returns the provider whose tools they are. */
const struct tk_provider *tk_tools_step_provider(const struct tk_params *p);

/* The three calls in their order; they return 0, TK_REFUSED or -ENOMEM. mid_conversation: the
 * history contains an assistant message. */
int tk_tools_step_merge(struct tk_tools_step *m, struct tk_request *rq, bool mid_conversation);
int tk_tools_step_betas(struct tk_tools_step *m, const struct tk_request_view *request,
                        struct tk_val messages);
/* Reads the facts of an edited request, before tk_tools_step_complete(). */
void tk_tools_step_see(struct tk_tools_step *m, const struct tk_request_view *request);
void tk_tools_step_see_messages(struct tk_tools_step *m, struct tk_val messages);
int tk_tools_step_complete(struct tk_tools_step *m, const struct tk_request_view *request);

/* Returns the values that the request will have if its body doesn't change any more. */
struct tk_known_betas tk_tools_step_known(const struct tk_tools_step *m);

/* Returns true if the values go into the body, not into a header. */
bool tk_tools_step_is_bedrock(const struct tk_tools_step *m);

/* ---- the outcome on the wire ---- */

/* Writes the operation of the patch that sets the values, if `sets_betas`. */
void tk_write_betas_operation(struct tk_writer *w, const struct tk_tools_step *m);

/* Returns the change of the body that sets the values, if `sets_betas`. It refers to *m. */
struct tk_member_change tk_betas_change(const struct tk_tools_step *m);

/* Writes members of the result: headers, betas, added_betas. */
void tk_write_headers(struct tk_writer *w, const struct tk_tools_step *m);

#endif
