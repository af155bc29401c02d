#!/bin/sh
# The main job on real examples, through real processes, with their evidence kept: the orders application, then an agent
# whose model is played from a recording, told turn by turn.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."

newest() {
  ls -t "$1"/*"$2" | head -n 1
}

echo '== A workflow: orders, without a model' >&2
project=examples/kernel-tutorial/01-orders.svc-project.json
echo "run: bin/svc run $project" >&2
bin/svc run "$project"
envelope=$(newest examples/kernel-tutorial/.svc/envelopes .json)
echo "evidence: $envelope" >&2
echo "evidence: examples/kernel-tutorial/.svc/traces/$(basename "$envelope" .json).jsonl" >&2

echo >&2
echo '== An agent: support tickets, with recorded answers of a model (no network, no key)' >&2
tree=examples/support-triage
project=$tree/02-domain-api.svc-project.json
host=$tree/02-domain-api/svc-host.replay.json
echo "run: bin/svc run $project --host-config $host" >&2
value=$(bin/svc run "$project" --host-config "$host")
inspection=$(newest $tree/.svc/inspection .svcins)
"$(scripts/node.sh)" scripts/show-turns.ts "$inspection" >&2
echo "$value"
echo "evidence: $(newest $tree/.svc/envelopes .json)" >&2
echo "evidence: $inspection" >&2
echo "next: $tree/README.md has more steps; bin/svc init DIRECTORY --example support-triage gives you a copy to change" >&2
echo "try it behind your agent: bin/svc code --print-config claude-code prints the one entry that its configuration needs" >&2
