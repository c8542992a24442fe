/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histories and their repair. Bytes are choices of the generator (histories.h). Bytes that begin
 * with `{` are a whole case, so that a find stays a test even if the generator changes later.
 * Whatever the history is, the properties of repair_properties.h hold.
 */
#ifndef TK_TESTS_FUZZ_CASE_H
#define TK_TESTS_FUZZ_CASE_H

#include "../random/histories.h"

/* Tries one case. The program ends if a property doesn't hold. */
void case_try(const struct histories *histories, const uint8_t *data, size_t size);

#endif
