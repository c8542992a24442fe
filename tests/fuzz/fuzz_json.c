/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON reader over any bytes. What it accepts has a sound tape, survives a trip through msgpack
 * and stays the same when it is compacted; what it refuses is refused inside the document.
 */
#include "../unit/documents.h"

#include "value/compact.h"
#include "value/scan.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "fuzz_json: %s\n", what);
    abort();
}

/* The vector loops say what the portable ones say, from any byte on. */
static void check_scans(const uint8_t *data, size_t size)
{
    for (size_t start = 0; start < size && start < 70; start += 7) {
        const uint8_t *p = data + start;
        size_t n = size - start, valid = tk_scan_portable.utf8_valid(p, n);
        struct tk_scan plain = tk_scan_portable.plain(p, n), string = tk_scan_portable.string(p, n);

        for (size_t i = 0; i < tk_scan_variant_count; i++) {
            const struct tk_scan_variant *v = tk_scan_variants[i];
            struct tk_scan got;

            if (!v->supported())
                continue;
            check(v->utf8_valid(p, n) == valid, "utf8_valid differs");
            got = v->plain(p, n);
            check(got.n == plain.n && got.ascii == plain.ascii, "plain differs");
            got = v->string(p, n);
            check(got.n == string.n && got.ascii == string.ascii && got.escaped == string.escaped,
                  "string differs");
        }
    }
}

static void check_compact(struct reading *r)
{
    struct reading again;
    struct tk_out out;
    struct tk_str text;

    tk_out_init(&out, &r->arena);
    tk_compact_json(&out, tk_root(&r->doc), NULL);
    text = tk_out_join(&out);
    reading_init(&again);
    again.limits = r->limits;
    check(reading_json(&again, text) == 0, "compacted text is refused");
    check(same_value(tk_root(&r->doc), tk_root(&again.doc), &r->arena),
          "compacted text is another value");
    check(text.n <= r->doc.size, "compacted text is longer");
    check(reading_done(&again), "memory was left behind");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reading r;
    const char *broken = NULL;
    int result;

    reading_init(&r);
    r.limits.max_depth = 64;
    r.limits.max_values = 5000;
    result = reading_json(&r, (struct tk_str){(const char *)data, size});
    check(result >= 0, "out of memory");
    if (result == 0) {
        check(r.doc.count > 0 && r.doc.count <= r.limits.max_values, "values beyond the limit");
        broken = broken_tape(&r.doc);
        if (!broken)
            broken = broken_round_trip(&r.doc);
        check(!broken, broken);
        check_compact(&r);
    } else {
        check(r.error.offset <= size && r.error.what, "refused outside of the document");
        check(r.error.pointer.n == 0 || r.error.pointer.p[0] == '/', "not a pointer");
    }
    check(reading_done(&r), "memory was left behind");
    check_scans(data, size);
    return 0;
}
