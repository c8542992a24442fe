# SPDX-License-Identifier: Apache-2.0
"""Lets `import turnkeeper` find the package of this tree, and its module _answer where `make` could build that.

    TURNKEEPER_TEST_INSTALLED   if set, the package that pip installed
    TURNKEEPER_TEST_CTYPES      if set, without the module
"""

import importlib.util
import os
import sys

CLIENT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(CLIENT))
BUILD = os.environ.get("top_builddir") or os.path.join(ROOT, "build", "plain")
MODULE = os.path.join(BUILD, "python", "_answer.abi3.so")

if not os.environ.get("TURNKEEPER_TEST_INSTALLED"):
    sys.path.insert(0, os.path.join(CLIENT, "src"))
    if os.path.exists(MODULE) and not os.environ.get("TURNKEEPER_TEST_CTYPES"):
        found = importlib.util.spec_from_file_location("turnkeeper._answer", MODULE)
        sys.modules[found.name] = importlib.util.module_from_spec(found)
