#!/bin/sh
# Makes the certificates anew (needs openssl): an authority that tests trust, and what it signed. Their keys protect
# nothing.
set -eu
cd -- "$(dirname -- "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: > "$work/index"
cat > "$work/ca.cnf" <<END
[ca]
default_ca = test
[test]
database = $work/index
new_certs_dir = $work
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
END
signed() { # NAME FROM TO EXTENSIONS, self-signed where no authority is there yet
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/$1.key" 2>/dev/null
  openssl req -new -config "$work/ca.cnf" -subj "/CN=svc test $1" -key "$work/$1.key" -out "$work/$1.csr" \
    2>/dev/null || \
    openssl req -new -subj "/CN=svc test $1" -key "$work/$1.key" -out "$work/$1.csr"
  printf '%b' "$4" > "$work/$1.ext"
  if [ "$1" = authority ]; then by='-selfsign'; else by="-cert $work/authority.crt"; fi
  openssl ca -batch -notext -config "$work/ca.cnf" $by -keyfile "$work/authority.key" \
    -in "$work/$1.csr" -out "$work/$1.crt" -startdate "$2" -enddate "$3" -extfile "$work/$1.ext" 2>/dev/null
}
leaf() { # NAME FROM TO SUBJECT-ALTERNATIVE-NAMES
  signed "$1" "$2" "$3" "subjectAltName=$4\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n"
  cat "$work/$1.key" "$work/$1.crt" > "$1.pem"
}
signed authority 20200101000000Z 21200101000000Z 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n'
cp "$work/authority.crt" authority.pem
leaf trusted 20200101000000Z 21200101000000Z 'IP:127.0.0.1,IP:::1,DNS:localhost,DNS:server.test'
leaf wrong-name 20200101000000Z 21200101000000Z 'DNS:elsewhere.test'
leaf expired 20200101000000Z 20210101000000Z 'IP:127.0.0.1,IP:::1,DNS:localhost'
