# SPDX-License-Identifier: Apache-2.0
"""The version of this package, that of the daemon it ships with (a test compares the two files)."""

__version__ = "0.1.0"
