#!/bin/sh
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/bin/node" "$here/tillbeacon.mjs" "$@"
