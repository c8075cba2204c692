#!/bin/sh
# Installs the Debian packages that are missing, when permitted; else names them and stops.
# usage: setup.sh build|fleet|test|bench|picture
set -eu

has() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

need="libexpat1-dev libncurses-dev libsqlite3-dev libssl-dev zlib1g-dev pkg-config"
# Any flavour of libcurl will do.
{ command -v pkg-config && pkg-config --exists libcurl; } >/dev/null 2>&1 || need="$need libcurl4-openssl-dev"
case "${1:-build}" in
test)
    need="$need tmux nginx-light openssl ncurses-term kitty-terminfo foot-terminfo"
    need="$need vsftpd openssh-server openssh-client curl python3-venv systemd libnats-dev nats-server"
    ;;
bench) need="$need nginx-light openssl aria2 axel curl wget2 htop btop python3 openssh-server openssh-client" ;;
fleet) need="$need libnats-dev" ;;
picture) need="$need tmux python3" ;;
esac

command -v swift >/dev/null || {
    echo "winch: the Swift toolchain (6.3 or newer) is missing: https://www.swift.org/install" >&2
    exit 1
}
# A tus server from PyPI. Its test is skipped where none can be had.
tus_server() {
    [ "${1:-}" = test ] && [ ! -e .build/tus/ready ] || return 0
    echo "winch: tuspyserver is missing and is installed into .build/tus now with pip"
    { python3 -m venv .build/tus && .build/tus/bin/pip install -q tuspyserver==4.4.3 uvicorn==0.54.0; } >/dev/null 2>&1 &&
        touch .build/tus/ready || echo "winch: could not install tuspyserver" >&2
}

command -v dpkg-query >/dev/null || { # not Debian: the build says what it misses
    tus_server "${1:-}"
    exit 0
}

missing=
for package in $need; do has "$package" || missing="$missing $package"; done
[ -n "$missing" ] || {
    tus_server "${1:-}"
    exit 0
}

as_root=
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        echo "winch: missing packages; install them with: sudo apt-get install$missing" >&2
        exit 1
    fi
fi
echo "winch: these Debian packages are missing and are installed now with apt-get:$missing"
log=$(mktemp)
install() { DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends $missing >"$log" 2>&1; }
# The lists may be old or absent on a fresh machine: fetch them when the first try fails.
install || { $as_root apt-get update -q >"$log" 2>&1 && install; } || {
    cat "$log" >&2
    echo "winch: could not install$missing" >&2
    exit 1
}
rm -f "$log"
tus_server "${1:-}"
