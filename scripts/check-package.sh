#!/bin/sh
# The packed program, installed by npm into an empty folder, works: version, init, validate, run.
set -eu
cd "$(dirname "$0")/.."
make --no-print-directory build
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tarball=$(npm pack --ignore-scripts --loglevel=error --pack-destination "$folder")
cd "$folder"
echo "package: $(wc -c <"$tarball") bytes, installed with npm $(npm --version 2>/dev/null) on Node $(node --version)"
npm init --yes --loglevel=error >/dev/null
npm install --no-audit --no-fund --loglevel=error "./$tarball" >/dev/null
PATH="$folder/node_modules/.bin:$PATH"
svc --version
svc init app
cd app
svc validate svc-project.json
value=$(svc run svc-project.json)
[ "$value" = '{"greeting":"hello world"}' ] || { echo "package: unexpected value" >&2; exit 1; }
echo "package: $value"
