#!/bin/sh
# Every test of the project, each part also after one that failed; then whether what passed holds the matrix of faults.
# SVC_PROGRAM names the program that the conformance suites speak to; without it that is the one built here.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
record=$(mktemp)
trap 'rm -f "$record"' EXIT
export SVC_TEST_RECORD="$record"
failed=''
for part in unit integration conformance matrix; do
  make --no-print-directory "$part" || failed="$failed $part"
done
[ -z "$failed" ] || { echo "test: failed in$failed" >&2; exit 1; }
