# SPDX-License-Identifier: Apache-2.0
"""A real Prometheus server (Debian's package prometheus) that scrapes a daemon."""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import urllib.parse
import urllib.request

PROGRAM = shutil.which("prometheus")
CONFIG = """
scrape_configs:
- job_name: turnkeeper
  scrape_interval: %(seconds)ds
  scrape_timeout: %(seconds)ds
  static_configs: [{targets: ['127.0.0.1:%(port)d']}]
"""


class Prometheus:
    """Scrapes http://127.0.0.1:PORT/metrics every so many whole seconds until it is closed."""

    def __init__(self, port, seconds):
        self.folder = tempfile.mkdtemp(prefix="tk", dir="/tmp")
        config = os.path.join(self.folder, "prometheus.yml")
        with open(config, "w", encoding="utf-8") as f:
            f.write(CONFIG % {"seconds": seconds, "port": port})
        with socket.create_server(("127.0.0.1", 0)) as s:
            self.port = s.getsockname()[1]
        self.process = subprocess.Popen(
            [PROGRAM, "--config.file", config, "--storage.tsdb.path", self.folder,
             "--web.listen-address", "127.0.0.1:%d" % self.port],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def value(self, query, seconds=30):
        """The value of a PromQL expression's first result; 0 if there is none or the server doesn't answer."""
        url = "http://127.0.0.1:%d/api/v1/query?%s" % (self.port, urllib.parse.urlencode({"query": query}))
        try:
            with urllib.request.urlopen(url, timeout=seconds) as answer:
                found = json.load(answer)["data"]["result"]
        except OSError:
            return 0
        return float(found[0]["value"][1]) if found else 0

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
