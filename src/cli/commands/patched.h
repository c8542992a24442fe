/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A document with a patch applied, for patches of one kind: they set members of the request body,
 * edit one member inside such a member, or edit elements of a list in ascending order. Unedited
 * values keep the document's bytes.
 */
#ifndef TK_CLI_COMMANDS_PATCHED_H
#define TK_CLI_COMMANDS_PATCHED_H

#include "value/writer.h"

/*
 * Writes the patched document. It is a request body, or (a list, or null) the value of its member
 * `list`; then only operations on that member count. The document and the patch must outlive `out`.
 * Linear.
 *
 * Returns 0, -ENOMEM, or -EPROTO for another kind of patch.
 */
int cli_patched_write(struct tk_out *out, struct tk_val document, struct tk_str list,
                      struct tk_val patch);

#endif
