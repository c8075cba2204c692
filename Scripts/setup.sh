#!/bin/sh
# Installs the Debian packages that are missing, when permitted; else names them and stops.
# usage: setup.sh build|fleet|test|bench|picture
set -eu
part=${1:-build}

fail() { echo "winch: $1" >&2 && exit 1; }

need="libexpat1-dev libncurses-dev libsqlite3-dev libssl-dev zlib1g-dev pkg-config"
# Any flavour of libcurl will do.
{ command -v pkg-config && pkg-config --exists libcurl; } >/dev/null 2>&1 || need="$need libcurl4-openssl-dev"
case $part in
test)
    need="$need tmux nginx-light openssl ncurses-term kitty-terminfo foot-terminfo"
    need="$need vsftpd openssh-server openssh-client curl python3-venv systemd libnats-dev nats-server"
    ;;
bench) need="$need nginx-light openssl aria2 axel curl wget2 lftp rclone htop btop python3 openssh-server openssh-client" ;;
fleet) need="$need libnats-dev" ;;
picture) need="$need tmux python3" ;;
esac
command -v swift >/dev/null || fail "the Swift toolchain (6.3 or newer) is missing: https://www.swift.org/install"

# Not on Debian: the build says what it misses.
command -v dpkg-query >/dev/null || need=
missing=
for package in $need; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
    as_root=
    [ "$(id -u)" = 0 ] || as_root="sudo -n"
    [ -z "$as_root" ] || sudo -n true 2>/dev/null || fail "missing packages; install them with: sudo apt-get install$missing"
    echo "winch: these Debian packages are missing and are installed now with apt-get:$missing"
    install() { DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends $missing 2>&1; }
    # The lists may be old or absent on a fresh machine: fetch them when the first try fails.
    output=$(install) || output=$($as_root apt-get update -q 2>&1 && install) || fail "$output
winch: could not install$missing"
fi

# A tus server from PyPI. Its test is skipped where none can be had.
if [ "$part" = test ] && [ ! -e .build/tus/ready ]; then
    echo "winch: tuspyserver is missing and is installed into .build/tus now with pip"
    { python3 -m venv .build/tus && .build/tus/bin/pip install -q tuspyserver==4.4.3 uvicorn==0.54.0; } >/dev/null 2>&1 &&
        touch .build/tus/ready || echo "winch: could not install tuspyserver" >&2
fi
