#!/usr/bin/env sh
# Installs the peers with the project's own Node, and builds their SQLite against its headers: nothing is downloaded
# but packages.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
PATH="$root/node_modules/.bin:$PATH"
export PATH
headers=$(dirname "$(dirname "$(find "$root/node_modules/node" -path '*/include/node' -type d | head -n 1)")")
npm_config_nodedir="$headers" npm_config_build_from_source=true npm ci
