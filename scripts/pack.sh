#!/bin/sh
# Packs the built program into a tarball in the folder that is named, and prints its name. What is packed is not the
# checkout: see scripts/published-package.ts.
set -eu
destination=$(CDPATH='' cd -- "${1:-.}" && pwd)
CDPATH='' cd -- "$(dirname -- "$0")/.."
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
mkdir "$staging/bin"
cp bin/svc "$staging/bin/svc"
cp -R dist README.md "$staging"
"$(scripts/node.sh)" scripts/published-package.ts "$staging"
cd "$staging"
npm pack --ignore-scripts --loglevel=error --pack-destination "$destination"
