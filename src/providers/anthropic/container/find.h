/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The container (CATALOGUE 3.9): the machine in which the provider runs the model's code. A request
 * that goes on with running code must name it, and only a request that can run code may.
 *
 *     "container": "container_1"      or {"id": "container_1", "skills": [...]}
 */
#ifndef TK_PROVIDERS_ANTHROPIC_CONTAINER_FIND_H
#define TK_PROVIDERS_ANTHROPIC_CONTAINER_FIND_H

#include "engine/judge.h"

/* Finds faults of `container`, and calls that running code made if it is missing. Runs after
 * tk_judge_tools(). Returns 0 or -ENOMEM. */
int tk_judge_container(struct tk_judge *j);

#endif
