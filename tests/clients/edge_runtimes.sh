#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# edge_runtimes.sh BUILD-FOLDER: tries the npm package in Next (routes of both of its runtimes, and one with the module
# inlined) and in workerd by wrangler. Each runs a program that loads the module as it comes and repairs a history.
#
# Not part of `make check`: it downloads some 700 MB with npm and takes minutes. It needs Node 20, npm, curl, and the module
# in BUILD-FOLDER (`make wasm`). Ends with 0 if all of them repair it.
set -eu
[ $# = 1 ] || { sed -n '4,8s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
build=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null; rm -rf "$folder"' EXIT
export NEXT_TELEMETRY_DISABLED=1 WRANGLER_SEND_METRICS=false CI=1 HOME="$folder"
port=${PORT:-3917}

HISTORY='[{ role: "user", content: "q" }, { role: "assistant", content: [
    { type: "tool_use", id: "t", name: "f", input: {} }] }, { role: "user", content: "n" }]'
wanted='{"edits":1}'

pack() { # puts the packed file into $folder
    mkdir "$folder/package"
    (cd "$top/clients/typescript" && tar cf - --exclude node_modules --exclude dist --exclude tests .) | tar xf - -C "$folder/package"
    (cd "$folder/package" && npm ci --ignore-scripts --no-audit --no-fund && node scripts/build.mjs --wasm "$build/turnkeeper.wasm" &&
        npm pack --ignore-scripts --pack-destination "$folder") >"$folder/pack.log" 2>&1 || { tail "$folder/pack.log" >&2; exit 1; }
}

program() { # FOLDER PACKAGES...
    mkdir -p "$folder/$1"
    cd "$folder/$1"
    shift
    echo '{"private":true,"type":"module"}' >package.json
    npm install --ignore-scripts --no-audit --no-fund "$folder"/turnkeeper-*.tgz "$@" >npm.log 2>&1 || { tail npm.log >&2; exit 1; }
}

check() { # NAME ANSWER
    echo "$1: $2"
    [ "$2" = "$wanted" ] || failed=1
}

route() { # FIRST-LINE ARGUMENT
    printf '%s\nimport { Turnkeeper } from "turnkeeper";\nexport const dynamic = "force-dynamic";\n' "$1"
    printf 'export async function GET() {\n  const keeper = await Turnkeeper.load(%s);\n' "$2"
    printf '  return Response.json({ edits: keeper.repair(%s).edits.length });\n}\n' "$HISTORY"
}

try_next() {
    program next next@16.4.6 react@19.3.1 react-dom@19.3.1
    mkdir -p app/node app/edge app/inline
    route '' '' >app/node/route.js
    route 'export const runtime = "edge";' '' >app/edge/route.js
    route 'import { wasm } from "turnkeeper/inline";' '{ wasm: wasm() }' >app/inline/route.js
    echo 'export default function Layout({ children }) { return <html><body>{children}</body></html>; }' >app/layout.js
    npx next build >build.log 2>&1 || { tail -30 build.log >&2; exit 1; }
    npx next start -p "$port" >start.log 2>&1 &
    server=$!
    for runtime in node edge inline; do
        check "Next, $runtime" "$(curl -s --retry 20 --retry-connrefused --retry-delay 1 "http://127.0.0.1:$port/$runtime")"
    done
    kill "$server"
}

try_workerd() {
    program workerd wrangler@4.86.0
    cat >worker.mjs <<END
import { Turnkeeper } from "turnkeeper";
const loaded = Turnkeeper.load();
export default { async fetch() {
  return Response.json({ edits: (await loaded).repair($HISTORY).edits.length });
} };
END
    printf 'name = "t"\nmain = "worker.mjs"\ncompatibility_date = "2025-01-01"\n' >wrangler.toml
    cat >run.mjs <<'END'
import { unstable_dev } from "wrangler";
const worker = await unstable_dev("worker.mjs", {
  config: "wrangler.toml", experimental: { disableExperimentalWarning: true }, logLevel: "error" });
console.log(await (await worker.fetch("/")).text());
await worker.stop();
END
    check workerd "$(node run.mjs)"
}

failed=0
pack
try_workerd
try_next
exit "$failed"
