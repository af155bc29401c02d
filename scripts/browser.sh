#!/bin/sh
# Tells mocha to leave out what needs a browser where there is none, and says so; with `install`, brings one from Debian.
set -eu
browser=${SVC_CHROMIUM:-/usr/bin/chromium}
if [ "${1:-}" = install ] && [ ! -x "$browser" ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >&2
fi
[ -x "$browser" ] && exit 0
[ "${1:-}" = install ] && exit 1
echo "test: $browser is not there: the tests of the viewer in a browser are left out (Debian package chromium)" >&2
echo "--ignore integration/viewer/browser/**"
