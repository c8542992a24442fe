/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A document with a patch applied, for patches of one kind: they set members of the request body,
 * edit one member inside such a member, or edit elements of a list in ascending order. All that is
 * left alone is the document's bytes.
 */
#ifndef TK_CLI_COMMANDS_PATCHED_H
#define TK_CLI_COMMANDS_PATCHED_H

#include "value/writer.h"

/*
 * Writes the document: a request body, or (a list, null) what stands under the member `list` of
 * one; of those only what is about that member matters. The document and the patch outlive `out`.
 * Linear.
 *
 * Returns 0, -ENOMEM, or -EPROTO for another kind of patch.
 */
int cli_patched_write(struct tk_out *out, struct tk_val document, struct tk_str list,
                      struct tk_val patch);

#endif
