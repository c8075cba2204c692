#!/bin/sh
# Builds with the imports between the modules checked, then runs every test; fails when anything fails.
set -eu
log=.build/test.log
# They keep every core busy and wait for nothing.
pure='^(WinchModelTests|WinchBatchTests|WinchHTTPTests|WinchSSHTests|WinchSessionTests|WinchProgressTests|WinchQueueTests|WinchScreenTests|WinchReplayTests)\.'
# They watch what happens within a fraction of a second, or set what the whole process has but once.
watchful='^(WinchTransportTests|WinchKitTests|WinchTerminalTests)\.'
# They run the program and look at it from outside, one after the other.
outside='^EndToEndTests\.'
# They run the program by the hundred, several at a time, and keep every core busy.
sturdy='^FaultSuiteTests\.'

swift build --build-tests --explicit-target-dependency-import-check error
swift build --product PowerLoss

# The runner's own verdict on the tests chosen by the arguments; a pipe hides its exit code.
run() {
    swift test --skip-build "$@" 2>&1 | tee "$log" | grep -vE '^(◇|✔|↳) |^Test Suite|Executed 0 tests' || true
    grep -E '^(✔|✘) Test run with' "$log" >>"$log.verdicts" || {
        echo "✘ no verdict on: $*" >>"$log.verdicts"
        tail -n 5 "$log" >>"$log.failures"
    }
    grep -A 6 ' recorded an issue ' "$log" | cut -c 1-400 >>"$log.failures" || true
}

rm -f "$log.verdicts" "$log.failures"
run --filter "$pure"
run --filter "$watchful" --no-parallel
run --skip "$pure" --skip "$watchful" --skip "$outside" --skip "$sturdy"
run --filter "$outside" --no-parallel
run --filter "$sturdy" --no-parallel
# What failed comes last, so that it is found at the end of a long output.
cat "$log.failures" "$log.verdicts"
if grep -qE '^✘|with 0 tests' "$log.verdicts"; then exit 1; fi
