/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies patches of one kind to a document: they set members of the request body, set one member
 * inside such a member, or edit elements of a list in ascending order. Unedited values keep the
 * document's bytes.
 */
#ifndef TK_CLI_COMMANDS_PATCHED_H
#define TK_CLI_COMMANDS_PATCHED_H

#include "value/writer.h"

/*
 * Writes the patched document. The document is a request body, or the value (a list or null) of a
 * body's member `list`; then operations on other members are ignored. The document and the patch
 * must outlive `out`. Takes linear time.
 *
 * Returns 0, -ENOMEM, or -EPROTO for another kind of patch.
 */
int cli_patched_write(struct tk_out *out, struct tk_val document, struct tk_str list,
                      struct tk_val patch);

#endif
