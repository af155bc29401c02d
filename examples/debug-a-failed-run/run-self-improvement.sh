#!/bin/sh
# sh run-self-improvement.sh ENVFILE|-
#
# A debugger that improves its own helper, is checked without a model, and then repairs an application. ENVFILE holds
# the key of a real model; - plays recorded answers instead, without a network. SVC: the program, if it is not on the
# PATH. Nothing of this folder is changed: what is made lies in .svc-private-improvement, which is made anew, and
# evidence in .svc and .svc-private-debugger.
set -eu
umask 077

if [ $# -ne 1 ]; then
  echo 'usage: sh run-self-improvement.sh ENVFILE|-' >&2
  exit 2
fi
envfile=$1
case $envfile in -|/*) ;; *) envfile=$PWD/$envfile ;; esac
cd "$(dirname -- "$0")"
svc=${SVC:-svc}
work=.svc-private-improvement
rm -rf "$work"
mkdir "$work"

stage() { printf '\n%s\n' "$1"; }
run() { "$svc" run "$@" > /dev/null; }

# A model is asked by these; where it comes from is all that - changes.
ask() {
  name=$1
  shift
  if [ "$envfile" = - ]; then
    run "$name.svc-project.json" --host-config "variants/offline/$name/svc-host.replay.json" --private-output "$work/$name.json" "$@"
  else
    run "$name.svc-project.json" --env-file "$envfile" --private-output "$work/$name.json" "$@"
  fi
}

# A run that is to fail, which leaves the newest capture of its project.
fails() {
  status=0
  run "$@" 2> "$work/diagnostic.txt" || status=$?
  if [ "$status" -ne 5 ]; then
    cat "$work/diagnostic.txt" >&2
    echo "a run that is to fail with status 5 ended with $status" >&2
    exit 1
  fi
  echo "  exit 5: $1"
}

stage '1. Two runs fail, and are captured'
fails target.svc-project.json
fails variants/workflow-control/svc-project.json --input next-order.json

stage '2. An agent edits the helper debug.start; the candidate is held to its export, signature and effects'
ask self-improver
"$svc" materialize self-debugger.svc-project.json --target-mission debugger --component debug.start \
  --out "$work/helper" --from-result "$work/self-improver.json" --result-pointer /candidate_source > /dev/null
helper=$work/helper/descriptor.json
echo "  $work/helper/candidate.clj"

stage '3. Without a model: the helper as it is fails the check on both captures, the candidate passes'
for check in self-check self-check-workflow; do
  fails "$check.svc-project.json"
  run "$check.svc-project.json" --private-output "$work/$check.json" --component-override-descriptor "$helper"
  echo "  $check: $(cat "$work/$check.json")"
done

stage '4. The repaired debugger says why the first run failed'
ask self-debugger --component-override-descriptor "$helper"
echo "  $(cat "$work/self-debugger.json")"

stage '5. It repairs the application; the repair is checked on three orders'
ask self-repair --component-override-descriptor "$helper"
"$svc" materialize target.svc-project.json --target-mission pricing --component pricing.rule --out "$work/repair" \
  --from-result "$work/self-repair.json" --result-pointer /candidate_source > /dev/null
check_order() {
  name=$1
  shift
  run target.svc-project.json --private-output "$work/$name.json" \
    --component-override-descriptor "$work/repair/descriptor.json" "$@"
  echo "  $name: $(cat "$work/$name.json")"
}
check_order own-order
check_order next-order --input next-order.json
check_order empty-order --input variants/empty-order.json
