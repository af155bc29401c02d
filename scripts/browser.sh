#!/bin/sh
# Installs a browser from Debian where there is none. For machines that test everything; wants root.
set -eu
browser=${SVC_CHROMIUM:-/usr/bin/chromium}
[ -x "$browser" ] || "$(dirname -- "$0")/debian-packages.sh" chromium fonts-dejavu-core
[ -x "$browser" ]
