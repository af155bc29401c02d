#!/bin/sh
# Runs tests as on another machine than the one that CI has: `scripts/test-elsewhere.sh --user SUITE...` as a user
# without privileges, `--bare` without the packages that are optional (in a mount namespace of its own), or both.
# `--quick` runs those suites whose outcome depends on who runs them, or on what is installed; without suites it runs
# all of `make test`. Works on a copy of the checkout, whose packages are links to those of the checkout; wants root.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
OPTIONAL='bwrap zsh fish chromium'
QUICK='conformance/cli/processes.suite.ts conformance/cli/shared-folders.suite.ts conformance/cli/shells.suite.ts
  conformance/tools/local.suite.ts conformance/tools/children.suite.ts
  sandbox/test/attacks/confined-hosts.suite.ts sandbox/test/attacks/machine-resources.suite.ts
  supervisor/test/engine/postgres.suite.ts cli/test/launcher/launcher.suite.ts
  supervisor/test/viewer/browser/repl.suite.ts supervisor/evidence/publication/**/*.test.ts
  sandbox/pool/confinement.test.ts sandbox/pool/host-*.test.ts adapters/mcp/stdio/*.test.ts
  adapters/test/mcp/stdio/*.suite.ts
  adapters/file-server/*.test.ts'
user='' bare='' quick=''
while :; do
  case ${1:-} in
    --user) user=nobody ;;
    --bare) bare=1 ;;
    --quick) quick=1 ;;
    *) break ;;
  esac
  shift
done
[ "$(id -u)" -eq 0 ] || { echo 'test-elsewhere: wants root' >&2; exit 1; }
if [ -n "$bare" ] && [ -z "${SVC_TEST_IN_NAMESPACE:-}" ]; then
  export SVC_TEST_IN_NAMESPACE=1
  exec unshare --mount -- "$0" --bare ${user:+--user} ${quick:+--quick} "$@"
fi
make --no-print-directory build
folder=$(mktemp -d)
trap 'cd /; umount /usr "$folder/layer" 2>/dev/null || :; rm -rf "$folder"' EXIT
chmod 755 "$folder"

copy="$folder/checkout"
# With an index of its own, whose lock nobody else wants at the same time.
cp "$(git rev-parse --git-path index)" "$folder/index"
revision=$(GIT_INDEX_FILE="$folder/index" git stash create)
git clone --quiet --shared --no-checkout . "$copy"
git -C "$copy" checkout --quiet --detach "${revision:-HEAD}"
cp -R dist "$copy/dist"
if [ -n "$user" ]; then
  # Before the packages are there: what is linked keeps its owner in the checkout.
  mkdir "$folder/home" "$folder/tmp"
  chown -R "$user:" "$copy" "$folder/home" "$folder/tmp"
fi
mkdir "$copy/node_modules"
cp -al node_modules/. "$copy/node_modules"

if [ -n "$bare" ]; then
  mkdir "$folder/layer"
  mount -t tmpfs layer "$folder/layer"
  mkdir "$folder/layer/upper" "$folder/layer/work"
  mount -t overlay overlay -o "lowerdir=/usr,upperdir=$folder/layer/upper,workdir=$folder/layer/work" /usr
  for name in $OPTIONAL; do rm -f "/usr/bin/$name" "/usr/local/bin/$name"; done
  rm -rf /usr/lib/postgresql /usr/local/bin/postgres /usr/local/bin/initdb
  unset SVC_TEST_EVERYTHING
fi

cd "$copy"
# Only what is said here: what CI's own environment names belongs to its own user.
run() { # run WORD...
  if [ -n "$user" ]; then
    unset SVC_TEST_EVERYTHING
    setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups \
      env -u SVC_PROGRAM HOME="$folder/home" TMPDIR="$folder/tmp" USER="$user" "$@"
  else
    env -u SVC_PROGRAM "$@"
  fi
}
if [ -n "$quick" ]; then
  # Patterns are mocha's to expand.
  set -f
  # shellcheck disable=SC2086
  set -- $QUICK
fi
if [ "$#" -eq 0 ]; then
  run make test
else
  run "$(scripts/node.sh)" node_modules/.bin/mocha --config .mocharc.suites.json "$@"
fi
