#!/bin/sh
# Every test of the project, each part also after one that failed; then whether what passed holds the matrix of faults.
# Two lanes run beside each other, each mostly waiting for programs that it started; each part is told when it ended.
# A suite that failed runs once more by itself, where few did: what then passes is told as unsteady, at the end and in a count,
# and is to be mended. What fails is told once more at the end, where thousands of lines of what passed do not hide it.
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
# What this machine cannot test, a line each (conformance/left-out.ts).
export SVC_TEST_LEFT_OUT="$told/left-out"
# More suites than that have something in common.
SUITES_AGAIN=4
failed=''
unsteady=0

part() { # part FILE NAME [ARGUMENT]...: what a target of the Makefile says into a file; whether it passed
  into=$1
  shift
  SVC_TEST_FAILED="$told/$into.failed" make --no-print-directory "$@" >"$told/$into" 2>&1
}

without_colours() { # without_colours FILE
  sed 's/\x1b\[[0-9;]*m//g' "$1"
}

what_failed() { # what_failed FILE: mocha's account of its failures; else the last words
  without_colours "$1" | awk '/^ *[0-9]+ failing/ { found = 1; next } /^ *[0-9]+ passing/ { found = 0 } found && lines++ < 200 { print }'
  tail -n 5 "$1"
}

tell() { # tell NAME VARIABLE STATUS: what a part of the tests said; `failed` has its name unless its suites pass by themselves
  [ "$3" -eq 0 ] && cat "$told/$1" && return
  suites=$(sort -u "$told/$1.failed" 2>/dev/null | tr '\n' ' ')
  count=$(echo "$suites" | wc -w)
  if [ "$count" -gt 0 ] && [ "$count" -le $SUITES_AGAIN ] && part "$1.again" "$1" "$2=$suites"; then
    of=$(without_colours "$told/$1" | awk '/^ *[0-9]+ failing/ { n += $1 } END { print n + 0 }')
    unsteady=$((unsteady + of))
    echo "$of of $1, by themselves: $suites" >>"$told/unsteady"
    what_failed "$told/$1" >>"$told/unsteady"
  else
    failed="$failed $1"
  fi
  cat "$told/$1"
}

# One lane of two: the unit tests, then the longer part of integration.
unit_and_longer() {
  status=0
  part unit unit || status=$?
  echo "$status" >"$told/unit.status"
  status=0
  part integration integration LANE=longer || status=$?
  echo "$status" >"$told/integration.status"
}

# For a lane that comes to no end of its own.
echo 1 | tee "$told/unit.status" >"$told/integration.status"
make --no-print-directory build
echo 'test: unit and integration; beside them conformance and the rest of integration' >&2
unit_and_longer &
beside=$!
conformance=0
part conformance conformance || conformance=$?
rest=0
part rest integration LANE=shorter || rest=$?
wait "$beside" || :
beside=''
tell unit UNIT "$(cat "$told/unit.status")"
cat "$told/rest" >>"$told/integration"
cat "$told/rest.failed" >>"$told/integration.failed" 2>/dev/null || :
tell integration INTEGRATION "$(($(cat "$told/integration.status") + rest))"
tell conformance CONFORMANCE "$conformance"
status=0
part matrix matrix || status=$?
cat "$told/matrix"
[ "$status" -eq 0 ] || failed="$failed matrix"
if [ "$unsteady" -gt 0 ]; then
  echo 'test: failed beside others and passed alone, to be mended' >&2
  cat "$told/unsteady" >&2
  echo "  $unsteady unsteady"
fi
if [ -s "$told/left-out" ]; then
  echo 'test: left out on this machine'
  sort -u "$told/left-out" | sed 's/^/  /'
fi
[ -n "$failed" ] || exit 0
echo "test: failed in$failed" >&2
for name in $failed; do
  echo "test: what failed in $name"
  what_failed "$told/$name"
done >&2
exit 1
