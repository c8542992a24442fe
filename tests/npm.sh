# SPDX-License-Identifier: Apache-2.0
#
# For the scripts that install what tests need into $folder: npm packages in the releases that are pinned. What can't
# be installed leaves its reason in $folder/NAME.skip, and the installer's output in $folder/NAME.log.

skip() { # NAME REASON
    echo "$2" >"$folder/$1.skip"
    echo "$1: skipped: $2"
}

# A folder that an earlier run filled from the same pins is used as it is.
fresh() { # NAME PINS
    [ ! -e "$folder/$1.skip" ] && cmp -s "$2" "$folder/$1/pinned"
}

install_npm() { # NAME PACKAGE-FOLDER
    fresh "$1" "$2/package-lock.json" && return
    rm -rf "${folder:?}/$1" "$folder/$1.skip"
    wanted=$(sed -n 's/.*"node": *">=\([0-9]*\)".*/\1/p' "$2/package.json")
    version=$(node --version 2>/dev/null | sed 's/^v//')
    if [ -z "$version" ]; then
        skip "$1" "node isn't installed"
    elif [ "${version%%.*}" -lt "$wanted" ]; then
        skip "$1" "node $version is too old, it needs $wanted"
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
