/* SPDX-License-Identifier: Apache-2.0 */
/* Images in data URLs. */
#include "../../documents.h"
#include "../../tap.h"
#include "providers/common/image_url.h"

static const struct {
    const char *url; /* as JSON */
    enum tk_url_image image;
} rows[] = {
    {"null", TK_URL_IMAGE_FINE},
    {"\"\"", TK_URL_IMAGE_FINE},
    {"\"https://example.com/a.png\"", TK_URL_IMAGE_FINE},
    {"\"data:image/png;base64,iVBORw0KGgo=\"", TK_URL_IMAGE_FINE},
    {"\"data:image\\/png;base64,iVBORw0KGgo=\"", TK_URL_IMAGE_FINE},
    {"\"data:image/jpeg;base64,/9j/\"", TK_URL_IMAGE_FINE},
    {"\"data:image/gif;base64,R0lGODdh\"", TK_URL_IMAGE_FINE},
    {"\"data:image/gif;base64,R0lGODlh\"", TK_URL_IMAGE_FINE},
    {"\"data:image/webp;base64,UklGRgAAAABXRUJQ\"", TK_URL_IMAGE_FINE},
    {"\"data:;base64,iVBORw0KGgo=\"", TK_URL_IMAGE_FINE},             /* the bytes say what it is */
    {"\"data:image/png;base64,iVBORw==\"", TK_URL_IMAGE_FOREIGN},     /* four bytes of a PNG */
    {"\"data:image/png;base64,iVBORwoKGgo=\"", TK_URL_IMAGE_FOREIGN}, /* its line end was changed */
    {"\"data:image/webp;base64,UklGRgAAAABXQVZF\"", TK_URL_IMAGE_FOREIGN}, /* a sound */
    {"\"data:image/png;base64,\"", TK_URL_IMAGE_FOREIGN},
    {"\"data:image/png;base64,QUJDRA==\"", TK_URL_IMAGE_FOREIGN},
    {"\"data:image/png;base64,iVBORw0KGgo\"", TK_URL_IMAGE_UNREADABLE},
    {"\"data:image/png;base64,iVBORw0KGgo=iVBO\"", TK_URL_IMAGE_UNREADABLE},
    {"\"data:image/png;base64\"", TK_URL_IMAGE_UNREADABLE},
    {"\"data:image/png,iVBORw0KGgo=\"", TK_URL_IMAGE_UNREADABLE},
};

static void test_first_bytes(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;

        reading_init(&r);
        CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_str_of(rows[i].url)), 0);
        if (tk_url_image(tk_root(&r.doc), &r.arena) != rows[i].image)
            printf("# %s\n", rows[i].url);
        CU_ASSERT_EQUAL(tk_url_image(tk_root(&r.doc), &r.arena), rows[i].image);
        CU_ASSERT(reading_done(&r));
    }
}

TAP_MAIN("image_url", TAP_TEST(test_first_bytes))
