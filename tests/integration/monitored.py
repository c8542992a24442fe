# SPDX-License-Identifier: Apache-2.0
"""A daemon that serves HTTP for monitoring, and requests to it."""
import functools
import http.client
import re
import socket

from harness import PATIENCE, Daemon


class Monitored(Daemon):
    """With HTTP on a free port of the loopback address."""

    def __init__(self, config=None, **options):
        super().__init__(config, "--http", "127.0.0.1:0", **options)

    @functools.cached_property
    def port(self):
        return int(re.search(r'event=http address="[^"]*:(\d+)"', self.log()).group(1))

    def request(self, path, method="GET", **headers):
        """Status, headers and text of one answer."""
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            c.request(method, path, headers=headers)
            answer = c.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            c.close()

    def raw(self, data):
        """All that comes back for these bytes, until the daemon ends the connection."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as s:
            s.sendall(data)
            received = b""
            while True:
                try:
                    more = s.recv(1 << 16)
                except ConnectionResetError:
                    more = b""
                if not more:
                    return received
                received += more
