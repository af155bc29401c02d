#!/bin/sh
# Runs these suites against the program that SVC_PROGRAM names, else against the one built here, and says which.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
program=${SVC_PROGRAM:-bin/svc}
case $program in /*) ;; *) program=$PWD/$program ;; esac
echo "conformance: $program, version $("$program" --version)"
SVC_PROGRAM=$program exec "$(scripts/node.sh)" node_modules/.bin/mocha --config conformance/.mocharc.json "$@"
