#!/bin/sh
# Brings the pinned packages, and with them Node 24 where there is a package for this platform (node-linux-* in
# node_modules), into the project. Works with any npm of Node 18 or later. Does nothing when the lock file has not
# changed since.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
stamp=node_modules/.setup-stamp
if [ -f "$stamp" ] && cmp -s package-lock.json "$stamp"; then
  exit 0
fi
if [ -L node_modules ]; then
  echo 'setup: node_modules is a link, and npm would empty what it leads to; remove it, or set up the folder that it leads to' >&2
  exit 1
fi
command -v npm >/dev/null || { echo 'setup: npm is needed (it comes with Node 18 or later)' >&2; exit 1; }
echo "setup: installing the packages of package-lock.json with npm $(npm --version 2>/dev/null)" >&2
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
cp package-lock.json "$stamp"
echo 'setup: done' >&2
