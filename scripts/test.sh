#!/bin/sh
# Every test of the project, each part also after one that failed; then whether what passed holds the matrix of faults.
# Two lanes run beside each other, each mostly waiting for programs that it started; each part is told when it ended.
# What failed is told once more at the end, where thousands of lines of what passed do not hide it.
# SVC_PROGRAM names the program that the conformance suites speak to; without it that is the one built here.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
record=$(mktemp)
told=$(mktemp -d)
beside=''
trap 'rm -rf "$record" "$told"' EXIT
# What runs in the background of a script does not hear of Ctrl-C.
trap 'kill $beside 2>/dev/null; exit 130' INT TERM
export SVC_TEST_RECORD="$record"
failed=''

part() { # part NAME: what it says, here and in a file; whether it passed; sets `failed`
  { make --no-print-directory "$1" 2>&1 || echo "$1" >>"$told/failed"; } | tee "$told/$1"
  grep -qx "$1" "$told/failed" 2>/dev/null && failed="$failed $1"
  return 0
}

what_failed() { # what_failed NAME: mocha's account of its failures, without colours; else the part's last words
  sed 's/\x1b\[[0-9;]*m//g' "$told/$1" | awk '/^ *[0-9]+ failing/ { found = 1 } /^ *[0-9]+ passing/ { found = 0 } found && lines++ < 200 { print }'
  tail -n 5 "$told/$1"
}

part build
part unit
echo 'test: integration, and beside it conformance and the rest of integration' >&2
make --no-print-directory integration LANE=longer >"$told/integration" 2>&1 &
beside=$!
conformance=0
make --no-print-directory conformance >"$told/conformance" 2>&1 || conformance=$?
rest=0
make --no-print-directory integration LANE=shorter >"$told/rest" 2>&1 || rest=$?
integration=0
wait "$beside" || integration=$?
beside=''
cat "$told/rest" >>"$told/integration"
cat "$told/integration" "$told/conformance"
[ "$integration" -eq 0 ] && [ "$rest" -eq 0 ] || failed="$failed integration"
[ "$conformance" -eq 0 ] || failed="$failed conformance"
part matrix
[ -n "$failed" ] || exit 0
echo "test: failed in$failed" >&2
for name in $failed; do
  echo "test: what failed in $name"
  what_failed "$name"
done >&2
exit 1
