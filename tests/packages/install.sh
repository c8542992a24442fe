#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh FOLDER: what the tests of the packages need:
#   FOLDER/packages        the checkers of requirements.txt
#   FOLDER/client-wheel    what makes the wheel
#   FOLDER/debian-root     a bare Debian 12, if this is root
#
# Best effort, for there may be no network: what can't be installed leaves its reason in FOLDER/NAME.log, which the tests
# tell. Always ends with 0 but for wrong use.
set -u
[ $# = 1 ] || { sed -n '4,10s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$1" && folder=$(cd "$1" && pwd) || exit 2
python=${PYTHON:-python3}
made=$folder/packages

if ! cmp -s "$here/requirements.txt" "$made/installed.txt"; then
    rm -rf "$made"
    "$python" -m venv "$made" >"$made.log" 2>&1 &&
        "$made/bin/pip" --disable-pip-version-check install --quiet --retries 2 --timeout 30 \
            -r "$here/requirements.txt" >"$made.log" 2>&1 &&
        cp "$here/requirements.txt" "$made/installed.txt"
fi
sh "$here/../../clients/python/tests/run_sdk_tests.sh" --install "$folder" wheel
exit 0
