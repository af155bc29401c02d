#!/bin/sh
# Makes vendors.pem anew (needs openssl): one certificate for the names of all vendors of models, which signed itself,
# so that only who is given it trusts it. Its key protects nothing.
set -eu
cd -- "$(dirname -- "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names=
for name in api.openai.com api.anthropic.com generativelanguage.googleapis.com api.deepseek.com openrouter.ai \
  bedrock-runtime.eu-north-1.amazonaws.com api.groq.com api.x.ai api.mistral.ai; do names=$names,DNS:$name; done
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=svc test vendors' -days 36500 \
  -addext "subjectAltName=${names#,}" -addext 'extendedKeyUsage=serverAuth' \
  -keyout "$work/key" -out "$work/certificate" 2>/dev/null
cat "$work/key" "$work/certificate" > vendors.pem
