#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh FOLDER: the pinned SDKs into FOLDER/python (a venv), FOLDER/typescript and FOLDER/ai-sdk.
#
# Best effort, for there may be no network: what can't be installed leaves its reason in FOLDER/NAME.skip,
# which the tests tell, and the output of the installer in FOLDER/NAME.log. Always ends with 0 but for
# wrong use.
set -u
[ $# = 1 ] || { sed -n '4,8s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" && folder=$(cd "$1" && pwd) || exit 2

. "$here/../npm.sh"

install_python() {
    fresh python "$here/requirements.txt" && return
    rm -rf "$folder/python" "$folder/python.skip"
    if ! "${PYTHON:-python3}" -m venv "$folder/python" >"$folder/python.log" 2>&1; then
        skip python "no venv can be made (Debian: python3-venv)"
    elif ! timeout 300 "$folder/python/bin/pip" install --no-input --disable-pip-version-check \
        --retries 1 --timeout 30 -r "$here/requirements.txt" >>"$folder/python.log" 2>&1 </dev/null; then
        skip python "pip can't install it: $(tail -n 1 "$folder/python.log")"
    else
        cp "$here/requirements.txt" "$folder/python/pinned"
    fi
}

(install_python)
(install_npm typescript "$here")
(install_npm ai-sdk "$here/../../examples/ai-sdk")
