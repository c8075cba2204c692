#!/bin/sh
# Builds with the imports between the modules checked, then runs every test; fails when anything fails.
set -eu
log=.build/test.log
# They keep every core busy and wait for nothing.
pure='^(WinchModelTests|WinchBatchTests|WinchHTTPTests|WinchSSHTests|WinchSessionTests|WinchProgressTests|WinchQueueTests|WinchScreenTests|WinchReplayTests)\.'
# They watch what happens within a fraction of a second, or set what the whole process has but once.
watchful='^(WinchTransportTests|WinchKitTests|WinchTerminalTests)\.'
# They talk to servers of their own in turns, and wait for answers that parallel work on every core would delay.
fleet='^(WinchFleetTests|FleetSimulatorTests)\.'
# They run the program and look at it from outside. Most of their time they wait, so two run beside each other: those in files
# whose names begin with A to P or with Resumed, and the others. Each half takes some seven minutes.
outside='^EndToEndTests\.'
outside_first='^EndToEndTests\..*/([A-P]|Resumed)[A-Za-z]*\.swift:'
# They run the program by the hundred, several at a time, and keep every core busy.
sturdy='^FaultSuiteTests\.'

swift build --build-tests --explicit-target-dependency-import-check error
swift build --product PowerLoss

# Runs the tests chosen by the arguments after the first, which names a file for the output, and writes down the runner's own verdict:
# a pipe hides its exit code. `swift test` would let no two runs go on at the same time.
run() {
    own=$1
    shift
    NO_COLOR=1 .build/debug/winchPackageTests.xctest --testing-library swift-testing "$@" 2>&1 | tee "$own" |
        grep -vE '^(◇|✔|↳) ' || true
    grep -E '^(✔|✘) Test run with' "$own" >>"$log.verdicts" || {
        echo "✘ no verdict on: $*" >>"$log.verdicts"
        tail -n 5 "$own" >>"$log.failures"
    }
    grep -A 6 ' recorded an issue ' "$own" | cut -c 1-400 >>"$log.failures" || true
}

rm -f "$log.verdicts" "$log.failures"
run "$log" --filter "$pure"
run "$log" --filter "$watchful" --no-parallel
run "$log" --skip "$pure" --skip "$watchful" --skip "$fleet" --skip "$outside" --skip "$sturdy"
run "$log" --filter "$fleet"
run "$log.beside" --filter "$outside_first" --no-parallel &
beside=$!
run "$log" --filter "$outside" --skip "$outside_first" --no-parallel
wait "$beside"
run "$log" --filter "$sturdy" --no-parallel
# What failed comes last, so that it is found at the end of a long output.
cat "$log.failures" "$log.verdicts"
if grep -qE '^✘|with 0 tests' "$log.verdicts"; then exit 1; fi
