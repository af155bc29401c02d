#!/bin/sh
# Builds the image of the gateway example with buildah, starts it as its own user, and calls both of its tools with the
# official client: `make image-trial`. Wants root, buildah and debootstrap (`apt-get install buildah debootstrap`). The
# base is made here, of the system's own packages and the Node of this project, under the name that the Dockerfile has:
# no registry of images is asked. NODE_EXTRA_CA_CERTS, where it is set, is known in the image too.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
root=$PWD
node=$(scripts/node.sh)
base=$(sed -n 's/^FROM //p' examples/gateway/Dockerfile)
export STORAGE_DRIVER=vfs
work=$(mktemp -d)
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
container=''
running=''
# The program in the container that this script started, and no other one of that user.
served() {
  pid=$running
  while [ -n "$pid" ]; do
    case $(ps -o args= -p "$pid") in
      */node\ *) break ;;
    esac
    pid=$(pgrep -P "$pid" | head -n 1)
  done
  echo "$pid"
}
finish() {
  if [ -n "$running" ] && pid=$(served) && [ -n "$pid" ]; then kill -TERM "$pid" 2>/dev/null || :; fi
  [ -z "$container" ] || buildah rm "$container" >/dev/null 2>&1 || :
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

echo "image: the base $base"
debootstrap --variant=minbase --include=ca-certificates bookworm "$work/base" >"$work/base.log" 2>&1 || {
  tail -n 5 "$work/base.log" >&2
  exit 1
}
cp "$node" "$work/base/usr/local/bin/node"
mkdir -p "$work/base/usr/local/lib/node_modules"
npm=$(dirname -- "$(dirname -- "$(readlink -f "$(command -v npm)")")")
cp -R "$npm" "$work/base/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/base/usr/local/bin/npm"
chroot "$work/base" useradd --uid 1000 --create-home node
container=$(buildah from scratch)
mounted=$(buildah mount "$container")
cp -a "$work/base/." "$mounted/"
cp /etc/resolv.conf "$mounted/etc/resolv.conf"
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  cp "$NODE_EXTRA_CA_CERTS" "$mounted/etc/ssl/extra.pem"
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/extra.pem "$container"
fi
buildah unmount "$container" >/dev/null
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
buildah commit --quiet "$container" "docker.io/library/$base" >/dev/null
buildah rm "$container" >/dev/null
container=''

echo 'image: svc init, make pack, build'
bin/svc init --example gateway "$work/gateway" >/dev/null
scripts/pack.sh "$work/gateway" >/dev/null
buildah build --pull=never --isolation chroot --network host --tag svc-gateway "$work/gateway"

echo 'image: start, probes, both tools'
container=$(buildah from --pull=never localhost/svc-gateway)
buildah config --env GATEWAY_TOKEN="$token" "$container"
buildah run --isolation chroot --network host "$container" \
  svc gateway gateway.json --listen 0.0.0.0 --behind-proxy >"$work/out" 2>"$work/err" &
running=$!
tries=0
until grep -q '"ready":true' "$work/out"; do
  tries=$((tries + 1))
  if [ "$tries" -gt 60 ] || ! kill -0 "$running" 2>/dev/null; then
    cat "$work/out" "$work/err" >&2
    exit 1
  fi
  sleep 1
done
"$node" -e "for (const probe of ['live', 'ready']) {
  const { status } = await fetch('http://127.0.0.1:8321/health/' + probe);
  if (status !== 200) throw new Error(probe + ': ' + status);
}" --input-type=module
cp examples/gateway/call.mjs "$root/node_modules/.cache/call.mjs"
GATEWAY_TOKEN=$token "$node" "$root/node_modules/.cache/call.mjs"
kill -TERM "$(served)"
wait "$running" || {
  cat "$work/out" "$work/err" >&2
  exit 1
}
running=''
echo 'image: ok'
