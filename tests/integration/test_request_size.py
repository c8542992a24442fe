# SPDX-License-Identifier: Apache-2.0
"""The limits of the provider that are about bytes, to the byte: the request as it was received, and as it is after edits."""
import json
import unittest

from harness import Daemon, Test, frame, is_sanitized, peak_memory_kb

BEDROCK = 20 << 20  # bytes of a request
IMAGE = 5 << 20     # characters of an image's base64, on Bedrock
TARGET = '"target":{"endpoint":"bedrock"}'
TOO_LARGE = ["request_too_large"]
LIST = '"messages":'
RETURNED = '"return":"messages"'
PRESERVE = '"policy":"preserve"'


def image(data):
    return '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"%s"}}' % data


def padded(body, size):
    """The body with white space at the end that makes it so many bytes."""
    return body[:-1] + " " * (size - len(body)) + "}"


def one_of_size(size):
    return padded('{"messages":[{"role":"user","content":"q"}]}', size)


class RequestSize(Test):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon({"request_timeout": 60})
        cls.daemon.__enter__()
        cls.addClassCleanup(cls.daemon.__exit__, None, None, None)

    def ask(self, method, body, *more):
        """Returns the answer and its bytes."""
        params = ",".join(['"request":' + body, TARGET, *more])
        with self.daemon.connect() as c:
            c.send_bytes(frame(('{"id":1,"method":"%s","params":{%s}}' % (method, params)).encode()))
            sent = c.receive_bytes().decode()
            return json.loads(sent), sent

    def codes(self, method, body, *more):
        answer, _ = self.ask(method, body, *more)
        found = answer["result"] if "result" in answer else answer["error"]["data"]
        return [v["code"] for v in found["violations"] if v["severity"] == "error"]

    def repaired(self, body, *more):
        """The answer, and the body with the messages of the answer, byte for byte."""
        answer, sent = self.ask("repair", body, RETURNED, '"guard":false', *more)
        decode = json.JSONDecoder().raw_decode
        at, new = body.index(LIST) + len(LIST), sent.index(LIST) + len(LIST)
        return answer["result"], body[:at] + sent[new:decode(sent, new)[1]] + body[decode(body, at)[1]:]

    def test_white_space_counts(self):
        self.assertEqual(self.codes("validate", one_of_size(BEDROCK)), [])
        self.assertEqual(self.codes("validate", one_of_size(BEDROCK + 1)), TOO_LARGE)

    def test_an_edit_that_makes_it_too_large(self):
        """The inserted result may take what room there is, and no byte more."""
        body = ('{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f",'
                '"input":{}}]}]}')
        growth = len(self.repaired(body)[1]) - len(body)
        self.assertGreater(growth, 0)
        self.assertEqual(self.codes("repair", padded(body, BEDROCK - growth), '"guard":false'), [])
        large = padded(body, BEDROCK - growth + 1)
        self.assertEqual(self.codes("validate", large), ["tool_use_without_result"])
        result, made = self.repaired(large)
        self.assertEqual([v["code"] for v in result["violations"]], TOO_LARGE)
        self.assertEqual(len(made), BEDROCK + 1)
        self.assertEqual(self.codes("validate", made), TOO_LARGE)

    def test_what_repair_makes_fits(self):
        """Whatever is too much: one byte, an image's bytes, or an image's and one."""
        data = "iVBO" * 250000
        gain = len(image(data)) - len('{"type":"text","text":"[image removed]"}')
        content = ",".join([image(data)] * 3)
        body = '{"messages":[{"role":"user","content":[%s]},{"role":"assistant","content":"a"}]}' % content
        for excess, gone in ((1, 1), (gain, 1), (gain + 1, 2), (3 * gain, 3)):
            with self.subTest(excess):
                result, made = self.repaired(padded(body, BEDROCK + excess), PRESERVE)
                self.assertEqual([e["pointer"] for e in result["edits"]],
                                 ["/messages/0/content/%d" % i for i in range(gone)])
                self.assertEqual(len(made), BEDROCK + excess - gone * gain)
                self.assertEqual(self.codes("validate", made), [])
        self.assertEqual(self.codes("repair", padded(body, BEDROCK + 3 * gain + 1), PRESERVE), TOO_LARGE)

    def test_many_small_images_take_little_memory(self):
        """Each image that goes costs what its edit needs; 20,000 took 128 times their bytes."""
        body = '{"messages":[{"role":"user","content":[%s]}]}' % ",".join([image("iVBORw0KGgo=")] * 20000)
        with Daemon({"request_timeout": 60}) as own, own.connect() as c:
            c.send_bytes(frame(('{"id":1,"method":"repair","params":{"request":%s,"return":"report"}}' % body).encode()))
            answer = json.loads(c.receive_bytes())
            if not is_sanitized(own.pid):
                self.assertLess(1024 * peak_memory_kb(own.pid), 90 * len(body))
        self.assertEqual(answer["result"]["stats"]["textified"], 20000 - 600)

    def test_an_image_is_as_long_as_its_text(self):
        """Encoders that escape the slash write two bytes for it."""
        def codes(data):
            return self.codes("validate", '{"messages":[{"role":"user","content":[%s]}]}' % image(data))
        self.assertEqual(codes("\\/" * IMAGE), [])
        self.assertEqual(codes("\\/" * IMAGE + "AAAA"), ["image_too_large_bytes"])


if __name__ == "__main__":
    unittest.main()
