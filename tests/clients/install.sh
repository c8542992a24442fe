#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh FOLDER: what the tests of the clients need, in the releases that are pinned:
#   FOLDER/staticcheck          for the Go that is installed
#   FOLDER/typescript-client    the compiler of clients/typescript, and the SDKs that it is tested with
#   FOLDER/typescript-tools     checks of its packed file, Bun and Deno
#   FOLDER/typescript-bundlers  bundlers that programs with it go through
#
# Best effort, for there may be no network: what can't be installed leaves its reason in
# FOLDER/NAME.skip, which the tests tell, and what the installer said in FOLDER/NAME.log. Always
# ends with 0 but for wrong use.
set -u
[ $# = 1 ] || { sed -n '4,12s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1" && folder=$(cd "$1" && pwd) || exit 2

. "$top/tests/npm.sh"

# Each release needs a Go that is as new, and reads none that is much newer.
release() { # MINOR
    if [ "$1" -ge 26 ]; then echo v0.8.2
    elif [ "$1" -ge 25 ]; then echo v0.7.0
    elif [ "$1" -ge 23 ]; then echo v0.6.1
    elif [ "$1" -ge 19 ]; then echo v0.4.7
    fi
}

install_staticcheck() {
    command -v go >/dev/null || { skip staticcheck "Go is not installed" && return; }
    export GOTOOLCHAIN=local GOBIN="$folder/staticcheck" GOFLAGS=-modcacherw
    version=$(go env GOVERSION)
    wanted=$(release "$(echo "$version" | sed -n 's/^go1\.\([0-9]*\).*/\1/p')")
    [ -n "$wanted" ] || { skip staticcheck "no release is pinned for $version" && return; }
    [ "$(cat "$GOBIN/pinned" 2>/dev/null)" = "$version $wanted" ] && return
    rm -rf "$GOBIN" "$folder/staticcheck.skip"
    if ! timeout 300 go install "honnef.co/go/tools/cmd/staticcheck@$wanted" >"$folder/staticcheck.log" 2>&1 </dev/null; then
        skip staticcheck "go install $wanted: $(tail -n 1 "$folder/staticcheck.log")"
    else
        echo "$version $wanted" >"$GOBIN/pinned"
    fi
}

(install_staticcheck)
(install_npm typescript-client "$top/clients/typescript")
(install_npm typescript-tools "$top/clients/typescript/tests/tools")
(install_npm typescript-bundlers "$top/clients/typescript/tests/bundlers")
exit 0
