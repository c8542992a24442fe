#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh FOLDER: staticcheck, of the release for the Go that is installed, into FOLDER/staticcheck.
#
# Best effort, for there may be no network: what can't be installed leaves its reason in
# FOLDER/staticcheck.skip, which test_go.py tells, and what Go said in FOLDER/staticcheck.log. Always
# ends with 0 but for wrong use.
set -u
[ $# = 1 ] || { sed -n '4,8s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
mkdir -p "$1" && folder=$(cd "$1" && pwd) || exit 2

skip() { # REASON
    echo "$1" >"$folder/staticcheck.skip"
    echo "staticcheck: skipped: $1"
    exit 0
}

# Each release needs a Go that is as new, and reads none that is much newer.
release() { # MINOR
    if [ "$1" -ge 26 ]; then echo v0.8.2
    elif [ "$1" -ge 25 ]; then echo v0.7.0
    elif [ "$1" -ge 23 ]; then echo v0.6.1
    elif [ "$1" -ge 19 ]; then echo v0.4.7
    fi
}

command -v go >/dev/null || skip "Go is not installed"
export GOTOOLCHAIN=local GOBIN="$folder/staticcheck" GOFLAGS=-modcacherw
version=$(go env GOVERSION)
wanted=$(release "$(echo "$version" | sed -n 's/^go1\.\([0-9]*\).*/\1/p')")
[ -n "$wanted" ] || skip "no release is pinned for $version"
[ "$(cat "$GOBIN/pinned" 2>/dev/null)" = "$version $wanted" ] && exit 0
rm -rf "$GOBIN" "$folder/staticcheck.skip"
timeout 300 go install "honnef.co/go/tools/cmd/staticcheck@$wanted" >"$folder/staticcheck.log" 2>&1 </dev/null ||
    skip "go install $wanted: $(tail -n 1 "$folder/staticcheck.log")"
echo "$version $wanted" >"$GOBIN/pinned"
