# SPDX-License-Identifier: Apache-2.0
"""The versions of this package: that of the daemon it ships with, and that of the wire protocol it
speaks. Both are in the project's file VERSION, which writes 0.2.0~dev for 0.2.0.dev0; a test compares them."""

__version__ = "0.2.0.dev0"
PROTOCOL = 1
