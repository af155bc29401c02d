#!/bin/sh
# The packed program as npm installs it works: version, init, validate, run. So it does when it is called by a link from
# elsewhere. SVC_PROGRAM may name one that is installed already; without it, one is installed and removed again.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
program=${SVC_PROGRAM:-$(scripts/install-package.sh "$temporary")}
case $program in /*) ;; *) program=$PWD/$program ;; esac
cd "$temporary"
"$program" --version
"$program" init app
cd app
"$program" validate svc-project.json
value=$("$program" run svc-project.json)
[ "$value" = '{"greeting":"hello world"}' ] || { echo "package: unexpected value" >&2; exit 1; }
ln -s "$program" "$temporary/svc"
cd /
linked=$("$temporary/svc" run "$temporary/app/svc-project.json")
[ "$linked" = "$value" ] || { echo "package: unexpected value through a link" >&2; exit 1; }
echo "package: $value"
