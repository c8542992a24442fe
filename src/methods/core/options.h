/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options as a program passes them: compiled with this header, or with an older or newer one, whose
 * struct is shorter or longer. `size`, the first member, says which.
 */
#ifndef TK_METHODS_CORE_OPTIONS_H
#define TK_METHODS_CORE_OPTIONS_H

#include "turnkeeper/turnkeeper.h"

/*
 * Copy the options into a struct of this header's size. Members that the program doesn't know are
 * 0, and so are all if `options` is NULL. Return 0, or -EINVAL if the struct is shorter than it ever
 * was or sets a member or flag that this header doesn't have; then *ret is undefined.
 */
int tk_read_options(const tk_options *options, tk_options *ret);
int tk_read_call_options(const tk_call_options *options, tk_call_options *ret);

#endif
