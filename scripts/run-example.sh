#!/bin/sh
# The main job on a real example: the orders application, through real processes, with its evidence kept.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
project=examples/kernel-tutorial/01-orders.svc-project.json
echo "run: bin/svc run $project" >&2
bin/svc run "$project"
newest=$(ls -t examples/kernel-tutorial/.svc/envelopes/*.json | head -n 1)
reference=$(basename "$newest" .json)
echo "evidence: $newest" >&2
echo "evidence: examples/kernel-tutorial/.svc/traces/$reference.jsonl" >&2
