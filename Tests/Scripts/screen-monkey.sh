#!/bin/sh
# Anything at any time, on the dashboard's update alone.
# usage: screen-monkey.sh STEPS SEED
set -eu
steps=$1 seed=$2 log=.build/screen-monkey.log
echo "$steps steps on the screen alone, from seed $seed"
mkdir -p .build
WINCH_STEPS=$steps WINCH_SEED=$seed swift test -c release -Xswiftc -enable-testing --scratch-path .build/optimized \
    --filter 'WinchScreenTests.*Random input' >"$log" 2>&1 || true
grep -E '^(✘|error)|recorded an issue|error:' "$log" | head -20 || true
grep -qE '^✔ Test run with [1-9][0-9]* test' "$log" || { tail -5 "$log"; exit 1; }
took=$(sed -n 's/^✔ Test run with .* passed after \([0-9.]*\) seconds.*/\1/p' "$log")
awk -v n="$steps" -v s="$took" 'BEGIN { printf "%d steps in %.1f s, nothing broken\n", n, s }'
