#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes a Debian 12 with Python and pip and without a compiler, for test_wheel.py:
#
#   make_root.sh FOLDER
#
# FOLDER/debian-root is the root of its file system. If it can't be made, FOLDER/debian-root.log says why.

set -u
to=$1/debian-root
[ ! -e "$to/made" ] || exit 0
skip() { printf '%s\n' "$*" >"$to.log" && exit 0; }
[ "$(id -u)" = 0 ] || skip "only root can make a root file system"
PATH=$PATH:/usr/sbin
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
rm -rf "$to"
mkdir -p "$to"
debootstrap --variant=minbase --include=python3,python3-pip bookworm "$to" >"$to.log" 2>&1 && : >"$to/made"
