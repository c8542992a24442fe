/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of Anthropic's histories (case.h). */
#include "case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct histories *histories;

    if (!histories)
        histories = histories_new("anthropic");
    case_try(histories, data, size);
    return 0;
}
