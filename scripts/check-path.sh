#!/bin/sh
# The checkout works wherever it lies: set-up, build, example and the tests that start processes, in a copy whose path
# has spaces and letters beyond ASCII. The packages are copied, not fetched again.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
make --no-print-directory setup
source=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
copy="$folder/a folder – mit Ä, é & 漢/check out"
# The tree as it is, changes included that nobody committed yet.
# With an index of its own, whose lock nobody else wants at the same time.
cp "$(git rev-parse --git-path index)" "$folder/index"
revision=$(GIT_INDEX_FILE="$folder/index" git stash create)
git clone --quiet --shared --no-checkout . "$copy"
cd "$copy"
git checkout --quiet --detach "${revision:-HEAD}"
# Never a link: whatever this copy does to its packages, those of the checkout stay as they are.
cp -R "$source/node_modules/." node_modules
make --no-print-directory run
"$(scripts/node.sh)" node_modules/.bin/mocha --config conformance/.mocharc.json \
  conformance/cli/caller-environment.suite.ts cli/test/launcher/launcher.suite.ts conformance/repl/scratch.suite.ts \
  supervisor/test/capabilities/calls.suite.ts sandbox/pool/pool.test.ts scripts/setup.test.ts
bin/svc version
echo "path: $copy"
