#!/bin/sh
# Installs those of the named Debian packages that are missing. For machines that test everything; wants root.
set -eu
missing=''
for package in "$@"; do
  dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
    missing="$missing $package"
done
[ -n "$missing" ] || { echo "packages: all there"; exit 0; }
echo "packages: installing$missing"
export DEBIAN_FRONTEND=noninteractive
# The lists may be older than what the archive holds.
# shellcheck disable=SC2086
install() { apt-get install --yes --quiet --no-install-recommends $missing; }
install || { apt-get update --quiet && install; }
