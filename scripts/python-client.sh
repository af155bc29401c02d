#!/bin/sh
# Puts the official Python client of MCP into an environment of its own in the folder that the first argument names, and
# prints its interpreter as its last line. Where it cannot be had it says so, prints an empty line and ends well: one
# suite is not run then.
set -u
VERSION=2.3.0
python=$1/bin/python
if python3 -m venv "$1" 2>/dev/null &&
  timeout 180 "$python" -m pip install --quiet --quiet --disable-pip-version-check --retries 0 --timeout 15 \
    "mcp==$VERSION" && "$python" -c 'from mcp import Client'; then
  echo "$python"
else
  echo 'python: no client of MCP here; its suite is left out' >&2
  echo
fi
