#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes configure from configure.ac; needs autoconf, automake, libtool and pkg-config.
set -e
cd "$(dirname "$0")"
mkdir -p build-aux
exec autoreconf --force --install "$@"
