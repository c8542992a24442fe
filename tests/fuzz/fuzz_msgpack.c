/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The msgpack reader over any bytes. What it accepts has a sound tape and, where JSON can hold it,
 * survives a trip through JSON; what it refuses is refused inside the document; and what it takes
 * of memory is bounded by the bytes that are there, not by what they claim.
 */
#include "../unit/documents.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "fuzz_msgpack: %s\n", what);
    abort();
}

/* The first foreign value is the one that is named. */
static bool foreign_is_right(const struct tk_doc *doc)
{
    uint32_t first = TK_NO_NODE;

    for (uint32_t i = doc->count; i-- > 0;)
        if (doc->nodes[i].flags & TK_NODE_FOREIGN)
            first = i;
    return first == doc->foreign;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reading r;
    const char *broken = NULL;
    int result;

    reading_init(&r);
    r.limits.max_depth = 64;
    r.limits.max_values = 5000;
    result = reading_msgpack(&r, (struct tk_str){(const char *)data, size});
    check(result >= 0, "out of memory");
    check(r.memory.peak <= 65536 + 100 * size, "memory beyond what the bytes can need");
    if (result == 0) {
        check(r.doc.count > 0 && r.doc.count <= r.limits.max_values, "values beyond the limit");
        check(foreign_is_right(&r.doc), "another value is the first foreign one");
        broken = broken_tape(&r.doc);
        if (!broken)
            broken = broken_round_trip(&r.doc);
        check(!broken, broken);
    } else {
        check(r.error.offset <= size && r.error.what, "refused outside of the document");
        check(r.error.pointer.n == 0 || r.error.pointer.p[0] == '/', "not a pointer");
    }
    check(reading_done(&r), "memory was left behind");
    return 0;
}
