#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The tests with the real SDKs of Anthropic, OpenAI, Google and AWS, and mypy, as TAP:
#
#   run_sdk_tests.sh [FOLDER]
#   run_sdk_tests.sh --install [FOLDER [NAME]]    only installs what they need; NAME: one of it
#
# FOLDER, else TK_SDK_FOLDER, is where the virtual environments are made, and found again: one for
# each requirements-NAME.txt, Anthropic's current SDK, the last one on httpx, both with what they need for Bedrock
# and Vertex, OpenAI's two, mypy, what makes wheels, PySpark, and those that doc/INTEGRATIONS.md names under "Works
# with". The daemon is the one that TURNKEEPERD names. Without PyPI everything is skipped, and so is a package that
# can't be installed; the reason is said.

set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$here/../../..
python=${PYTHON:-python3}
install=
[ "${1:-}" != --install ] || { install=yes && shift; }
folder=${1:-${TK_SDK_FOLDER:-${top_builddir:-.}/sdk}}

skip() { printf '1..0 # SKIP %s\n' "$*" && exit 0; }
fail() { printf '1..1\nnot ok 1 - %s\n' "$*" && exit 1; }

environment() { # REQUIREMENTS
    basename "$1" .txt | sed s/^requirements/client/
}

# Makes one, unless it is there and of these requirements.
make_environment() { # REQUIREMENTS ENVIRONMENT
    cmp -s "$1" "$2/installed.txt" && return
    rm -rf "$2" && mkdir -p "$2" || fail "can't make $2"
    "$python" -m venv "$2" >"$2.log" 2>&1 || skip "no virtual environments (python3-venv)"
    if "$2/bin/pip" --disable-pip-version-check install --quiet --retries 2 --timeout 30 \
        -r "$1" >"$2.log" 2>&1; then
        cp "$1" "$2/installed.txt"
        return
    fi
    case $2 in
    */client-works-* | */client-frameworks) return ;; # run() says so
    */client-wheel) return ;; # test_wheel.py says so
    esac
    grep -qiE 'retrying|connection|resolution|timed out|proxy|network' "$2.log" &&
        skip "PyPI can't be reached: $(tail -n 1 "$2.log")"
    fail "pip: $(tail -n 1 "$2.log")"
}

# Its lines without numbers and plan; one more where it ended before its plan.
run() { # ENVIRONMENT TEST [CLASS]
    [ -e "$folder/$1/installed.txt" ] || {
        echo "ok - $1 $2 # SKIP not installed: $(tail -n 1 "$folder/$1.log" | tr '#' ' ')"
        return
    }
    env PYTHONDONTWRITEBYTECODE=1 "$folder/$1/bin/python" "$root/tests/tap.py" \
        "$here/$2" ${3:+"$3"} </dev/null | awk -v of="$1" '
        /^1\.\.0 # SKIP/ { print "ok - " of " " substr($0, 6); planned = 1; next }
        /^1\.\./ { planned = 1; next }
        { sub(/^ok [0-9]+ -/, "ok - " of); sub(/^not ok [0-9]+ -/, "not ok - " of); print }
        END { if (!planned) print "not ok - " of " ended early" }'
}

numbered() {
    awk '/^ok / { n++ } /^not ok / { n++; failed = 1 } { print; fflush() }
        END { print "1.." n; exit failed }'
}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || skip "Python 3.11 is needed"
for requirements in "$here"/requirements-${2:-*}.txt; do
    make_environment "$requirements" "$folder/$(environment "$requirements")"
done
[ -z "$install" ] || {
    [ "${2:-wheel}" != wheel ] || sh "$here/make_root.sh" "$folder"
    exit 0
}

{
    for requirements in "$here"/requirements-sdk*.txt; do
        run "$(environment "$requirements")" test_sdk.py
        run "$(environment "$requirements")" test_guard.py
        run "$(environment "$requirements")" test_events.py
        run "$(environment "$requirements")" test_misses.py
        run "$(environment "$requirements")" test_openai.py
        run "$(environment "$requirements")" test_platforms.py
        run "$(environment "$requirements")" test_routes.py
    done
    for requirements in "$here"/requirements-platforms*.txt; do
        run "$(environment "$requirements")" test_platform_sdks.py
    done
    for requirements in "$here"/requirements-openai*.txt; do
        run "$(environment "$requirements")" test_openai_sdk.py
    done
    for requirements in "$here"/requirements-works-*.txt; do
        run "$(environment "$requirements")" test_works_with.py Programs
    done
    run client-platforms test_boto3.py
    run client-works-google-genai test_gemini_sdk.py
    run client-frameworks test_frameworks.py
    run client-spark test_spark.py
    run client-typing test_typing.py
} | numbered
