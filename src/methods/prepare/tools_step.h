/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tools step, for tools and prepare: merges tools and beta values from checked parameters.
 *
 *     tk_tools_step_merge(&m, rq, ...);          the request's tools and the caller's additions
 *     tk_tools_step_betas(&m, &view, messages);  the caller's values, held against what is there
 *     tk_tools_step_complete(&m, &view);         and those that it still needs; what was seen may be
 *                                             corrected before, if the body was edited meanwhile
 */
#ifndef TK_METHODS_PREPARE_TOOLS_STEP_H
#define TK_METHODS_PREPARE_TOOLS_STEP_H

#include "methods/core/request.h"
#include "operations/tools/beta.h"
#include "operations/tools/tools.h"

struct tk_tools_step {
    struct tk_request *rq;
    struct tk_tools_input in;
    struct tk_tools tools;                    /* with the refusal, if there is one */
    struct tk_beta_scan in_body, in_messages; /* as tk_tools_step_betas() saw them */
    struct tk_betas betas;
    struct tk_val body_betas; /* Bedrock: the body's own member, or absent */
    bool sets_betas;          /* Bedrock: that member has to say other values */
};

/* Returns the provider whose tools they are. */
const struct tk_provider *tk_tools_step_provider(const struct tk_params *p);

/* All three: 0, TK_REFUSED, or -ENOMEM. mid_conversation: the history holds an assistant message.
 */
int tk_tools_step_merge(struct tk_tools_step *m, struct tk_request *rq, bool mid_conversation);
int tk_tools_step_betas(struct tk_tools_step *m, const struct tk_request_view *request,
                        struct tk_val messages);
/* Looks at a request that was edited since, before tk_tools_step_complete(). */
void tk_tools_step_see(struct tk_tools_step *m, const struct tk_request_view *request);
int tk_tools_step_complete(struct tk_tools_step *m, const struct tk_request_view *request);

/* The values as they would be if nothing of the body changed any more. */
struct tk_known_betas tk_tools_step_known(const struct tk_tools_step *m);

/* The values go into the body, not into a header. */
bool tk_tools_step_is_bedrock(const struct tk_tools_step *m);

/* ---- the outcome on the wire ---- */

/* The element of a patch that `sets_betas` asks for. */
void tk_write_betas_operation(struct tk_writer *w, const struct tk_tools_step *m);

/* Members of the result: headers, betas, added_betas. */
void tk_write_headers(struct tk_writer *w, const struct tk_tools_step *m);

#endif
