# SPDX-License-Identifier: Apache-2.0
"""The shapes of shapes.py that are about blocks, the client's calls and results, and media."""
import base64

USER = '{"role":"user","content":"q"}'
TEXT = '{"type":"text","text":"t"}'
HIT = '{"type":"search_result","source":"s","title":"t","content":[%s]}' % TEXT
URL = '{"type":"image","source":{"type":"url","url":"u"}}'
NAMED = ('{"type":"document","title":"a_b.pdf","source":{"type":"text","media_type":"text/plain","data":"x"}}')
DOCUMENT = '{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"}}'


def message(role, parts):
    return '{"role":"%s","content":[%s]}' % (role, ",".join(parts))


def client(i, more=""):
    return '{"type":"tool_use","id":"toolu_%s","name":"f","input":{}%s}' % (i, more)


def answer(i, blocks, more=""):
    return '{"type":"tool_result","tool_use_id":"toolu_%s","content":[%s]%s}' % (i, ",".join(blocks), more)


def asked(blocks, call="", result=""):
    return [message("assistant", [client(0, call)]), message("user", [answer(0, blocks, result)])]


def asked_often(n, blocks, call="", result=""):
    return [message("assistant", [client(i, call) for i in range(n)]),
            message("user", [answer(i, blocks, result) for i in range(n)])]


def png(width):
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + width.to_bytes(4, "big") + (1).to_bytes(4, "big")
    return base64.b64encode(head).decode()


def image(data, media_type="image/png"):
    return '{"type":"image","source":{"type":"base64","media_type":"%s","data":"%s"}}' % (media_type, data)


def an_index_on_every_block(n):
    return [message("user", ['{"type":"text","text":"t","index":%d}' % i for i in range(n)])]


def strange_members_of_one_block(n):
    members = ",".join('"m%d":0' % i for i in range(n))
    return [message("user", ['{"type":"text","text":"t","index":0,"id":"x","parsed":1,%s}' % members])]


def blocks_without_source(n):
    return [m for _ in range(n // 2) for m in (message("user", [TEXT, '{"type":"image"}']), message("assistant", [TEXT]))]


def unknown_blocks(n):
    return [message("user", ['{"type":"t%d"}' % i for i in range(n)])]


def hits_of_the_assistant(n):
    return [USER, message("assistant", [HIT] * n), USER]


def long_names(n):
    calls = ['{"type":"tool_use","id":"toolu_%d","name":"%s","input":"{}"}' % (i, "n" * 201) for i in range(n // 8)]
    return [message("assistant", calls), message("user", [answer(i, [TEXT]) for i in range(n // 8)])]


def results_that_are_objects(n):
    results = ['{"type":"tool_result","tool_use_id":"toolu_%d","content":{"a":[1]}}' % i for i in range(n // 2)]
    return [message("assistant", map(client, range(n // 2))), message("user", results)]


def images_of_one_error(n):
    return asked([URL] * n, "", ',"is_error":true')


def an_image_in_every_error(n):
    return asked_often(n // 3, [TEXT, URL], "", ',"is_error":true')


def texts_beside_hits(n):
    return asked([TEXT, HIT, URL] * (n // 3))


def a_text_beside_every_hit(n):
    return asked_often(n // 3, [TEXT, HIT])


def references_among_texts(n):
    return asked(['{"type":"tool_reference","tool_name":"f"}', TEXT] * (n // 2))


def documents_of_one_toolset(n):
    return asked([DOCUMENT] * (n // 2), ',"toolset_name":"b"', ',"toolset_name":"b"')


def toolsets_that_nobody_named(n):
    return asked_often(n // 2, [TEXT], ',"toolset_name":"b"')


def images_of_another_kind(n):
    return [message("user", [image(png(1), "image/gif")] * (n // 2))]


def images_of_another_kind_in_one_result(n):
    return asked([image(png(1), "image/bmp")] * (n // 2))


def large_images(n):
    return [message("user", [image(png(9000))] * (n // 2))]


def one_of_many_images(n):
    return [message("user", [image(png(3000))] * (n // 2))] + asked([image(png(3000))] * (n // 2))


def slashes_of_one_image(n):
    return [message("user", [image(png(1) + "\\/" * (16 * n))])]


def segments_of_one_photo(n):
    photo = base64.b64encode(b"\xff\xd8" + b"\xff\xfe\0\2" * (4 * n) + b"\xff" * (4 * n)).decode()
    return [message("user", [image(photo, "image/jpeg")])]


def images_over_the_count(n):
    return [message("user", [URL] * (n // 2))] + asked([URL] * (n // 2))


def images_over_the_count_in_every_result(n):
    return asked_often(n // 2, [URL, TEXT])


def names_that_bedrock_refuses(n):
    return [message("user", [NAMED] * (n // 2))] + asked([NAMED] * (n // 2))


SHAPES = [
    (shape, None) for shape in (
        an_index_on_every_block, strange_members_of_one_block, blocks_without_source, unknown_blocks,
        hits_of_the_assistant, long_names, results_that_are_objects, images_of_one_error, an_image_in_every_error,
        texts_beside_hits, a_text_beside_every_hit, references_among_texts, documents_of_one_toolset,
        toolsets_that_nobody_named, images_of_another_kind, images_of_another_kind_in_one_result, large_images,
        one_of_many_images, slashes_of_one_image, segments_of_one_photo, images_over_the_count,
        images_over_the_count_in_every_result, names_that_bedrock_refuses)
]
