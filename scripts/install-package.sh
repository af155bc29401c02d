#!/bin/sh
# Packs the program and has npm install it into an empty folder whose path has spaces and letters beyond ASCII, below
# the folder that is named. Prints the path of the installed program.
set -eu
below=$(CDPATH='' cd -- "$1" && pwd)
CDPATH='' cd -- "$(dirname -- "$0")/.."
make --no-print-directory build >&2
folder="$below/a folder – mit Ä, é & 漢"
mkdir "$folder"
tarball=$(scripts/pack.sh "$folder")
cd "$folder"
echo "package: $(wc -c <"$tarball") bytes, installed with npm $(npm --version 2>/dev/null) on Node $(node --version)" >&2
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --loglevel=error "./$tarball" >/dev/null
for addon in darwin-arm64.node linux-arm64.glibc.node linux-arm64.musl.node linux-x64.glibc.node linux-x64.musl.node; do
  [ -s "node_modules/@svc-lisp/svc/dist/native/$addon" ] || { echo "package: $addon is missing" >&2; exit 1; }
done
# The user's own node stays what `node` means there.
[ ! -e node_modules/.bin/node ] || { echo 'package: it puts a node on the path of the user' >&2; exit 1; }
for name in ajv isolated-vm preact tinypool undici; do
  grep -q "^$name [0-9]" node_modules/@svc-lisp/svc/dist/THIRD-PARTY-NOTICES.txt ||
    { echo "package: no notice of $name" >&2; exit 1; }
done
echo "$folder/node_modules/.bin/svc"
