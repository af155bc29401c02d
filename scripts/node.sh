#!/bin/sh
# Prints the path of the Node that this project runs on: the pinned platform package, else a Node 24 on PATH.
set -eu
cd "$(dirname "$0")/.."
case $(uname -m) in
  x86_64 | amd64) arch=x64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) arch=none ;;
esac
pinned=$PWD/node_modules/node-linux-$arch/bin/node
if [ -x "$pinned" ]; then
  echo "$pinned"
  exit 0
fi
if node=$(command -v node) && [ "$("$node" -p 'process.versions.node.split(".")[0]')" = 24 ]; then
  echo "$node"
  exit 0
fi
echo "setup: no Node 24 for this platform; install one and put it on PATH" >&2
exit 1
