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

skip() { # NAME REASON
    echo "$2" >"$folder/$1.skip"
    echo "$1: skipped: $2"
}

# A folder that an earlier run filled from the same pins is used as it is.
fresh() { # NAME PINS
    [ ! -e "$folder/$1.skip" ] && cmp -s "$2" "$folder/$1/pinned"
}

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

install_npm() { # NAME PACKAGE-FOLDER
    fresh "$1" "$2/package-lock.json" && return
    rm -rf "${folder:?}/$1" "$folder/$1.skip"
    wanted=$(sed -n 's/.*"node": *">=\([0-9]*\)".*/\1/p' "$2/package.json")
    version=$(node --version 2>/dev/null | sed 's/^v//')
    if [ -z "$version" ]; then
        skip "$1" "node isn't installed"
    elif [ "${version%%.*}" -lt "$wanted" ]; then
        skip "$1" "node $version is too old, the SDK needs $wanted"
    elif ! command -v npm >/dev/null; then
        skip "$1" "npm isn't installed"
    elif ! { mkdir "$folder/$1" && cp "$2/package.json" "$2/package-lock.json" "$folder/$1" &&
        cd "$folder/$1" && timeout 300 npm ci --fetch-retries=1 --fetch-timeout=60000 \
            --ignore-scripts --no-audit --no-fund; } \
        >"$folder/$1.log" 2>&1 </dev/null; then
        skip "$1" "npm can't install it: $(grep -m 1 'npm error' "$folder/$1.log")"
    else
        cp "$2/package-lock.json" "$folder/$1/pinned"
    fi
}

(install_python)
(install_npm typescript "$here")
(install_npm ai-sdk "$here/../../examples/ai-sdk")
