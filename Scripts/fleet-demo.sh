#!/bin/sh
# Opens the dashboard over four workers on this machine, with a NATS server and a web server that misbehaves. Everything it makes is
# removed at the end.
# usage: fleet-demo BIN-FOLDER SERVER-FOLDER [options of winch fleet attach]
set -eu
fleet=$1/winch-fleet web=$2/fault-server
shift 2
home=$(mktemp -d "${TMPDIR:-/tmp}/winch-fleet-demo.XXXXXX")
children=
trap 'kill -9 $children 2>/dev/null || true; wait; rm -rf "$home"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

fail() { echo "winch: $1" >&2 && exit 1; }
start() { "$@" </dev/null >/dev/null 2>&1 & last=$! children="$children $!"; }
await() {
    tries=0
    until grep -qs . "$1"; do
        tries=$((tries + 1))
        [ "$tries" -lt 500 ] || fail "$2 does not start"
        sleep 0.02
    done
}

[ -t 1 ] || fail "the demo needs a terminal"
# Debian has it in a folder that not all users have in PATH.
nats=$(PATH=$PATH:/usr/sbin command -v nats-server) || fail "the demo needs nats-server (Debian's package has this name)"
start "$web" --port-file "$home/port"
await "$home/port" "the demo's web server"
start "$nats" -a 127.0.0.1 -p -1 -js -sd "$home/store" --ports_file_dir "$home"
await "$home/nats-server_$last.ports" nats-server
run="--run demo --server $(grep -o 'nats://[^"]*' "$home/nats-server_$last.ports" | head -n 1)"

# Files of many sizes and rates, and some that fail.
awk -v origin="http://127.0.0.1:$(cat "$home/port")/f/" 'BEGIN {
    split("track-NUM.flac?size=24M&rate=2M page-NUM.html?size=60K&rate=40K lecture-NUM.mkv?size=80M&rate=5M " \
        "chapter-NUM.pdf?size=6M&rate=900K data-NUM.csv.gz?size=12M&rate=1500K " \
        "sample-NUM.wav?size=9M&rate=1200K&latency=1.5 photo-NUM.jpg?size=3M&rate=700K", kinds, " ")
    split("missing-report.pdf?status=404 private-notes.txt?status=403 broken-link.zip?status=410 " \
        "flaky-archive.tar.gz?size=20M&rate=2M&dropfirst=6M", odd, " ")
    for (number = 1; number <= 280; number++) {
        name = kinds[(number - 1) % 7 + 1]
        sub("NUM", sprintf("%03d", number), name)
        print origin name
        if (number % 40 == 9) print origin odd[int(number / 40) % 4 + 1]
    }
}' | "$fleet" submit -i - $run >/dev/null
for worker in alder:3 birch:4 cedar:2 dogwood:4; do
    start "$fleet" work --name "${worker%:*}" -j "${worker#*:}" -d "$home/${worker%:*}" $run
done
"$fleet" attach $run "$@"
