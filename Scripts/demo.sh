#!/bin/sh
# Opens the dashboard on the demo batch, fetched from a local server. Everything it makes is removed at the end.
# usage: demo BIN-FOLDER SERVER-FOLDER [winch options]
set -eu
bin=$1 server_bin=$2
shift 2
home=$(mktemp -d "${TMPDIR:-/tmp}/winch-demo.XXXXXX")
server=
trap 'if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi; rm -rf "$home"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

"$server_bin/fault-server" --port-file "$home/port" --demo-file "$home/demo.urls" >/dev/null &
server=$!
tries=0
until [ -s "$home/port" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || { echo "winch: the demo's server does not start" >&2; exit 1; }
    sleep 0.05
done
# What is uploaded: zeros will do, and take no space on the disk.
truncate -s 40M "$home/recording.wav"
truncate -s 24M "$home/backup.tar"
sed -i "s|FOLDER|$home|" "$home/demo.urls"
# Not the state of the person who looks at it.
export XDG_STATE_HOME="$home/state" XDG_CONFIG_HOME="$home/config"
# The batch holds failures on purpose, so the exit code of the dashboard says nothing here.
"$bin/winch" -i "$home/demo.urls" -d "$home/files" -j 6 "$@" || true
